/**
 * From ranked nodes to the proper layered graph: edges over several ranks become chains of dummies, one shared trunk per value
 * (hyperedges, as in Sander, Layout of directed hypergraphs with orthogonal hyperedges, GD 2003), so that the number of dummies
 * stays near-linear.
 */
import type { Csr, FlowGraph, Layered } from "./types.ts";

const DUMMY_WIDTH = 2;

export function makeLayered(graph: FlowGraph, nodeRank: Int32Array, ranks: number): Layered {
  const n = graph.nodes.length;
  const m = graph.edges.length;
  const chain = new Int32Array(m).fill(-1);
  const chainLength = new Int32Array(m);
  const tail: number[] = [];
  const head: number[] = [];
  const tailX: number[] = [];
  const headX: number[] = [];
  const dummyRank: number[] = [];
  const segment = (t: number, tx: number, h: number, hx: number): void => {
    tail.push(t);
    tailX.push(tx);
    head.push(h);
    headX.push(hx);
  };
  for (const [node, port, group] of trunks(graph)) {
    const from = nodeRank[node]!;
    let longest = 0;
    for (const e of group) longest = Math.max(longest, nodeRank[graph.edges[e]!.target]! - from);
    const first = n + dummyRank.length;
    const outX = graph.nodes[node]!.outs[port] ?? 0;
    for (let d = 1; d < longest; d++) {
      dummyRank.push(from + d);
      if (d === 1) segment(node, outX, first, 0);
      else segment(first + d - 2, 0, first + d - 1, 0);
    }
    for (const e of group) {
      const edge = graph.edges[e]!;
      const span = nodeRank[edge.target]! - from;
      const inX = graph.nodes[edge.target]!.ins[edge.targetPort] ?? 0;
      if (span === 1) segment(node, outX, edge.target, inX);
      else {
        segment(first + span - 2, 0, edge.target, inX);
        chain[e] = first;
        chainLength[e] = span - 1;
      }
    }
  }
  const count = n + dummyRank.length;
  const rank = new Int32Array(count);
  rank.set(nodeRank);
  rank.set(dummyRank, n);
  const width = new Float64Array(count).fill(DUMMY_WIDTH);
  for (let v = 0; v < n; v++) width[v] = graph.nodes[v]!.w;
  const pinned = new Uint8Array(count);
  for (let v = 0; v < n; v++) pinned[v] = graph.nodes[v]!.pin ? 1 : 0;
  const start = new Int32Array(ranks + 1);
  for (let v = 0; v < count; v++) start[rank[v]! + 1]!++;
  for (let r = 0; r < ranks; r++) start[r + 1]! += start[r]!;
  return {
    real: n,
    count,
    rank,
    ranks,
    width,
    pinned,
    tail: Int32Array.from(tail),
    head: Int32Array.from(head),
    tailX: Float64Array.from(tailX),
    headX: Float64Array.from(headX),
    down: csr(count, tail, tailX),
    up: csr(count, head, headX),
    chain,
    chainLength,
    start,
  };
}

/** Edges grouped by (source, source port), in the order of the sources. */
function* trunks(graph: FlowGraph): Generator<[number, number, number[]]> {
  const n = graph.nodes.length;
  const base = new Int32Array(n + 1);
  for (let v = 0; v < n; v++) base[v + 1] = base[v]! + Math.max(1, graph.nodes[v]!.outs.length);
  const groups: (number[] | undefined)[] = new Array(base[n]!);
  graph.edges.forEach((edge, e) => {
    const p = base[edge.source]! + edge.sourcePort;
    const group = groups[p];
    if (group) group.push(e);
    else groups[p] = [e];
  });
  for (let v = 0; v < n; v++) {
    for (let p = base[v]!; p < base[v + 1]!; p++) {
      const group = groups[p];
      if (group) yield [v, p - base[v]!, group];
    }
  }
}

/** Segments by end, in port order. */
function csr(count: number, key: number[], offset: number[]): Csr {
  const start = new Int32Array(count + 1);
  for (const v of key) start[v + 1]!++;
  for (let v = 0; v < count; v++) start[v + 1]! += start[v]!;
  const list = new Int32Array(key.length);
  const fill = start.slice();
  for (let i = 0; i < key.length; i++) list[fill[key[i]!]!++] = i;
  for (let v = 0; v < count; v++) {
    const a = start[v]!;
    const b = start[v + 1]!;
    if (b - a > 1) list.subarray(a, b).sort((i, j) => offset[i]! - offset[j]! || i - j);
  }
  return { start, list };
}
