/**
 * The folding of one sequence: by names, by calls, by what is alike or repeated, and what is still too long by cuts; then each group by
 * itself.
 */

import type { Grouping } from "../../scene.ts";
import type { LevelNode } from "../level.ts";
import { Calls } from "./calls.ts";
import { BESIDE, foldChunks, stretches } from "./chunks.ts";
import { foldComponents } from "./components.ts";
import { fitIn } from "./fit.ts";
import { type Group, type Item, leavesOf, MOST_SHOWN } from "./items.ts";
import { foldRuns } from "./runs.ts";
import { foldScopes } from "./scopes.ts";

/** A group of no more equations is read as it is. */
const PLAIN = 40;
/** Nothing is folded to save a handful of boxes. */
const LEAST_ROOM = 10;

export interface Way {
  by: Exclude<Grouping, "auto">;
  /** As much is shown as has room; else every group is there, the smallest and the only one, too. */
  fitted: boolean;
}

export interface Sequence {
  /** In program order. */
  members: readonly number[];
  /** What must not be hidden; null where that is nothing in particular. */
  needed: ReadonlySet<number> | null;
}

/** Each of the lanes of a level: at most about `MOST_SHOWN` items, the groups among which hold at most as many each, and so on. */
export function foldSequences(nodes: readonly LevelNode[], lanes: readonly Sequence[], way: Way): Item[][] {
  if (way.by === "none") return lanes.map(({ members }) => [...members]);
  const structures = lanes.map(({ members }) => structured(nodes, members, way));
  const all = lanes.map(({ needed }) => needed);
  const shown = way.fitted ? fitIn(structures, all) : structures;
  return shown.map((items, i) => {
    const needed = all[i]!;
    const short = needed === null ? shrink(nodes, items, MOST_SHOWN) : between(nodes, items, needed, MOST_SHOWN);
    return short.map((item) => deeper(nodes, item, way.fitted));
  });
}

/** What is needed stands by itself, and what is between it shares the room by length. */
function between(nodes: readonly LevelNode[], items: readonly Item[], needed: ReadonlySet<number>, most: number): Item[] {
  const parts: Item[][] = [[]];
  for (const item of items) {
    if (typeof item === "number" && needed.has(item)) parts.push([item], []);
    else parts[parts.length - 1]!.push(item);
  }
  return parts.flatMap((part) => shrink(nodes, part, Math.max(LEAST_ROOM, Math.floor((most * part.length) / items.length))));
}

function structured(nodes: readonly LevelNode[], members: readonly number[], { by, fitted }: Way): Item[] {
  const calls = new Calls(nodes, by === "modules" ? (step) => step.method : undefined);
  switch (by) {
    case "scopes":
      return foldScopes(nodes, members, (inner, context) => (fitted ? calls.fold(inner, context) : inner));
    case "modules":
      return foldScopes(nodes, members, (inner, context) => calls.fold(inner, context));
    case "repeats":
      return repeatsOnly(calls.fold(members, members));
    default:
      return calls.fold(members, members);
  }
}

/** Without what is there once. */
function repeatsOnly(items: readonly Item[]): Item[] {
  return items.flatMap((item): Item[] => {
    if (typeof item === "number") return [item];
    const inner = repeatsOnly(item.items);
    return item.kind === "run" || item.kind === "turn" ? [{ ...item, items: inner }] : inner;
  });
}

/** What is still too much has no names: it goes by what it looks like. */
function shrink(nodes: readonly LevelNode[], whole: readonly Item[], most: number): Item[] {
  let items = [...whole];
  if (items.length > most) items = alikes(nodes, items);
  if (items.length > most) items = foldRuns(nodes, items);
  while (items.length > most) items = foldChunks(nodes, items, most);
  return items;
}

/** Between the groups that there are. */
function alikes(nodes: readonly LevelNode[], items: readonly Item[]): Item[] {
  const found: Item[] = [];
  let plain: number[] = [];
  const flush = (): void => {
    if (plain.length > 0) found.push(...foldComponents(nodes, plain));
    plain = [];
  };
  for (const item of items) {
    if (typeof item === "number") plain.push(item);
    else {
      flush();
      found.push(item);
    }
  }
  flush();
  return found;
}

/** The inside of a group, folded by itself: what is repeated is only cut into stretches, for it has its shape already. */
function inner(nodes: readonly LevelNode[], group: Group, fitted: boolean): Group {
  const { kind, items } = group;
  const each = (item: Item): Item => deeper(nodes, item, fitted);
  if (kind === "run" || kind === "alike" || kind === "stretch") {
    const apart = kind === "alike" || !chained(nodes, items);
    return { ...group, items: stretches(items, apart ? BESIDE : MOST_SHOWN).map(each) };
  }
  if (fitted && group.size <= PLAIN) return { ...group, items: leavesOf(group) };
  return { ...group, items: shrink(nodes, fitted ? fitIn([items])[0]! : items, MOST_SHOWN).map(each) };
}

function deeper(nodes: readonly LevelNode[], item: Item, fitted: boolean): Item {
  return typeof item === "number" ? item : inner(nodes, item, fitted);
}

/** Whether most of a row read what is before them in it. */
function chained(nodes: readonly LevelNode[], items: readonly Item[]): boolean {
  const before = new Set<number>();
  let reading = 0;
  for (const item of items) {
    const own = leavesOf(item);
    if (own.some((v) => nodes[v]!.feeds.some((feed) => feed.kind === "node" && before.has(feed.node)))) reading++;
    for (const v of own) before.add(v);
  }
  return reading > items.length / 2;
}
