/**
 * What a level too large to read is folded into. An item is a node of the level or a group of items; the items of a sequence stand in
 * an order in which sources come before targets, and a group is an interval of such an order, which is why it is convex: no wire leaves
 * it and comes back.
 */
import type { LevelNode } from "../level.ts";

/**
 * `run`: the same thing again and again; `alike`: things of one shape that do not read each other; `turn`: one of those, `stretch`: some;
 * `call`: of a function; `scope`: under a name of the name stack; `chunk`: what has no shape.
 */
export type GroupKind = "run" | "alike" | "turn" | "stretch" | "call" | "scope" | "chunk";

export interface Group {
  kind: GroupKind;
  title: string;
  items: readonly Item[];
  /** The first node in it, which names it, and how many there are. */
  first: number;
  size: number;
  /** What its forward and its backward part have in common, or "". */
  same: string;
  /** Of a turn: which of how many, in the order in which they stand. */
  turn: number;
  of: number;
}

export type Item = number | Group;

/** More than this is not read, only looked at. */
export const MOST_SHOWN = 100;

export function firstOf(item: Item): number {
  return typeof item === "number" ? item : item.first;
}

export function sizeOf(item: Item): number {
  return typeof item === "number" ? 1 : item.size;
}

const leaves = new WeakMap<Group, readonly number[]>();

/** Every node in it. */
export function leavesOf(item: Item): readonly number[] {
  if (typeof item === "number") return [item];
  return entry(leaves, item, () => item.items.flatMap(leavesOf));
}

export function group(kind: GroupKind, title: string, items: readonly Item[], same = ""): Group {
  const size = items.reduce<number>((sum, item) => sum + sizeOf(item), 0);
  const first = items.reduce<number>((least, item) => Math.min(least, firstOf(item)), Number.POSITIVE_INFINITY);
  return { kind, title, items, first, size, same, turn: 0, of: 1 };
}

/** What a map holds under a key, made where there is nothing yet. */
export function entry<K, V>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  let known = map.get(key);
  if (known === undefined) {
    known = make();
    map.set(key, known);
  }
  return known;
}

/** `12,000`, the same on every machine. */
export function counted(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `layer ×12`. */
export function times(name: string, count: number): string {
  return `${name} \u00d7${counted(count)}`;
}

const NAMED = 3;
/** Characters of a name: those of test suites are sentences, and a box of three is wider than the page. */
const LONGEST = 24;

/** `mul · add · tanh …`: what is done in a group, in the order of its first appearances. */
export function words(nodes: readonly LevelNode[], items: readonly Item[], most = NAMED): string {
  const found: string[] = [];
  for (const item of items) {
    for (const v of leavesOf(item)) {
      const title = shortened(nodes[v]!.title);
      if (found.includes(title)) continue;
      if (found.length === most) return `${found.join(" \u00b7 ")} \u2026`;
      found.push(title);
    }
  }
  return found.join(" \u00b7 ");
}

function shortened(title: string): string {
  return title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}\u2026` : title;
}

/** Numbers for things that are alike: the same operations in the same order, whatever their types. */
export class Alike {
  readonly #known = new Map<string, number>();
  readonly #alike = new Map<object, number>();
  readonly #nodes: readonly LevelNode[];

  constructor(nodes: readonly LevelNode[]) {
    this.#nodes = nodes;
  }

  of(item: Item): number {
    if (typeof item !== "number") return this.#number(`(${item.items.map((inner) => this.of(inner)).join(",")})`);
    const node = this.#nodes[item]!;
    const { like } = node;
    if (like === undefined) return this.#plain(node);
    return entry(this.#alike, like, () => this.#plain(node));
  }

  #plain(node: LevelNode): number {
    return this.#number(`${node.title}\n${node.note}\n${node.feeds.length}\n${node.results ?? node.outs.length}`);
  }

  #number(text: string): number {
    const known = this.#known.get(text) ?? this.#known.size;
    this.#known.set(text, known);
    return known;
  }
}
