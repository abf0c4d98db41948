/**
 * Things of one shape that do not read each other: the updates of five hundred parameters, whatever the order in which they are written.
 *
 * Values that many read (a learning rate, a step count) join nothing. What is alike is set side by side and becomes one item, as long as
 * the items can still be put in an order with sources before targets; a class that would close a circle is left as it was.
 */
import { rootOf } from "../../roots.ts";
import type { LevelNode } from "../level.ts";
import { Alike, entry, group, type Item, times } from "./items.ts";
import { turn, what } from "./runs.ts";

const LEAST_ALIKE = 8;
const LARGEST = 64;
/** A value with more readers than this says nothing about which of them belong together. */
const FEW_READERS = 6;
const [UNSEEN, OPEN, DONE] = [0, 1, 2];

export function foldComponents(nodes: readonly LevelNode[], members: readonly number[]): Item[] {
  const at = new Map(members.map((v, i): [number, number] => [v, i]));
  const sources = members.map((v) => nodes[v]!.feeds.flatMap((feed) => (feed.kind === "node" ? (at.get(feed.node) ?? []) : [])));
  const classes = classesOf(nodes, members, componentsOf(sources));
  if (classes.length === 0) return [...members];
  return ordered(nodes, members, sources, classes);
}

/** The members, as indices, of each connected component in order. */
function componentsOf(sources: readonly (readonly number[])[]): number[][] {
  const readers = new Int32Array(sources.length);
  for (const list of sources) for (const from of list) readers[from]!++;
  const root = Int32Array.from(sources, (_, i) => i);
  sources.forEach((list, i) => {
    for (const from of list) if (readers[from]! <= FEW_READERS) root[rootOf(root, i)] = rootOf(root, from);
  });
  const components = new Map<number, number[]>();
  sources.forEach((_, i) => {
    entry(components, rootOf(root, i), () => []).push(i);
  });
  return [...components.values()];
}

function classesOf(nodes: readonly LevelNode[], members: readonly number[], components: readonly number[][]): number[][][] {
  const alike = new Alike(nodes);
  const classes = new Map<string, number[][]>();
  for (const component of components) {
    if (component.length > LARGEST) continue;
    const key = component.map((i) => alike.of(members[i]!)).join(" ");
    entry(classes, key, () => []).push(component);
  }
  return [...classes.values()].filter((each) => each.length >= LEAST_ALIKE);
}

/** The members in their own order, except that a class stands together. Classes that are in a circle are dissolved, and it begins again. */
function ordered(
  nodes: readonly LevelNode[],
  members: readonly number[],
  sources: readonly (readonly number[])[],
  classes: readonly number[][][],
): Item[] {
  let kept = [...classes];
  while (kept.length > 0) {
    const found = sorted(members.length, sources, kept);
    if (found.circle.length === 0)
      return found.order.map((u) => (u < members.length ? members[u]! : alikeGroup(nodes, members, kept[u - members.length]!)));
    const stuck = new Set(found.circle);
    kept = kept.filter((_, c) => !stuck.has(members.length + c));
  }
  return [...members];
}

/** Each unit after its sources, else where its first member stands (depth first, without recursion); or the classes in a circle. */
function sorted(
  count: number,
  sources: readonly (readonly number[])[],
  classes: readonly number[][][],
): { order: number[]; circle: number[] } {
  const unit = Int32Array.from(sources, (_, i) => i);
  classes.forEach((each, c) => {
    for (const component of each) for (const i of component) unit[i] = count + c;
  });
  const membersOf = (u: number): readonly number[] => (u < count ? [u] : classes[u - count]!.flat());
  const state = new Uint8Array(count + classes.length);
  const order: number[] = [];
  for (let i = 0; i < count; i++) {
    const path: { unit: number; needs: number[] }[] = [];
    const enter = (u: number): void => {
      state[u] = OPEN;
      const needs = new Set(membersOf(u).flatMap((member) => sources[member]!.map((from) => unit[from]!)));
      needs.delete(u);
      path.push({ unit: u, needs: [...needs].reverse() });
    };
    if (state[unit[i]!] === UNSEEN) enter(unit[i]!);
    while (path.length > 0) {
      const top = path[path.length - 1]!;
      const next = top.needs.pop();
      if (next === undefined) {
        state[top.unit] = DONE;
        order.push(top.unit);
        path.pop();
      } else if (state[next] === OPEN) {
        const from = path.findIndex((each) => each.unit === next);
        return { order, circle: path.slice(from).flatMap((each) => (each.unit >= count ? [each.unit] : [])) };
      } else if (state[next] === UNSEEN) enter(next);
    }
  }
  return { order, circle: [] };
}

function alikeGroup(nodes: readonly LevelNode[], members: readonly number[], components: readonly number[][]): Item {
  const each = components.map((component) => component.map((i) => members[i]!));
  const items = each[0]!.length === 1 ? each.flat() : each.map((inner, i) => turn(inner, i, each.length));
  return group("alike", times(what(nodes, each[0]!), each.length), items);
}
