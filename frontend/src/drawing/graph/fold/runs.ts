/**
 * Periodic runs: an unrolled loop, the layers of a network. A run of period p is a stretch in which every item is like the one p before
 * it; found for all periods at once by comparing the sequence with itself, the longest stretch first, the shortest period among equals.
 */
import type { LevelNode } from "../level.ts";
import { Alike, counted, type Group, group, type Item, sizeOf, times, words } from "./items.ts";

/** The longest period looked for; a longer one would not fit a screen either. */
const LONGEST = 600;
const LEAST_TURNS = 3;
/** A run that hides fewer items is not worth a fold. */
const LEAST_HIDDEN = 8;
const NEARLY_ALL = 0.9;

interface Run {
  from: number;
  period: number;
  turns: number;
}

export function foldRuns(nodes: readonly LevelNode[], items: readonly Item[]): Item[] {
  const alike = new Alike(nodes);
  const keys = Int32Array.from(items, (item) => alike.of(item));
  return fold(nodes, items, keys, 0, items.length);
}

function fold(nodes: readonly LevelNode[], items: readonly Item[], keys: Int32Array, from: number, until: number): Item[] {
  const run = until - from > LEAST_HIDDEN ? best(keys, from, until) : null;
  if (!run) return items.slice(from, until);
  const end = run.from + run.turns * run.period;
  return [...fold(nodes, items, keys, from, run.from), turned(nodes, items, run), ...fold(nodes, items, keys, end, until)];
}

function best(keys: Int32Array, from: number, until: number): Run | null {
  let found: Run | null = null;
  let covered = LEAST_HIDDEN;
  const most = Math.min(LONGEST, Math.floor((until - from) / LEAST_TURNS));
  for (let period = 1; period <= most; period++) {
    let length = 0;
    for (let at = from + period; at <= until; at++) {
      if (at < until && keys[at] === keys[at - period]) {
        length++;
        continue;
      }
      const turns = Math.floor(length / period) + 1;
      if (length > 0 && turns >= LEAST_TURNS && turns * period > covered) {
        covered = turns * period;
        found = { from: at - length - period, period, turns };
      }
      length = 0;
    }
    // Longer periods can at most gain the ends.
    if (found && covered > NEARLY_ALL * (until - from)) break;
  }
  return found;
}

function turned(nodes: readonly LevelNode[], items: readonly Item[], { from, period, turns }: Run): Group {
  const all = items.slice(from, from + turns * period);
  const one = all.slice(0, period);
  const each = period === 1 ? all : Array.from({ length: turns }, (_, i) => turn(all.slice(i * period, (i + 1) * period), i, turns));
  return group("run", times(what(nodes, one), turns), each);
}

export function turn(items: readonly Item[], index: number, turns: number): Item {
  return group("turn", `${counted(index + 1)} of ${counted(turns)}`, items);
}

/** `mul`, or `[40 ops]` where it is more than can be said. */
export function what(nodes: readonly LevelNode[], one: readonly Item[]): string {
  if (one.length === 1 && typeof one[0] !== "number") return one[0]!.title;
  const size = one.reduce<number>((sum, item) => sum + sizeOf(item), 0);
  return size <= 2 ? words(nodes, one) : `[${size} ops]`;
}
