/**
 * The order within each rank: barycentre sweeps over ported segments (Sugiyama, Tagawa & Toda 1981), then neighbours are switched
 * while that removes crossings; the best of several starts wins. Segments that meet one node in the wrong operand order count as
 * crossings too, so operand order is respected where it can be.
 *
 * Promises: pinned ranks keep their order; deterministic; near-linear (sweeps and starts shrink as the graph grows).
 */
import { countCrossings } from "./crossings.ts";
import type { Csr, Layered } from "./types.ts";

export interface Ordering {
  /** Members of rank r are `members[start[r] .. start[r + 1]]`, left to right. */
  members: Int32Array;
  /** Index of each node within its rank. */
  position: Float64Array;
  crossings: number;
}

interface Effort {
  sweeps: number;
  starts: number;
  switching: boolean;
}

function effortFor(count: number): Effort {
  if (count < 600) return { sweeps: 24, starts: 4, switching: true };
  if (count < 3000) return { sweeps: 16, starts: 2, switching: true };
  if (count < 30000) return { sweeps: 8, starts: 1, switching: true };
  return { sweeps: 4, starts: 1, switching: false };
}

/** `fixed[r]` keeps rank r in the order of the node numbers. */
export function orderRanks(g: Layered, fixed: readonly boolean[]): Ordering {
  const effort = effortFor(g.count);
  const members = new Int32Array(g.count);
  const position = new Float64Array(g.count);
  const key = new Float64Array(g.count);
  const best = { crossings: Number.POSITIVE_INFINITY, members: members.slice() };
  const note = (): number => {
    const crossings = countCrossings(g, members);
    if (crossings < best.crossings) {
      best.crossings = crossings;
      best.members.set(members);
    }
    return crossings;
  };
  const state = { g, members, position, key, fixed };
  for (let start = 0; start < effort.starts && best.crossings > 0; start++) {
    initialOrder(state, start);
    let local = note();
    let stale = 0;
    for (let sweep = 0; sweep < effort.sweeps && stale < 4 && best.crossings > 0; sweep++) {
      if (sweep % 2 === 0) for (let r = 1; r < g.ranks; r++) sweepRank(state, r, g.up, g.tail, g.tailX, g.headX);
      else for (let r = g.ranks - 2; r >= 0; r--) sweepRank(state, r, g.down, g.head, g.headX, g.tailX);
      if (effort.switching) for (let i = 0; i < 3 && switchNeighbours(state); i++);
      const crossings = note();
      if (crossings < local) {
        local = crossings;
        stale = 0;
      } else stale++;
    }
  }
  members.set(best.members);
  writePositions(state);
  return { members, position, crossings: Number.isFinite(best.crossings) ? best.crossings : 0 };
}

interface State {
  g: Layered;
  members: Int32Array;
  position: Float64Array;
  key: Float64Array;
  fixed: readonly boolean[];
}

function writePositions({ g, members, position }: State): void {
  for (let r = 0; r < g.ranks; r++) for (let k = g.start[r]!; k < g.start[r + 1]!; k++) position[members[k]!] = k - g.start[r]!;
}

