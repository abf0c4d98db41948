/**
 * Places across the flow: least squares with the order kept, rank by rank, by pooling adjacent violators (Barlow et al. 1972; the
 * priority method of Sugiyama et al. with an exact solution per rank), then dummy chains are pulled straight, so that long wires
 * are few straight runs as in Brandes & Koepf (GD 2001).
 */
import { brandesKoepf } from "./brandes.ts";
import type { Ordering } from "./order.ts";
import { relaxBlocks } from "./relax.ts";
import { snapStraight } from "./snap.ts";
import type { Layered, Spacing } from "./types.ts";

/** A wire between two dummies wants to be straight more than one at a node does. */
const STRAIGHT = [1, 2, 8];

/** A straight wire is worth a little closeness. */
const SNAP_GAP = 0.6;
/** Beyond this nobody sees single wires, and blocks would cost too much. */
const SNAP_LIMIT = 20_000;
/** Over more ranks than this the little by which ports stand aside adds up: then nothing may drift out of the widest rank's span. */
const LONG = 40;
const LEAST_SPAN = 200;

/** Up to this size both placements are made and the better one is taken. */
const BOTH = 3000;
/** How many pixels of wire a bend is worth. */
const BEND = 12;
const relaxations = (count: number): number => (count < 1000 ? 8 : 4);

export function placeNodes(g: Layered, order: Ordering, spacing: Spacing): Float64Array {
  const apart = (left: number, right: number): number => gap(g, left, right, spacing);
  const near = (left: number, right: number): number => SNAP_GAP * apart(left, right);
  const polished = (x: Float64Array, span: number): Float64Array => {
    if (g.count >= SNAP_LIMIT) return x;
    snapStraight(g, order, x, near, span);
    relaxBlocks(g, order, x, near, (s) => weightOf(g, s), relaxations(g.count));
    return x;
  };
  const squares = leastSquares(g, order, spacing);
  let best = polished(squares.x, squares.span);
  // Blocks as long as a program would lean with it.
  if (g.count < BOTH && g.ranks <= LONG) {
    const blocks = polished(brandesKoepf(g, order, apart), squares.span);
    if (costOf(g, blocks) < costOf(g, best)) best = blocks;
  }
  gatherLoose(g, order, best, apart);
  let least = Number.POSITIVE_INFINITY;
  for (let v = 0; v < g.count; v++) least = Math.min(least, best[v]!);
  for (let v = 0; v < g.count; v++) best[v]! -= least;
  return best;
}

/**
 * What has no wires says nothing of where it belongs: before or after all of its rank that has some it stands beside it, and a rank without any
 * is under the middle of the others.
 */
function gatherLoose(g: Layered, { members }: Ordering, x: Float64Array, apart: (left: number, right: number) => number): void {
  const wired = (v: number): boolean => g.up.start[v] !== g.up.start[v + 1] || g.down.start[v] !== g.down.start[v + 1];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let v = 0; v < g.count; v++) {
    if (!wired(v)) continue;
    low = Math.min(low, x[v]!);
    high = Math.max(high, x[v]! + g.width[v]!);
  }
  if (low > high) return;
  for (let r = 0; r < g.ranks; r++) {
    const [from, until] = [g.start[r]!, g.start[r + 1]!];
    let first = from;
    while (first < until && !wired(members[first]!)) first++;
    let last = until - 1;
    while (last > first && !wired(members[last]!)) last--;
    if (first === until) {
      const by = until > from ? (low + high - x[members[from]!]! - x[members[last]!]! - g.width[members[last]!]!) / 2 : 0;
      for (let k = from; k < until; k++) x[members[k]!]! += by;
      continue;
    }
    for (let k = first - 1; k >= from; k--) {
      const [v, right] = [members[k]!, members[k + 1]!];
      x[v] = x[right]! - apart(v, right) - g.width[v]!;
    }
    for (let k = last + 1; k < until; k++) {
      const [left, v] = [members[k - 1]!, members[k]!];
      x[v] = x[left]! + g.width[left]! + apart(left, v);
    }
  }
}

function weightOf(g: Layered, s: number): number {
  return STRAIGHT[(g.tail[s]! >= g.real ? 1 : 0) + (g.head[s]! >= g.real ? 1 : 0)]!;
}

/** Sideways wire, bends, and width. */
function costOf(g: Layered, x: Float64Array): number {
  let cost = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let s = 0; s < g.head.length; s++) {
    const lean = Math.abs(x[g.tail[s]!]! + g.tailX[s]! - x[g.head[s]!]! - g.headX[s]!);
    if (lean >= 0.5) cost += lean + BEND;
  }
  for (let v = 0; v < g.count; v++) {
    low = Math.min(low, x[v]!);
    high = Math.max(high, x[v]! + g.width[v]!);
  }
  return cost + (high - low);
}

/** Every rank by itself, its order kept, again and again; and no wider than `span` where that is known. */
function leastSquares(g: Layered, order: Ordering, spacing: Spacing): { x: Float64Array; span: number } {
  const { members } = order;
  const x = new Float64Array(g.count);
  let span = g.ranks > LONG ? LEAST_SPAN : Number.POSITIVE_INFINITY;
  for (let r = 0; r < g.ranks; r++) {
    let at = 0;
    for (let k = g.start[r]!; k < g.start[r + 1]!; k++) {
      const v = members[k]!;
      if (k > g.start[r]!) at += gap(g, members[k - 1]!, v, spacing);
      x[v] = at;
      at += g.width[v]!;
    }
    for (let k = g.start[r]!; k < g.start[r + 1]!; k++) x[members[k]!]! -= at / 2;
    span = Math.max(span, at);
  }
  const sweeps = g.count < 3000 ? 20 : g.count < 30000 ? 10 : 6;
  const scratch = makeScratch(g);
  for (let s = 0; s < sweeps; s++) {
    const both = s >= sweeps - 6;
    if (s % 2 === 0) for (let r = 0; r < g.ranks; r++) pool(g, members, x, r, spacing, both || r === 0 ? "both" : "up", scratch, span / 2);
    else for (let r = g.ranks - 1; r >= 0; r--) pool(g, members, x, r, spacing, both ? "both" : "down", scratch, span / 2);
  }
  straighten(g, order, x, spacing);
  return { x, span };
}

