/**
 * The order within each rank: sweeps that put every node at the barycentre or the median of its neighbours (Sugiyama, Tagawa & Toda
 * 1981; Eades & Wormald 1994), ports included, from several starts; between sweeps neighbours are exchanged, and the best order is
 * sifted (exchange.ts). What counts are crossings, and operands in the wrong order twice.
 *
 * Promises: pinned ranks keep their order; sizes play no part, so opening a body moves nothing to another place in its row;
 * deterministic; near-linear (sweeps, starts and comparisons are bounded by the size of the graph).
 */
import { countCrossings, countInversions } from "./crossings.ts";
import { type Order, sift, switchNeighbours } from "./exchange.ts";
import type { Csr, Layered } from "./types.ts";

export interface Ordering {
  /** Members of rank r are `members[start[r] .. start[r + 1]]`, left to right. */
  members: Int32Array;
  /** Index of each node within its rank. */
  position: Float64Array;
  crossings: number;
  /** What it took, in comparisons and visits of segments: the same on every machine. */
  work: number;
}

interface Effort {
  sweeps: number;
  /** How many of STARTS are tried. */
  starts: number;
  switching: boolean;
  /** Comparisons that sifting may make for each node. */
  sifting: number;
}

function effortFor(count: number): Effort {
  if (count < 600) return { sweeps: 24, starts: 6, switching: true, sifting: 4000 };
  if (count < 3000) return { sweeps: 16, starts: 3, switching: true, sifting: 1500 };
  if (count < 12000) return { sweeps: 8, starts: 2, switching: true, sifting: 200 };
  if (count < 30000) return { sweeps: 8, starts: 1, switching: true, sifting: 100 };
  return { sweeps: 3, starts: 1, switching: false, sifting: 0 };
}

/** What is tried, the most promising first: an initial order, and the side to which ties lean (State.lean). */
const STARTS: readonly (readonly [mode: number, lean: number])[] = [
  [0, -0.5],
  [0, 0],
  [1, -0.5],
  [4, -0.5],
  [3, -0.5],
  [1, 0],
];

/** Sweeps without a better order after which a start is given up. */
const STALE = 4;

/** `fixed[r]` keeps rank r in the order of the node numbers; `kept` keeps the real nodes of every rank so, and lets wires pass between them. */
export function orderRanks(g: Layered, fixed: readonly boolean[], kept = false): Ordering {
  const effort = effortFor(g.count);
  const members = new Int32Array(g.count);
  const position = new Float64Array(g.count);
  const key = new Float64Array(g.count);
  const state: State = { g, members, position, fixed, kept, work: 0, most: Number.POSITIVE_INFINITY, key, lean: 0 };
  const best = { cost: Number.POSITIVE_INFINITY, members: members.slice() };
  const note = (): number => {
    const cost = countCrossings(g, members) + countInversions(g, position);
    if (cost < best.cost) {
      best.cost = cost;
      best.members.set(members);
    }
    return cost;
  };
  const up = { csr: g.up, other: g.tail, farAt: g.tailAt, farSlot: g.tailSlot, nearAt: g.headAt, nearSlot: g.headSlot };
  const down = { csr: g.down, other: g.head, farAt: g.headAt, farSlot: g.headSlot, nearAt: g.tailAt, nearSlot: g.tailSlot };
  for (let start = 0; start < effort.starts && best.cost > 0; start++) {
    const [mode, lean] = STARTS[start]!;
    state.lean = lean;
    initialOrder(state, mode);
    if (kept) {
      for (let r = 0; r < g.ranks; r++) keepOrder(state, r);
      writePositions(state);
    }
    let local = note();
    let stale = 0;
    for (let sweep = 0; sweep < effort.sweeps && stale < STALE && best.cost > 0; sweep++) {
      // Barycentres twice, then medians twice: what one cannot tell apart the other can.
      const median = sweep % 4 >= 2;
      if (sweep % 2 === 0) for (let r = 1; r < g.ranks; r++) sweepRank(state, r, up, median);
      else for (let r = g.ranks - 2; r >= 0; r--) sweepRank(state, r, down, median);
      if (effort.switching) for (let i = 0; i < 3 && switchNeighbours(state); i++);
      const cost = note();
      if (cost < local) {
        local = cost;
        stale = 0;
      } else stale++;
    }
  }
  members.set(best.members);
  writePositions(state);
  state.most = state.work + effort.sifting * g.count;
  while (best.cost > 0 && state.work < state.most && sift(state));
  return { members, position, crossings: countCrossings(g, members), work: state.work };
}

