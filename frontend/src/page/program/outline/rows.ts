// The rows of an outline as it is open now. What is closed, and what nobody looks at, costs nothing: rows are runs of bodies, one run before
// and one after each open item, and an item is made when its row is asked for.
import type { Inside, Item, Outline } from "./items.ts";

export interface Row {
  readonly item: Item;
  /** 1 for the root, as ARIA counts. */
  readonly level: number;
  readonly size: number;
  readonly position: number;
  readonly open: boolean;
}

interface Run {
  readonly inside: Inside;
  readonly from: number;
  /** The row of the first item of the run. */
  readonly row: number;
  readonly count: number;
  readonly level: number;
}

export interface Rows {
  readonly count: number;
  at(row: number): Row | null;
  /** The row of an item, or -1 where it is not in an open body. */
  rowOf(key: string): number;
  /** The jaxprs that are open here and were not sent yet. */
  readonly left: readonly string[];
}

export function rowsOf(outline: Outline, open: ReadonlySet<string>): Rows {
  const opened = new Map<string, string[]>();
  for (const key of open) {
    const parent = outline.parentOf(key);
    if (parent !== null) opened.set(parent, [...(opened.get(parent) ?? []), key]);
  }
  const runs: Run[] = [];
  const bodies = new Map<string, { readonly inside: Inside; readonly runs: readonly Run[] }>();
  const left: string[] = [];
  const top: Inside = { count: 1, left: null, at: () => outline.root, indexOf: () => 0 };
  let row = 0;
  const walk = (inside: Inside, own: string | null, level: number): void => {
    const mine: Run[] = [];
    const add = (from: number, count: number): void => {
      if (count <= 0) return;
      const run = { inside, from, row, count, level };
      mine.push(run);
      runs.push(run);
      row += count;
    };
    const keys = own === null ? (open.has("") ? [""] : []) : (opened.get(own) ?? []);
    const at = keys.map((key) => ({ key, index: inside.indexOf(key) })).filter(({ index }) => index >= 0);
    at.sort((a, b) => a.index - b.index);
    if (inside.left !== null) left.push(inside.left);
    let from = 0;
    for (const { key, index } of at) {
      const inner = inside.at(index)?.inside;
      if (inner === undefined || inner === null) continue;
      add(from, index + 1 - from);
      from = index + 1;
      walk(inner, key, level + 1);
    }
    add(from, inside.count - from);
    if (own !== null) bodies.set(own, { inside, runs: mine });
  };
  walk(top, null, 1);
  return {
    count: row,
    left,
    at(wanted) {
      const run = runAt(runs, wanted);
      const index = run === undefined ? 0 : run.from + wanted - run.row;
      const item = run?.inside.at(index) ?? null;
      if (run === undefined || item === null) return null;
      return { item, level: run.level, size: run.inside.count, position: index + 1, open: item.inside !== null && open.has(item.key) };
    },
    rowOf(key) {
      const parent = outline.parentOf(key);
      if (parent === null) return 0;
      const body = bodies.get(parent);
      const index = body?.inside.indexOf(key) ?? -1;
      const run = index < 0 ? undefined : body?.runs.find((each) => index >= each.from && index < each.from + each.count);
      return run === undefined ? -1 : run.row + index - run.from;
    },
  };
}

function runAt(runs: readonly Run[], row: number): Run | undefined {
  let low = 0;
  let high = runs.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run === undefined || row < run.row) high = middle - 1;
    else if (row >= run.row + run.count) low = middle + 1;
    else return run;
  }
  return undefined;
}

/** What must be open for an item to be seen: everything around it. */
export function aroundOf(outline: Outline, key: string): string[] {
  const found: string[] = [];
  for (let at = outline.parentOf(key); at !== null; at = outline.parentOf(at)) found.unshift(at);
  return found;
}