function gap(g: Layered, left: number, right: number, spacing: Spacing): number {
  if (left >= g.real && right >= g.real) return spacing.wire;
  return g.pinned[left] === 1 && g.pinned[right] === 1 ? spacing.pill : spacing.node;
}

interface Scratch {
  offset: Float64Array;
  mean: Float64Array;
  weight: Float64Array;
  first: Int32Array;
}

function makeScratch(g: Layered): Scratch {
  let widest = 0;
  for (let r = 0; r < g.ranks; r++) widest = Math.max(widest, g.start[r + 1]! - g.start[r]!);
  const array = (): Float64Array => new Float64Array(widest + 1);
  return { offset: array(), mean: array(), weight: array(), first: new Int32Array(widest + 1) };
}

/** The least-squares places of one rank, its order kept: wishes are isotonic after the packed offsets are taken off. */
function pool(
  g: Layered,
  members: Int32Array,
  x: Float64Array,
  r: number,
  spacing: Spacing,
  look: "up" | "down" | "both",
  { offset, mean, weight, first }: Scratch,
  reach: number,
): void {
  const from = g.start[r]!;
  const size = g.start[r + 1]! - from;
  let packed = 0;
  let blocks = 0;
  for (let i = 0; i < size; i++) {
    const v = members[from + i]!;
    if (i > 0) packed += gap(g, members[from + i - 1]!, v, spacing);
    offset[i] = packed;
    packed += g.width[v]!;
    let sum = 0;
    let total = 0;
    const virtual = v >= g.real ? 1 : 0;
    if (look !== "down") {
      for (let j = g.up.start[v]!; j < g.up.start[v + 1]!; j++) {
        const s = g.up.list[j]!;
        const w = STRAIGHT[virtual + (g.tail[s]! >= g.real ? 1 : 0)]!;
        sum += w * (x[g.tail[s]!]! + g.tailX[s]! - g.headX[s]!);
        total += w;
      }
    }
    if (look !== "up") {
      for (let j = g.down.start[v]!; j < g.down.start[v + 1]!; j++) {
        const s = g.down.list[j]!;
        const w = STRAIGHT[virtual + (g.head[s]! >= g.real ? 1 : 0)]!;
        sum += w * (x[g.head[s]!]! + g.headX[s]! - g.tailX[s]!);
        total += w;
      }
    }
    const half = g.width[v]! / 2;
    const wish = Math.min(Math.max(total > 0 ? sum / total : x[v]!, -reach - half), reach - half);
    let m = wish - packed + g.width[v]!;
    let w = total > 0 ? total : 0.01;
    let start = i;
    while (blocks > 0 && mean[blocks - 1]! > m) {
      blocks--;
      m = (m * w + mean[blocks]! * weight[blocks]!) / (w + weight[blocks]!);
      w += weight[blocks]!;
      start = first[blocks]!;
    }
    mean[blocks] = m;
    weight[blocks] = w;
    first[blocks++] = start;
  }
  for (let b = 0; b < blocks; b++) {
    const end = b + 1 < blocks ? first[b + 1]! : size;
    for (let i = first[b]!; i < end; i++) x[members[from + i]!] = mean[b]! + offset[i]!;
  }
}

/** Every chain becomes as few straight runs as its neighbours leave room for. */
function straighten(g: Layered, { members, position }: Ordering, x: Float64Array, spacing: Spacing): void {
  const room = (v: number): [number, number] => {
    const r = g.rank[v]!;
    const k = g.start[r]! + position[v]!;
    const left = k > g.start[r]! ? members[k - 1]! : -1;
    const right = k + 1 < g.start[r + 1]! ? members[k + 1]! : -1;
    return [
      left < 0 ? Number.NEGATIVE_INFINITY : x[left]! + g.width[left]! + gap(g, left, v, spacing),
      right < 0 ? Number.POSITIVE_INFINITY : x[right]! - g.width[v]! - gap(g, v, right, spacing),
    ];
  };
  for (let pass = 0; pass < 2; pass++) {
    for (let chain = g.real; chain < g.count; ) {
      let end = chain + 1;
      while (end < g.count && g.rank[end] === g.rank[end - 1]! + 1 && g.tail[g.up.list[g.up.start[end]!]!] === end - 1) end++;
      for (let i = chain; i < end; ) {
        let low = Number.NEGATIVE_INFINITY;
        let high = Number.POSITIVE_INFINITY;
        let j = i;
        for (; j < end; j++) {
          const [a, b] = room(j);
          if (Math.max(low, a) > Math.min(high, b)) break;
          low = Math.max(low, a);
          high = Math.min(high, b);
        }
        if (j === i) {
          i++;
          continue;
        }
        const above = g.up.list[g.up.start[i]!]!;
        let wish = i === chain ? x[g.tail[above]!]! + g.tailX[above]! : x[i - 1]!;
        const below = g.down.list[g.down.start[end - 1]!];
        if (j === end && i !== chain && below !== undefined) wish = x[g.head[below]!]! + g.headX[below]!;
        const at = Math.min(Math.max(wish, low), high);
        for (; i < j; i++) x[i] = at;
      }
      chain = end;
    }
  }
}
