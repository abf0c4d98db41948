/**
 * Places along the flow. A stack of rows gets its tops; two stacks can be aligned at anchors, so that a forward and a backward scan
 * stand at the same height. The rows between two anchors share the longer of the two lengths, the slack going evenly into the gaps.
 */

export interface Stack {
  /** Height of each row. */
  heights: readonly number[];
  /** Space after each row but the last. */
  gaps: readonly number[];
  /** Space before the first and after the last row. */
  before: number;
  after: number;
}

export interface Placed {
  top: Float64Array;
  height: number;
}

export function naturalHeight(stack: Stack): number {
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
  return stack.before + sum(stack.heights) + sum(stack.gaps.slice(0, Math.max(0, stack.heights.length - 1))) + stack.after;
}

/** `height` is at least the natural one; what it exceeds is spread over the gaps. */
export function placeStack(stack: Stack, height = naturalHeight(stack)): Placed {
  const n = stack.heights.length;
  const top = new Float64Array(n);
  const slack = Math.max(0, height - naturalHeight(stack)) / Math.max(1, n - 1);
  let at = stack.before;
  for (let r = 0; r < n; r++) {
    top[r] = at;
    at += stack.heights[r]! + (r + 1 < n ? stack.gaps[r]! + slack : 0);
  }
  return { top, height: Math.max(height, at + stack.after) };
}

export type Anchor = readonly [number, number];

/** The longest list of anchors that rises on both sides. */
export function risingAnchors(anchors: readonly Anchor[]): Anchor[] {
  const sorted = [...anchors].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const best: Anchor[][] = [];
  let longest: Anchor[] = [];
  sorted.forEach((anchor, i) => {
    let prior: Anchor[] = [];
    for (let j = 0; j < i; j++) {
      const last = sorted[j]!;
      if (last[0] < anchor[0] && last[1] < anchor[1] && best[j]!.length > prior.length) prior = best[j]!;
    }
    best.push([...prior, anchor]);
    if (best[i]!.length > longest.length) longest = best[i]!;
  });
  return longest;
}

/**
 * Both stacks, with the rows of every anchor at the same top and of the same height. `tight` keeps what comes after the last anchor
 * close to it instead of spreading it.
 */
export function placeAligned(a: Stack, b: Stack, anchors: readonly Anchor[], height = 0, tight = false): [Placed, Placed] {
  const rising = risingAnchors(anchors);
  const stops: Anchor[] = [...rising, [a.heights.length, b.heights.length]];
  const lengths: number[] = [];
  let from: Anchor = [-1, -1];
  for (const stop of stops) {
    lengths.push(Math.max(segment(a, from[0], stop[0]), segment(b, from[1], stop[1])));
    from = stop;
  }
  const anchored = rising.map(([i, j]) => Math.max(a.heights[i]!, b.heights[j]!));
  const natural = lengths.reduce((x, y) => x + y, 0) + anchored.reduce((x, y) => x + y, 0);
  const extra = Math.max(0, height - natural) / stops.length;
  const total = Math.max(height, natural);
  return [spread(a, 0), spread(b, 1)];

  function spread(stack: Stack, side: 0 | 1): Placed {
    const top = new Float64Array(stack.heights.length);
    let start = 0;
    let previous = -1;
    stops.forEach((stop, k) => {
      const until = stop[side];
      const length = lengths[k]! + extra;
      const inner = until - previous - 1;
      const last = k === stops.length - 1;
      // The pads at the very ends do not stretch, all gaps do.
      const gaps = inner + 1 - (previous < 0 ? 1 : 0) - (last ? 1 : 0);
      const free = length - segment(stack, previous, until);
      const share = gaps > 0 && !(last && tight) ? free / gaps : 0;
      let at = start + (previous < 0 ? stack.before : (stack.gaps[previous] ?? 0) + share);
      if (previous >= 0 && previous === stack.heights.length - 1) at = start;
      for (let r = previous + 1; r < until; r++) {
        top[r] = at;
        at += stack.heights[r]! + (r + 1 < stack.heights.length ? stack.gaps[r]! + share : 0);
      }
      start += length;
      if (!last) {
        top[until] = start;
        start += anchored[k]!;
      }
      previous = until;
    });
    return { top, height: total };
  }
}

/** From the end of row `from` (-1: the start) to the top of row `to` (the number of rows: the end). */
function segment(stack: Stack, from: number, to: number): number {
  const n = stack.heights.length;
  let length = from < 0 ? stack.before : from === n - 1 ? 0 : stack.gaps[from]!;
  if (n === 0) return stack.before + stack.after;
  for (let r = from + 1; r < to; r++) length += stack.heights[r]! + (r + 1 < n ? stack.gaps[r]! : 0);
  if (to >= n) length += stack.after;
  return length;
}
