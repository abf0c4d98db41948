/**
 * Better orders from good ones. `switchNeighbours` exchanges neighbours while that saves crossings; `sift` moves one node at a time to
 * the best place in its rank (Rudell's sifting for crossings: Matuszewski, Schoenfeld & Molitor, GD 1999). Operands that would arrive
 * in the wrong order count twice.
 *
 * Both count their comparisons, so that what they cost is known and the same on every machine.
 */
import type { Csr, Layered } from "./types.ts";

/** An order that is being improved. */
export interface Order {
  g: Layered;
  /** Members of rank r are `members[start[r] .. start[r + 1]]`, left to right. */
  members: Int32Array;
  /** Index of each node within its rank. */
  position: Float64Array;
  /** Ranks that keep the order they have. */
  fixed: readonly boolean[];
  /** In every rank the real nodes keep the order of their numbers; only wires change places. */
  kept: boolean;
  /** Comparisons and visits made so far, and how many may be made. */
  work: number;
  most: number;
}

/** Comparing costs degree(a) x degree(b); hubs beyond this are left where the barycentre put them. */
const HUB = 4000;

/** What is saved when `a`, left of `b`, changes sides with it. */
function saved(order: Order, a: number, b: number): number {
  const { g } = order;
  const work = degree(g.up, a) * degree(g.up, b) + degree(g.down, a) * degree(g.down, b);
  if (work > HUB) return 0;
  order.work += work + 2;
  return side(order, a, b, g.up, g.tail, g.tailAt, 1) + side(order, a, b, g.down, g.head, g.headAt, 2);
}

function degree(c: Csr, v: number): number {
  return c.start[v + 1]! - c.start[v]!;
}

function side({ g, position }: Order, a: number, b: number, c: Csr, other: Int32Array, at: Float64Array, shared: number): number {
  let balance = 0;
  const endA = c.start[a + 1]!;
  const endB = c.start[b + 1]!;
  for (let i = c.start[a]!; i < endA; i++) {
    const s = c.list[i]!;
    const v = other[s]!;
    const pa = position[v]! + at[s]!;
    for (let j = c.start[b]!; j < endB; j++) {
      const t = c.list[j]!;
      const w = other[t]!;
      const pb = position[w]! + at[t]!;
      const weight = v === w && v < g.real ? shared : 1;
      if (pa > pb) balance += weight;
      else if (pa < pb) balance -= weight;
    }
  }
  return balance;
}

export function switchNeighbours(order: Order): boolean {
  const { g, members, position, fixed, kept } = order;
  let any = false;
  for (let r = 0; r < g.ranks; r++) {
    if (fixed[r]) continue;
    for (let k = g.start[r]!; k + 1 < g.start[r + 1]!; k++) {
      const a = members[k]!;
      const b = members[k + 1]!;
      if (kept && a < g.real && b < g.real) continue;
      if (saved(order, a, b) <= 0) continue;
      members[k] = b;
      members[k + 1] = a;
      position[b] = k - g.start[r]!;
      position[a] = k + 1 - g.start[r]!;
      any = true;
    }
  }
  return any;
}

/** Every node once, rank by rank; true when something moved. Ends early when the budget is used up. */
export function sift(order: Order): boolean {
  const { g, members, fixed } = order;
  let any = false;
  for (let r = 0; r < g.ranks; r++) {
    const from = g.start[r]!;
    const to = g.start[r + 1]!;
    if (fixed[r] || to - from < 3) continue;
    const rank = members.slice(from, to);
    for (const v of rank) {
      if (order.kept && v < g.real) continue;
      if (order.work >= order.most) return any;
      if (siftOne(order, v, from, to)) any = true;
    }
  }
  return any;
}

function siftOne(order: Order, v: number, from: number, to: number): boolean {
  const { members, position } = order;
  const at = from + position[v]!;
  let best = 0;
  let goal = at;
  let gain = 0;
  for (let k = at + 1; k < to; k++) {
    gain += saved(order, v, members[k]!);
    if (gain > best) {
      best = gain;
      goal = k;
    }
  }
  gain = 0;
  for (let k = at - 1; k >= from; k--) {
    gain += saved(order, members[k]!, v);
    if (gain > best) {
      best = gain;
      goal = k;
    }
  }
  if (goal === at) return false;
  if (goal > at) members.copyWithin(at, at + 1, goal + 1);
  else members.copyWithin(goal + 1, goal, at);
  members[goal] = v;
  for (let k = Math.min(at, goal); k <= Math.max(at, goal); k++) position[members[k]!] = k - from;
  return true;
}
