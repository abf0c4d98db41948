/**
 * The folding of one sequence: by names, by calls, by what is alike or repeated, and what is still too long by cuts; then each group by
 * itself.
 */

import type { Grouping } from "../../scene.ts";
import type { LevelNode } from "../level.ts";
import { foldCalls } from "./calls.ts";
import { foldChunks, stretches } from "./chunks.ts";
import { foldComponents } from "./components.ts";
import { fit } from "./fit.ts";
import { type Group, type Item, leavesOf, MOST_SHOWN } from "./items.ts";
import { foldRuns } from "./runs.ts";
import { foldScopes, namedShare } from "./scopes.ts";

/** Names group a sequence of its own accord only where they say something about most of it. */
const SHARE = 0.6;
/** A group of no more equations is read as it is. */
const PLAIN = 40;
/** Nothing is folded to save a handful of boxes. */
const LEAST_ROOM = 10;

/** `members` in program order. At most about `most` items, the groups among which hold at most `MOST_SHOWN` each, and so on. */
export function foldSequence(
  nodes: readonly LevelNode[],
  members: readonly number[],
  by: Grouping,
  most = MOST_SHOWN,
  needed: ReadonlySet<number> | null = null,
): Item[] {
  if (by === "none") return [...members];
  const structure = structured(nodes, members, by);
  const shown = by === "auto" ? fit(structure, needed) : structure;
  const short = needed === null ? shrink(nodes, shown, most) : between(nodes, shown, needed, most);
  return short.map((item) => deeper(nodes, item, by));
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

function structured(nodes: readonly LevelNode[], members: readonly number[], by: Grouping): Item[] {
  const calls = (inner: readonly number[]): Item[] => foldCalls(nodes, inner);
  switch (by) {
    case "auto":
      return namedShare(nodes, members) >= SHARE ? foldScopes(nodes, members, calls) : calls(members);
    case "scopes":
      return foldScopes(nodes, members, (inner) => inner);
    case "calls":
      return calls(members);
    case "modules":
      return foldScopes(nodes, members, (inner) => foldCalls(nodes, inner, (step) => step.method));
    case "repeats":
      return repeatsOnly(calls(members));
    default:
      return [...members];
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
function inner(nodes: readonly LevelNode[], group: Group, by: Grouping): Group {
  const { kind, items } = group;
  const each = (item: Item): Item => deeper(nodes, item, by);
  if (kind === "run" || kind === "alike" || kind === "stretch") return { ...group, items: stretches(items).map(each) };
  if (by === "auto" && group.size <= PLAIN) return { ...group, items: [...leavesOf(items)] };
  return { ...group, items: shrink(nodes, by === "auto" ? fit(items) : items, MOST_SHOWN).map(each) };
}

function deeper(nodes: readonly LevelNode[], item: Item, by: Grouping): Item {
  return typeof item === "number" ? item : inner(nodes, item, by);
}
