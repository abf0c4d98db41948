/**
 * Twins stand at the same height, so their order has to be the same in both lanes: the lanes are read as one graph, the backward lane
 * against its flow and each pair as one node. The pairs that then come equally late make up one step; a step has a rank of its own in
 * either lane.
 */
import type { Pair } from "../graph/level.ts";

interface Edge {
  source: number;
  target: number;
}

export interface Steps {
  /** Per step, the forward ends in the order of the forward lane, and the backward ends in that of the backward lane. */
  forward: number[][];
  backward: number[][];
}

const NONE: Steps = { forward: [], backward: [] };

/** `count` nodes in all; the edges are those within each lane. No steps where the pairs contradict each other. */
export function stepsOf(count: number, pairs: readonly Pair[], forward: readonly Edge[], backward: readonly Edge[]): Steps {
  if (pairs.length < 2) return NONE;
  const merged = Int32Array.from({ length: count }, (_, v) => v);
  const taken = new Set<number>();
  const used: Pair[] = [];
  for (const pair of pairs) {
    // A recomputed forward pass makes one a twin of two; it is at the height of the first.
    if (taken.has(pair.forward) || taken.has(pair.backward)) continue;
    taken.add(pair.forward).add(pair.backward);
    merged[pair.backward] = pair.forward;
    used.push(pair);
  }
  const after: number[][] = Array.from({ length: count }, () => []);
  const waiting = new Int32Array(count);
  const link = (from: number, to: number): void => {
    after[merged[from]!]!.push(merged[to]!);
    waiting[merged[to]!]!++;
  };
  for (const { source, target } of forward) link(source, target);
  for (const { source, target } of backward) link(target, source);
  const pairAt = new Set(used.map((pair) => pair.forward));
  const step = new Int32Array(count);
  const ready: number[] = [];
  for (let v = 0; v < count; v++) if (waiting[v] === 0) ready.push(v);
  let done = 0;
  for (; done < ready.length; done++) {
    const v = ready[done]!;
    const next = step[v]! + (pairAt.has(v) ? 1 : 0);
    for (const w of after[v]!) {
      step[w] = Math.max(step[w]!, next);
      if (--waiting[w]! === 0) ready.push(w);
    }
  }
  if (done < count) return NONE;
  const groups: Pair[][] = [];
  for (const pair of used) {
    const k = step[pair.forward]!;
    groups[k] ??= [];
    groups[k].push(pair);
  }
  return {
    forward: groups.map((group) => group.map((pair) => pair.forward)),
    backward: groups.map((group) => group.map((pair) => pair.backward)).reverse(),
  };
}