interface State extends Order {
  key: Float64Array;
  /** Ports are taken as in the middle of their slots (0), or as at its left or right end (-0.5, 0.5): that breaks ties another way. */
  lean: number;
}

function writePositions({ g, members, position }: State): void {
  for (let r = 0; r < g.ranks; r++) for (let k = g.start[r]!; k < g.start[r + 1]!; k++) position[members[k]!] = k - g.start[r]!;
}

/** Depth-first from one end in operand order, or in reverse: neighbours in an expression start as neighbours on their rank. Last, as numbered. */
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
  if (mode === 4) {
    // As the program says: the order of the equations.
    for (let v = 0; v < g.count; v++) if (!seen[v]) place(v);
    writePositions(state);
    return;
  }
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

/** The neighbours on one side. */
interface Side {
  csr: Csr;
  other: Int32Array;
  farAt: Float64Array;
  farSlot: Float64Array;
  nearAt: Float64Array;
  nearSlot: Float64Array;
}

function sweepRank(state: State, r: number, side: Side, median: boolean): void {
  if (state.fixed[r]) return;
  const { g, members, position, key, lean } = state;
  const { csr, other, farAt, farSlot, nearAt, nearSlot } = side;
  for (let k = g.start[r]!; k < g.start[r + 1]!; k++) {
    const v = members[k]!;
    const from = csr.start[v]!;
    const to = csr.start[v + 1]!;
    state.work += to - from + 1;
    if (from === to) {
      key[v] = position[v]!;
      continue;
    }
    if (median && to - from > 2) {
      key[v] = medianOf(csr.list.subarray(from, to), (s) => position[other[s]!]! + farAt[s]! + lean * farSlot[s]!);
      continue;
    }
    let sum = 0;
    for (let j = from; j < to; j++) {
      const s = csr.list[j]!;
      sum += position[other[s]!]! + farAt[s]! + lean * farSlot[s]! - 0.5 * (nearAt[s]! + lean * nearSlot[s]!);
    }
    key[v] = sum / (to - from);
  }
  const slice = members.subarray(g.start[r]!, g.start[r + 1]!);
  let sorted = true;
  for (let i = 1; i < slice.length && sorted; i++) sorted = key[slice[i - 1]!]! <= key[slice[i]!]!;
  if (!sorted) slice.sort((a, b) => key[a]! - key[b]! || position[a]! - position[b]!);
  if (state.kept) keepOrder(state, r);
  for (let i = 0; i < slice.length; i++) position[slice[i]!] = i;
}

/** The places that real nodes have in a rank, given to them in the order of their numbers. */
function keepOrder({ g, members }: State, r: number): void {
  const slice = members.subarray(g.start[r]!, g.start[r + 1]!);
  const real = slice.filter((v) => v < g.real).sort();
  let next = 0;
  for (let i = 0; i < slice.length; i++) if (slice[i]! < g.real) slice[i] = real[next++]!;
}

function medianOf(segments: Int32Array, at: (segment: number) => number): number {
  const places = Float64Array.from(segments, at).sort();
  const middle = places.length >> 1;
  return places.length % 2 === 1 ? places[middle]! : (places[middle - 1]! + places[middle]!) / 2;
}
