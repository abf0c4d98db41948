/**
 * Ranks: longest path over the given topological order, then values are made as late as their consumers allow where that shortens
 * the trunks (a hyperedge-aware form of the "promotion" in Nikolov & Tarassov, Graph layering by promotion of nodes, 2006).
 */
import { type Columns, columnsOf } from "./columns.ts";
import type { Csr, FlowGraph } from "./types.ts";

/**
 * Ranks from 0; every edge goes from a lower to a higher rank. The nodes of each of `steps` share one rank, and the steps follow one
 * another; no path may lead against that.
 */
export function rankNodes(graph: FlowGraph, steps: readonly (readonly number[])[] = []): { rank: Int32Array; ranks: number } {
  const n = graph.nodes.length;
  const rank = new Int32Array(n);
  const hasFirst = graph.nodes.some((node) => node.pin === "first");
  for (let v = 0; v < n; v++) rank[v] = hasFirst && graph.nodes[v]!.pin !== "first" ? 1 : 0;
  const columns = columnsOf(graph.edges);
  const { start: outStart, list: outEdges } = byEnd(n, columns.source);
  const ins = byEnd(n, columns.target);
  const { target } = columns;
  const settle = (): void => {
    for (let v = 0; v < n; v++) {
      for (let k = outStart[v]!; k < outStart[v + 1]!; k++) {
        const t = target[outEdges[k]!]!;
        if (rank[t]! <= rank[v]!) rank[t] = rank[v]! + 1;
      }
    }
  };
  settle();
  let before = -1;
  for (const step of steps) {
    const own = Math.max(before + 1, ...step.map((v) => rank[v]!));
    const moved = step.some((v) => rank[v]! < own);
    for (const v of step) rank[v] = own;
    if (moved) settle();
    before = own;
  }
  const still = new Uint8Array(n);
  for (const step of steps) for (const v of step) still[v] = 1;
  for (let pass = 0; pass < 2; pass++) pullDown(graph, columns, rank, { start: outStart, list: outEdges }, ins, still);
  gatherBodies(graph, columns, rank, { start: outStart, list: outEdges }, ins, still);
  let deepest = 0;
  for (let v = 0; v < n; v++) if (graph.nodes[v]!.pin !== "last") deepest = Math.max(deepest, rank[v]!);
  const hasLast = graph.nodes.some((node) => node.pin === "last");
  for (let v = 0; v < n; v++) if (graph.nodes[v]!.pin === "last") rank[v] = deepest + 1;
  return { rank, ranks: n === 0 ? 0 : deepest + (hasLast ? 2 : 1) };
}

function byEnd(n: number, end: Int32Array): Csr {
  const start = new Int32Array(n + 1);
  for (let e = 0; e < end.length; e++) start[end[e]! + 1]!++;
  for (let v = 0; v < n; v++) start[v + 1]! += start[v]!;
  const fill = start.slice();
  const list = new Int32Array(end.length);
  for (let e = 0; e < end.length; e++) list[fill[end[e]!]!++] = e;
  return { start, list };
}

/** Moves nodes towards their nearest consumer when the trunks above them do not grow by more than those below shrink. */
function pullDown(
  graph: FlowGraph,
  { source, sourcePort, target }: Columns,
  rank: Int32Array,
  outs: Csr,
  ins: Csr,
  still: Uint8Array,
): void {
  const { start: outStart, list: outEdges } = outs;
  const { start: inStart, list: inEdges } = ins;
  const n = graph.nodes.length;
  const base = new Int32Array(n + 1);
  for (let v = 0; v < n; v++) base[v + 1] = base[v]! + Math.max(1, graph.nodes[v]!.outs.length);
  // Farthest and second farthest consumer rank of each trunk, and whose the farthest is.
  const far = new Int32Array(base[n]!).fill(-1);
  const second = new Int32Array(base[n]!).fill(-1);
  const who = new Int32Array(base[n]!).fill(-1);
  for (let e = 0; e < target.length; e++) {
    const p = base[source[e]!]! + sourcePort[e]!;
    const t = target[e]!;
    const r = rank[t]!;
    if (who[p] === t) continue;
    if (r > far[p]!) {
      second[p] = far[p]!;
      far[p] = r;
      who[p] = t;
    } else if (r > second[p]!) second[p] = r;
  }
  for (let v = n - 1; v >= 0; v--) {
    if (outStart[v] === outStart[v + 1] || graph.nodes[v]!.pin || still[v]) continue;
    let nearest = 1 << 30;
    for (let k = outStart[v]!; k < outStart[v + 1]!; k++) nearest = Math.min(nearest, rank[target[outEdges[k]!]!]!);
    const goal = nearest - 1;
    const from = rank[v]!;
    if (goal <= from) continue;
    let gain = 0;
    for (let p = base[v]!; p < base[v + 1]!; p++) if (far[p]! >= 0) gain += goal - from;
    let cost = 0;
    for (let k = inStart[v]!; k < inStart[v + 1]!; k++) {
      const e = inEdges[k]!;
      if (graph.nodes[source[e]!]!.pin && gain > 0) continue;
      const p = base[source[e]!]! + sourcePort[e]!;
      const others = who[p] === v ? second[p]! : far[p]!;
      cost += Math.max(0, goal - Math.max(others, from));
    }
    if (gain < cost) continue;
    rank[v] = goal;
    for (let k = inStart[v]!; k < inStart[v + 1]!; k++) {
      const e = inEdges[k]!;
      const p = base[source[e]!]! + sourcePort[e]!;
      if (who[p] === v) far[p] = goal;
      else if (goal > far[p]!) {
        second[p] = far[p]!;
        far[p] = goal;
        who[p] = v;
      } else if (goal > second[p]!) second[p] = goal;
    }
  }
}

/**
 * Open bodies are tall, and a row is as tall as the tallest in it: where its neighbours leave it the choice, one goes to a row that has
 * others. Open or closed plays no part, so that a toggle moves nothing to another row.
 */
function gatherBodies(graph: FlowGraph, { source, target }: Columns, rank: Int32Array, outs: Csr, ins: Csr, still: Uint8Array): void {
  const bodies = graph.nodes.flatMap((node, v) => (node.body && !node.pin ? [v] : []));
  if (bodies.length < 2) return;
  const { start: outStart, list: outEdges } = outs;
  const { start: inStart, list: inEdges } = ins;
  const count = new Map<number, number>();
  const add = (r: number, by: number): void => {
    count.set(r, (count.get(r) ?? 0) + by);
  };
  for (const v of bodies) add(rank[v]!, 1);
  for (const v of bodies) {
    const from = rank[v]!;
    if (still[v] || count.get(from)! > 1 || outStart[v] === outStart[v + 1]) continue;
    let low = 0;
    let high = 1 << 30;
    for (let k = inStart[v]!; k < inStart[v + 1]!; k++) low = Math.max(low, rank[source[inEdges[k]!]!]! + 1);
    for (let k = outStart[v]!; k < outStart[v + 1]!; k++) high = Math.min(high, rank[target[outEdges[k]!]!]! - 1);
    let best = from;
    for (const [r, others] of count) {
      if (r === from || others === 0 || r < low || r > high || inStart[v] === inStart[v + 1]) continue;
      if (best === from || Math.abs(r - from) < Math.abs(best - from)) best = r;
    }
    if (best === from) continue;
    add(from, -1);
    add(best, 1);
    rank[v] = best;
  }
}
