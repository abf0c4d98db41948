/**
 * The one-lane engine: ranks are given (rank.ts), the rest of the Sugiyama pipeline runs here. Results are remembered by content, so
 * bodies of the same structure are laid out once and a toggle lays out only what changed.
 */
import { makeLayered } from "./layered.ts";
import { orderRanks } from "./order.ts";
import { placeNodes } from "./place.ts";
import type { FlowGraph, FlowLayout, Spacing } from "./types.ts";

const SPACING: Spacing = { node: 18, pill: 12, wire: 10 };
const MEMO_LIMIT = 512;
/** Larger levels are rare and their keys long. */
const MEMO_NODES = 3000;
const memo = new Map<string, FlowLayout>();

export function layoutFlow(graph: FlowGraph, rank: Int32Array, ranks: number): FlowLayout {
  if (graph.nodes.length > MEMO_NODES) return compute(graph, rank, ranks);
  const key = contentKey(graph, rank);
  const known = memo.get(key);
  if (known) return known;
  const result = compute(graph, rank, ranks);
  if (memo.size >= MEMO_LIMIT) memo.delete(memo.keys().next().value ?? "");
  memo.set(key, result);
  return result;
}

function contentKey(graph: FlowGraph, rank: Int32Array): string {
  const nodes = graph.nodes.map((node) => `${node.w},${node.pin ?? ""},${node.ins.join(" ")},${node.outs.join(" ")}`);
  const edges = graph.edges.map((edge) => `${edge.source} ${edge.sourcePort} ${edge.target} ${edge.targetPort}`);
  return `${graph.inOrder ? "=" : ""}${nodes.join(";")}|${edges.join(";")}|${rank.join(" ")}`;
}

function compute(graph: FlowGraph, rank: Int32Array, ranks: number): FlowLayout {
  const g = makeLayered(graph, rank, ranks);
  const fixed: boolean[] = new Array(ranks).fill(graph.inOrder === true);
  graph.nodes.forEach((node, v) => {
    if (node.pin) fixed[rank[v]!] = true;
  });
  const order = orderRanks(g, fixed);
  const x = placeNodes(g, order, SPACING);
  let width = 0;
  for (let v = 0; v < g.count; v++) width = Math.max(width, x[v]! + g.width[v]!);
  const bends = graph.edges.map((_, e) => {
    const first = g.chain[e]!;
    return first < 0 ? [] : Array.from(x.subarray(first, first + g.chainLength[e]!));
  });
  return { x: x.slice(0, g.real), rank, ranks, width, bends, crossings: order.crossings, dummies: g.count - g.real };
}