/** Depth-first from one end in operand order, or in reverse: neighbours in an expression start as neighbours on their rank. */
function initialOrder(state: State, mode: number): void {
  const { g, members, fixed } = state;
  const fill = g.start.slice();
  const seen = new Uint8Array(g.count);
  for (let r = 0; r < g.ranks; r++) {
    if (!fixed[r]) continue;
    for (let v = 0; v < g.real; v++) if (g.rank[v] === r) place(v);
  }
  function place(v: number): void {
    seen[v] = 1;
    const r = g.rank[v]!;
    members[fill[r]!] = v;
    fill[r]!++;
  }
  // Modes 0 and 2 walk up from the results, 1 and 3 down from the sources.
  const upwards = mode % 2 === 0;
  const next: Csr = upwards ? g.up : g.down;
  const prior: Csr = upwards ? g.down : g.up;
  const other = upwards ? g.tail : g.head;
  const visited = new Uint8Array(g.count);
  const stack: number[] = [];
  const run = (root: number): void => {
    stack.push(root);
    while (stack.length > 0) {
      const v = stack.pop()!;
      if (visited[v]) continue;
      visited[v] = 1;
      if (!seen[v]) place(v);
      for (let k = next.start[v + 1]! - 1; k >= next.start[v]!; k--) {
        const w = other[next.list[k]!]!;
        if (!visited[w]) stack.push(w);
      }
    }
  };
  const isRoot = (v: number): boolean => prior.start[v] === prior.start[v + 1];
  if (mode < 2) for (let v = 0; v < g.count; v++) if (isRoot(v)) run(v);
  if (mode >= 2) for (let v = g.count - 1; v >= 0; v--) if (isRoot(v)) run(v);
  for (let v = 0; v < g.count; v++) if (!visited[v]) run(v);
  writePositions(state);
}

function sweepRank(state: State, r: number, side: Csr, other: Int32Array, farX: Float64Array, nearX: Float64Array): void {
  if (state.fixed[r]) return;
  const { g, members, position, key } = state;
  for (let k = g.start[r]!; k < g.start[r + 1]!; k++) {
    const v = members[k]!;
    const from = side.start[v]!;
    const to = side.start[v + 1]!;
    if (from === to) {
      key[v] = position[v]!;
      continue;
    }
    let sum = 0;
    for (let j = from; j < to; j++) {
      const s = side.list[j]!;
      const w = other[s]!;
      sum += position[w]! + farX[s]! / (g.width[w]! + 1) - (0.5 * nearX[s]!) / (g.width[v]! + 1);
    }
    key[v] = sum / (to - from);
  }
  const slice = members.subarray(g.start[r]!, g.start[r + 1]!);
  let sorted = true;
  for (let i = 1; i < slice.length && sorted; i++) sorted = key[slice[i - 1]!]! <= key[slice[i]!]!;
  if (!sorted) slice.sort((a, b) => key[a]! - key[b]! || position[a]! - position[b]!);
  for (let i = 0; i < slice.length; i++) position[slice[i]!] = i;
}

/** Switching costs degree(a) x degree(b); hubs beyond this are left where the barycentre put them. */
const SWITCH_LIMIT = 4000;

function switchNeighbours({ g, members, position, fixed }: State): boolean {
  let any = false;
  const degree = (c: Csr, v: number): number => c.start[v + 1]! - c.start[v]!;
  const excess = (a: number, b: number, c: Csr, other: Int32Array, offset: Float64Array): number => {
    let balance = 0;
    for (let i = c.start[a]!; i < c.start[a + 1]!; i++) {
      const s = c.list[i]!;
      const pa = position[other[s]!]! + offset[s]! / (g.width[other[s]!]! + 1);
      for (let j = c.start[b]!; j < c.start[b + 1]!; j++) {
        const t = c.list[j]!;
        const pb = position[other[t]!]! + offset[t]! / (g.width[other[t]!]! + 1);
        if (pa > pb) balance++;
        else if (pa < pb) balance--;
      }
    }
    return balance;
  };
  for (let r = 0; r < g.ranks; r++) {
    if (fixed[r]) continue;
    for (let k = g.start[r]!; k + 1 < g.start[r + 1]!; k++) {
      const a = members[k]!;
      const b = members[k + 1]!;
      if (degree(g.up, a) * degree(g.up, b) + degree(g.down, a) * degree(g.down, b) > SWITCH_LIMIT) continue;
      if (excess(a, b, g.up, g.tail, g.tailX) + excess(a, b, g.down, g.head, g.headX) <= 0) continue;
      members[k] = b;
      members[k + 1] = a;
      position[b] = k - g.start[r]!;
      position[a] = k + 1 - g.start[r]!;
      any = true;
    }
  }
  return any;
}
