/**
 * Ranks: longest path over the given topological order, then values are made as late as their consumers allow where that shortens
 * the trunks (a hyperedge-aware form of the "promotion" in Nikolov & Tarassov, Graph layering by promotion of nodes, 2006).
 */
import type { FlowGraph } from "./types.ts";

/**
 * Ranks from 0; every edge goes from a lower to a higher rank. The nodes of each of `steps` share one rank, and the steps follow one
 * another; no path may lead against that.
 */
export function rankNodes(graph: FlowGraph, steps: readonly (readonly number[])[] = []): { rank: Int32Array; ranks: number } {
  const n = graph.nodes.length;
  const rank = new Int32Array(n);
  const hasFirst = graph.nodes.some((node) => node.pin === "first");
  for (let v = 0; v < n; v++) rank[v] = hasFirst && graph.nodes[v]!.pin !== "first" ? 1 : 0;
  const { outStart, outEdges } = byEnd(graph, "source");
  const settle = (): void => {
    for (let v = 0; v < n; v++) {
      for (let k = outStart[v]!; k < outStart[v + 1]!; k++) {
        const t = graph.edges[outEdges[k]!]!.target;
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
  for (let pass = 0; pass < 2; pass++) pullDown(graph, rank, outStart, outEdges, still);
  gatherBodies(graph, rank, outStart, outEdges, still);
  let deepest = 0;
  for (let v = 0; v < n; v++) if (graph.nodes[v]!.pin !== "last") deepest = Math.max(deepest, rank[v]!);
  const hasLast = graph.nodes.some((node) => node.pin === "last");
  for (let v = 0; v < n; v++) if (graph.nodes[v]!.pin === "last") rank[v] = deepest + 1;
  return { rank, ranks: n === 0 ? 0 : deepest + (hasLast ? 2 : 1) };
}

function byEnd(graph: FlowGraph, end: "source" | "target"): { outStart: Int32Array; outEdges: Int32Array } {
  const outStart = new Int32Array(graph.nodes.length + 1);
  for (const edge of graph.edges) outStart[edge[end] + 1]!++;
  for (let v = 0; v < graph.nodes.length; v++) outStart[v + 1]! += outStart[v]!;
  const fill = outStart.slice();
  const outEdges = new Int32Array(graph.edges.length);
  graph.edges.forEach((edge, e) => {
    outEdges[fill[edge[end]]!++] = e;
  });
  return { outStart, outEdges };
}

/** Moves nodes towards their nearest consumer when the trunks above them do not grow by more than those below shrink. */
function pullDown(graph: FlowGraph, rank: Int32Array, outStart: Int32Array, outEdges: Int32Array, still: Uint8Array): void {
  const { outStart: inStart, outEdges: inEdges } = byEnd(graph, "target");
  const n = graph.nodes.length;
  const base = new Int32Array(n + 1);
  for (let v = 0; v < n; v++) base[v + 1] = base[v]! + Math.max(1, graph.nodes[v]!.outs.length);
  // Farthest and second farthest consumer rank of each trunk, and whose the farthest is.
  const far = new Int32Array(base[n]!).fill(-1);
  const second = new Int32Array(base[n]!).fill(-1);
  const who = new Int32Array(base[n]!).fill(-1);
  for (const edge of graph.edges) {
    const p = base[edge.source]! + edge.sourcePort;
    const r = rank[edge.target]!;
    if (who[p] === edge.target) continue;
    if (r > far[p]!) {
      second[p] = far[p]!;
      far[p] = r;
      who[p] = edge.target;
    } else if (r > second[p]!) second[p] = r;
  }
  for (let v = n - 1; v >= 0; v--) {
    if (outStart[v] === outStart[v + 1] || graph.nodes[v]!.pin || still[v]) continue;
    let nearest = 1 << 30;
    for (let k = outStart[v]!; k < outStart[v + 1]!; k++) nearest = Math.min(nearest, rank[graph.edges[outEdges[k]!]!.target]!);
    const goal = nearest - 1;
    const from = rank[v]!;
    if (goal <= from) continue;
    let gain = 0;
    for (let p = base[v]!; p < base[v + 1]!; p++) if (far[p]! >= 0) gain += goal - from;
    let cost = 0;
    for (let k = inStart[v]!; k < inStart[v + 1]!; k++) {
      const edge = graph.edges[inEdges[k]!]!;
      if (graph.nodes[edge.source]!.pin && gain > 0) continue;
      const p = base[edge.source]! + edge.sourcePort;
      const others = who[p] === v ? second[p]! : far[p]!;
      cost += Math.max(0, goal - Math.max(others, from));
    }
    if (gain < cost) continue;
    rank[v] = goal;
    for (let k = inStart[v]!; k < inStart[v + 1]!; k++) {
      const edge = graph.edges[inEdges[k]!]!;
      const p = base[edge.source]! + edge.sourcePort;
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
function gatherBodies(graph: FlowGraph, rank: Int32Array, outStart: Int32Array, outEdges: Int32Array, still: Uint8Array): void {
  const bodies = graph.nodes.flatMap((node, v) => (node.body && !node.pin ? [v] : []));
  if (bodies.length < 2) return;
  const { outStart: inStart, outEdges: inEdges } = byEnd(graph, "target");
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
    for (let k = inStart[v]!; k < inStart[v + 1]!; k++) low = Math.max(low, rank[graph.edges[inEdges[k]!]!.source]! + 1);
    for (let k = outStart[v]!; k < outStart[v + 1]!; k++) high = Math.min(high, rank[graph.edges[outEdges[k]!]!.target]! - 1);
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
