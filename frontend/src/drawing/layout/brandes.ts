/**
 * Places across the flow after Brandes & Koepf (Fast and simple horizontal coordinate assignment, GD 2001): nodes are aligned with
 * the median of their neighbours into blocks, four times (from above and below, leaning left and right), each is packed, and every node
 * gets the mean of the middle two. Ports and widths as in Rueegg, Schulze, Carstens & von Hanxleden (Size- and port-aware horizontal node
 * coordinate assignment, GD 2015): within a block, wires rather than centres stand on one line. Packed by longest paths over the graph of
 * the blocks, so that the classes of the paper, and the flaw in them (Brandes, Walter & Zink, Erratum, 2020), are not needed.
 *
 * Promises: long wires are straight but where two of them cross; nodes of a rank keep their order and distance; linear but for sorting.
 */
import type { Ordering } from "./order.ts";
import type { Csr, Layered } from "./types.ts";

type Gap = (left: number, right: number) => number;

export function brandesKoepf(g: Layered, order: Ordering, gap: Gap): Float64Array {
  const conflict = conflicts(g, order);
  const layouts: { x: Float64Array; low: number; high: number }[] = [];
  for (const down of [true, false]) {
    for (const leftwards of [true, false]) {
      const x = pack(g, order, align(g, order, conflict, down, leftwards), leftwards, gap);
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let v = 0; v < g.count; v++) {
        low = Math.min(low, x[v]!);
        high = Math.max(high, x[v]! + g.width[v]!);
      }
      layouts.push({ x, low, high });
    }
  }
  const narrow = layouts.reduce((a, b) => (b.high - b.low < a.high - a.low ? b : a));
  // Those that lean left are set flush left with the narrowest, the others flush right.
  const shift = layouts.map(({ low, high }, i) => (i % 2 === 0 ? narrow.low - low : narrow.high - high));
  const four = new Float64Array(4);
  return Float64Array.from({ length: g.count }, (_, v) => {
    for (let i = 0; i < 4; i++) four[i] = layouts[i]!.x[v]! + shift[i]!;
    four.sort();
    return (four[1]! + four[2]!) / 2;
  });
}

/** Segments at nodes that cross one between two dummies: those may not be aligned (type 1 conflicts). */
function conflicts(g: Layered, { members, position }: Ordering): Uint8Array {
  const conflict = new Uint8Array(g.head.length);
  const inner = (v: number): number => {
    if (v < g.real || g.up.start[v] === g.up.start[v + 1]) return -1;
    const u = g.tail[g.up.list[g.up.start[v]!]!]!;
    return u >= g.real ? u : -1;
  };
  for (let r = 1; r < g.ranks; r++) {
    const from = g.start[r]!;
    const to = g.start[r + 1]!;
    let scanned = from;
    let low = 0;
    for (let k = from; k < to; k++) {
      const above = inner(members[k]!);
      if (above < 0 && k + 1 < to) continue;
      const high = above < 0 ? Number.POSITIVE_INFINITY : position[above]!;
      for (; scanned <= k; scanned++) {
        const v = members[scanned]!;
        for (let j = g.up.start[v]!; j < g.up.start[v + 1]!; j++) {
          const s = g.up.list[j]!;
          const p = position[g.tail[s]!]!;
          if (p < low || p > high) conflict[s] = 1;
        }
      }
      low = high;
    }
  }
  return conflict;
}

interface Blocks {
  /** The block of each node, by the node it grew from, and how far right of that node it stands. */
  root: Int32Array;
  shift: Float64Array;
}

