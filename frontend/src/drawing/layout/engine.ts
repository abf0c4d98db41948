/**
 * The one-lane engine: ranks are given (rank.ts), the rest of the Sugiyama pipeline runs here. Results are remembered by content, so
 * bodies of the same structure are laid out once and a toggle lays out only what changed; orders are remembered by structure alone.
 */
import { makeLayered } from "./layered.ts";
import { type Ordering, orderRanks } from "./order.ts";
import { placeNodes } from "./place.ts";
import type { FlowGraph, FlowLayout, Layered, Spacing } from "./types.ts";

const SPACING: Spacing = { node: 18, pill: 12, wire: 10 };
/** Across a flow to the right, where boxes are lower than they are wide otherwise. */
export const SPACING_DOWN: Spacing = { node: 16, pill: 12, wire: 9 };
const MEMO_LIMIT = 512;
/** Larger levels are rare and their keys long. */
const MEMO_NODES = 3000;
const memo = new Map<string, FlowLayout>();
const orders = new Map<string, Ordering>();

export function layoutFlow(graph: FlowGraph, rank: Int32Array, ranks: number, spacing: Spacing = SPACING): FlowLayout {
  if (graph.nodes.length > MEMO_NODES) return compute(graph, rank, ranks, spacing);
  const key = `${spacing.node}${contentKey(graph, rank)}`;
  const known = memo.get(key);
  if (known) return known;
  const result = compute(graph, rank, ranks, spacing);
  if (memo.size >= MEMO_LIMIT) memo.delete(memo.keys().next().value ?? "");
  memo.set(key, result);
  return result;
}

function contentKey(graph: FlowGraph, rank: Int32Array): string {
  const nodes = graph.nodes.map((node) => `${node.w},${node.pin ?? ""},${node.ins.join(" ")},${node.outs.join(" ")}`);
  const edges = graph.edges.map((edge) => `${edge.source} ${edge.sourcePort} ${edge.target} ${edge.targetPort}`);
  return `${graph.inOrder ? "=" : ""}${nodes.join(";")}|${edges.join(";")}|${rank.join(" ")}`;
}

/** Sizes play no part in an order: what was found for a body that was closed still holds when it is open. */
function orderOf(graph: FlowGraph, g: Layered, fixed: readonly boolean[]): Ordering {
  const kept = graph.inOrder === true;
  if (graph.nodes.length > MEMO_NODES) return orderRanks(g, fixed, kept);
  const key = structureKey(graph, g.rank);
  let order = orders.get(key);
  if (!order) {
    if (orders.size >= MEMO_LIMIT) orders.delete(orders.keys().next().value ?? "");
    order = orderRanks(g, fixed, kept);
    orders.set(key, order);
  }
  return order;
}

function structureKey(graph: FlowGraph, rank: Int32Array): string {
  const nodes = graph.nodes.map((node) => `${node.pin ?? ""},${sequence(node.ins)},${sequence(node.outs)}`);
  const edges = graph.edges.map((edge) => `${edge.source} ${edge.sourcePort} ${edge.target} ${edge.targetPort}`);
  return `${graph.inOrder ? "=" : ""}${nodes.join(";")}|${edges.join(";")}|${rank.subarray(0, graph.nodes.length).join(" ")}`;
}

/** How many ports there are, and in which order they stand where that is not theirs. */
function sequence(ports: readonly number[]): string {
  for (let i = 1; i < ports.length; i++) {
    if (ports[i]! > ports[i - 1]!) continue;
    const sorted = ports.map((_, p) => p).sort((p, q) => ports[p]! - ports[q]! || p - q);
    return `${ports.length}:${sorted.join(" ")}`;
  }
  return `${ports.length}`;
}

/** Most wires lead to a neighbour. */
const STRAIGHT: readonly number[] = [];

function compute(graph: FlowGraph, rank: Int32Array, ranks: number, spacing: Spacing): FlowLayout {
  const g = makeLayered(graph, rank, ranks);
  const fixed: boolean[] = new Array(ranks).fill(false);
  graph.nodes.forEach((node, v) => {
    if (node.pin) fixed[rank[v]!] = true;
  });
  const order = orderOf(graph, g, fixed);
  const x = placeNodes(g, order, spacing);
  let width = 0;
  for (let v = 0; v < g.count; v++) width = Math.max(width, x[v]! + g.width[v]!);
  const bends = graph.edges.map((_, e) => {
    const first = g.chain[e]!;
    if (first < 0) return STRAIGHT;
    const at: number[] = [];
    for (let d = first; d < first + g.chainLength[e]!; d++) at.push(x[d]!);
    return at;
  });
  return { x: x.slice(0, g.real), rank, ranks, width, bends, crossings: order.crossings, dummies: g.count - g.real };
}
