/**
 * Shorter wires without new bends: what hangs together by exactly straight wires moves as one, to the weighted median of where its other
 * wires would have it, as far as the neighbours leave room (a median per block instead of per node: Gansner, Koutsofios, North & Vo 1993,
 * section 4.2).
 */
import type { Ordering } from "./order.ts";
import type { Layered } from "./types.ts";

const EXACT = 0.01;

type Gap = (left: number, right: number) => number;

export function relaxBlocks(
  g: Layered,
  order: Ordering,
  x: Float64Array,
  gap: Gap,
  weight: (segment: number) => number,
  passes: number,
): void {
  for (let pass = 0; pass < passes; pass++) if (!relaxOnce(g, order, x, gap, weight, pass % 2 === 0)) return;
}

function relaxOnce(
  g: Layered,
  { members, position }: Ordering,
  x: Float64Array,
  gap: Gap,
  weight: (s: number) => number,
  down: boolean,
): boolean {
  const { block, start, list } = blocksOf(g, x);
  let any = false;
  // Nothing leaves the width that the picture has.
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let v = 0; v < g.count; v++) {
    low = Math.min(low, x[v]!);
    high = Math.max(high, x[v]! + g.width[v]!);
  }
  const wishes: [number, number][] = [];
  const blocks = start.length - 1;
  for (let i = 0; i < blocks; i++) {
    const b = down ? i : blocks - 1 - i;
    wishes.length = 0;
    let left = Number.NEGATIVE_INFINITY;
    let right = Number.POSITIVE_INFINITY;
    let total = 0;
    for (let k = start[b]!; k < start[b + 1]!; k++) {
      const v = list[k]!;
      for (let j = g.up.start[v]!; j < g.up.start[v + 1]!; j++) {
        const s = g.up.list[j]!;
        if (block[g.tail[s]!] === b) continue;
        wishes.push([x[g.tail[s]!]! + g.tailX[s]! - x[v]! - g.headX[s]!, weight(s)]);
        total += weight(s);
      }
      for (let j = g.down.start[v]!; j < g.down.start[v + 1]!; j++) {
        const s = g.down.list[j]!;
        if (block[g.head[s]!] === b) continue;
        wishes.push([x[g.head[s]!]! + g.headX[s]! - x[v]! - g.tailX[s]!, weight(s)]);
        total += weight(s);
      }
      left = Math.max(left, low - x[v]!);
      right = Math.min(right, high - g.width[v]! - x[v]!);
      const at = g.start[g.rank[v]!]! + position[v]!;
      const before = at > g.start[g.rank[v]!]! ? members[at - 1]! : -1;
      const after = at + 1 < g.start[g.rank[v]! + 1]! ? members[at + 1]! : -1;
      if (before >= 0 && block[before] !== b) left = Math.max(left, x[before]! + g.width[before]! + gap(before, v) - x[v]!);
      if (after >= 0 && block[after] !== b) right = Math.min(right, x[after]! - gap(v, after) - g.width[v]! - x[v]!);
    }
    if (wishes.length === 0) continue;
    const by = Math.min(Math.max(medianNearest(wishes, total), Math.min(left, 0)), Math.max(right, 0));
    if (Math.abs(by) < EXACT) continue;
    any = true;
    for (let k = start[b]!; k < start[b + 1]!; k++) x[list[k]!]! += by;
  }
  return any;
}

/** Of the places that are equally good, the one that is nearest. */
function medianNearest(wishes: [number, number][], total: number): number {
  if (wishes.length === 1) return wishes[0]![0];
  wishes.sort((p, q) => p[0] - q[0]);
  let sum = 0;
  for (let i = 0; i < wishes.length; i++) {
    sum += wishes[i]![1];
    if (2 * sum < total - 1e-9) continue;
    const low = wishes[i]![0];
    const high = Math.abs(2 * sum - total) <= 1e-9 && i + 1 < wishes.length ? wishes[i + 1]![0] : low;
    return Math.min(Math.max(0, low), high);
  }
  return 0;
}

interface Blocks {
  block: Int32Array;
  /** Members of block b are `list[start[b] .. start[b + 1]]`. */
  start: Int32Array;
  list: Int32Array;
}

/** Nodes joined by straight wires. */
function blocksOf(g: Layered, x: Float64Array): Blocks {
  const parent = Int32Array.from({ length: g.count }, (_, v) => v);
  const find = (v: number): number => {
    let root = v;
    while (parent[root] !== root) root = parent[root]!;
    for (let at = v; parent[at] !== root; ) [at, parent[at]] = [parent[at]!, root];
    return root;
  };
  for (let s = 0; s < g.head.length; s++) {
    if (Math.abs(x[g.tail[s]!]! + g.tailX[s]! - x[g.head[s]!]! - g.headX[s]!) >= EXACT) continue;
    const [a, b] = [find(g.tail[s]!), find(g.head[s]!)];
    if (a !== b) parent[Math.max(a, b)] = Math.min(a, b);
  }
  const number = new Int32Array(g.count).fill(-1);
  const block = new Int32Array(g.count);
  let blocks = 0;
  // Numbered from the top.
  for (let v = 0; v < g.count; v++) {
    const root = find(v);
    if (number[root] === -1) number[root] = blocks++;
    block[v] = number[root]!;
  }
  const start = new Int32Array(blocks + 1);
  for (let v = 0; v < g.count; v++) start[block[v]! + 1]!++;
  for (let b = 0; b < blocks; b++) start[b + 1]! += start[b]!;
  const fill = start.slice();
  const list = new Int32Array(g.count);
  for (let v = 0; v < g.count; v++) list[fill[block[v]!]!++] = v;
  return { block, start, list };
}