function align(g: Layered, { members, position }: Ordering, conflict: Uint8Array, down: boolean, leftwards: boolean): Blocks {
  const root = Int32Array.from({ length: g.count }, (_, v) => v);
  const shift = new Float64Array(g.count);
  const side: Csr = down ? g.up : g.down;
  const other = down ? g.tail : g.head;
  const [farX, nearX] = down ? [g.tailX, g.headX] : [g.headX, g.tailX];
  const farAt = down ? g.tailAt : g.headAt;
  const sorted: number[] = [];
  for (let i = 1; i < g.ranks; i++) {
    const r = down ? i : g.ranks - 1 - i;
    let limit = leftwards ? -1 : Number.POSITIVE_INFINITY;
    const [from, to] = [g.start[r]!, g.start[r + 1]!];
    for (let n = 0; n < to - from; n++) {
      const v = members[leftwards ? from + n : to - 1 - n]!;
      const first = side.start[v]!;
      const degree = side.start[v + 1]! - first;
      if (degree === 0) continue;
      sorted.length = 0;
      for (let j = 0; j < degree; j++) sorted.push(side.list[first + j]!);
      if (degree > 1) sorted.sort((s, t) => position[other[s]!]! + farAt[s]! - position[other[t]!]! - farAt[t]! || s - t);
      const [a, b] = [(degree - 1) >> 1, degree >> 1];
      for (const m of leftwards ? [a, b] : [b, a]) {
        const s = sorted[m]!;
        const u = other[s]!;
        if (root[v] !== v || conflict[s]) continue;
        const free = leftwards ? position[u]! > limit : position[u]! < limit;
        if (!free) continue;
        root[v] = root[u]!;
        shift[v] = shift[u]! + farX[s]! - nearX[s]!;
        limit = position[u]!;
      }
    }
  }
  return { root, shift };
}

/** Each block as far left as those before it allow, then as near to those after it as it can; the other way round when not `leftwards`. */
function pack(g: Layered, { members }: Ordering, { root, shift }: Blocks, leftwards: boolean, gap: Gap): Float64Array {
  const edges = g.count - g.ranks;
  const before = new Int32Array(Math.max(0, edges));
  const after = new Int32Array(Math.max(0, edges));
  const apart = new Float64Array(Math.max(0, edges));
  const waiting = new Int32Array(g.count);
  const start = new Int32Array(g.count + 1);
  let m = 0;
  for (let r = 0; r < g.ranks; r++) {
    for (let k = g.start[r]! + 1; k < g.start[r + 1]!; k++) {
      const u = members[k - 1]!;
      const v = members[k]!;
      before[m] = root[u]!;
      after[m] = root[v]!;
      apart[m] = shift[u]! + g.width[u]! + gap(u, v) - shift[v]!;
      start[root[u]! + 1]!++;
      waiting[root[v]!]!++;
      m++;
    }
  }
  for (let v = 0; v < g.count; v++) start[v + 1]! += start[v]!;
  const list = new Int32Array(m);
  const fill = start.slice();
  for (let e = 0; e < m; e++) list[fill[before[e]!]!++] = e;
  const ready: number[] = [];
  for (let v = 0; v < g.count; v++) if (root[v] === v && waiting[v] === 0) ready.push(v);
  for (let i = 0; i < ready.length; i++) {
    const v = ready[i]!;
    for (let k = start[v]!; k < start[v + 1]!; k++) if (--waiting[after[list[k]!]!]! === 0) ready.push(after[list[k]!]!);
  }
  const at = new Float64Array(g.count);
  const forth = (): void => {
    for (const v of ready) {
      for (let k = start[v]!; k < start[v + 1]!; k++) {
        const e = list[k]!;
        at[after[e]!] = Math.max(at[after[e]!]!, at[v]! + apart[e]!);
      }
    }
  };
  const back = (most: (v: number) => number): void => {
    for (let i = ready.length - 1; i >= 0; i--) {
      const v = ready[i]!;
      let least = most(v);
      for (let k = start[v]!; k < start[v + 1]!; k++) least = Math.min(least, at[after[list[k]!]!]! - apart[list[k]!]!);
      if (least !== Number.POSITIVE_INFINITY) at[v] = least;
    }
  };
  // Flush left, and what has room on its right moves there; or flush right, and what has room on its left moves back.
  forth();
  back(() => Number.POSITIVE_INFINITY);
  if (!leftwards) {
    let most = Number.NEGATIVE_INFINITY;
    for (const v of ready) most = Math.max(most, at[v]!);
    back(() => most);
    const flush = at.slice();
    const low = new Float64Array(g.count).fill(Number.NEGATIVE_INFINITY);
    for (const v of ready) {
      if (low[v] !== Number.NEGATIVE_INFINITY) flush[v] = low[v]!;
      for (let k = start[v]!; k < start[v + 1]!; k++) {
        const e = list[k]!;
        low[after[e]!] = Math.max(low[after[e]!]!, flush[v]! + apart[e]!);
      }
    }
    at.set(flush);
  }
  return Float64Array.from({ length: g.count }, (_, v) => at[root[v]!]! + shift[v]!);
}
