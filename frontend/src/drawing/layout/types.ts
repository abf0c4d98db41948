/**
 * The one-lane layout problem: nodes with ordered ports, in flow direction (s grows along the flow, x across it).
 *
 * Heights play no part here; rows.ts gives every rank its place along the flow afterwards, so that two lanes can be aligned.
 */

export interface FlowNode {
  w: number;
  /** x of each in- and out-port from the node's left edge. */
  ins: readonly number[];
  outs: readonly number[];
  /** `first`/`last` nodes make up the first/last rank, in the order given. */
  pin: "first" | "last" | null;
  /** Has a body, and is tall when that is open. */
  body?: boolean;
}

export interface FlowEdge {
  source: number;
  sourcePort: number;
  target: number;
  targetPort: number;
}

export interface FlowGraph {
  /** Sources before their targets. */
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  /** Nodes of one rank stay in the order given; wires may pass between them anywhere. */
  inOrder?: boolean;
}

export interface FlowLayout {
  /** Left edge of each node; the leftmost thing is at 0. */
  x: Float64Array;
  rank: Int32Array;
  ranks: number;
  width: number;
  /** Per edge: the x of the wire at each rank between its ends; empty for neighbours. */
  bends: readonly (readonly number[])[];
  crossings: number;
  dummies: number;
}

/** What the stages share: the proper layered graph, whose segments join neighbouring ranks only. */
export interface Layered {
  /** Real nodes come first, then dummies. */
  real: number;
  count: number;
  rank: Int32Array;
  ranks: number;
  width: Float64Array;
  /** 1 for the pills of a strip. */
  pinned: Uint8Array;
  /** Segments: ends and port offsets. */
  tail: Int32Array;
  head: Int32Array;
  tailX: Float64Array;
  headX: Float64Array;
  /** Where among the ports of its node a segment ends, from 0 to 1: unlike offsets the same whether the node is open or closed. */
  tailAt: Float64Array;
  headAt: Float64Array;
  /** How much of a node's width one of its ports has to itself. */
  tailSlot: Float64Array;
  headSlot: Float64Array;
  /** Segments by their tail and by their head, in port order (CSR). */
  down: Csr;
  up: Csr;
  /** Per edge: first dummy and how many, or -1. */
  chain: Int32Array;
  chainLength: Int32Array;
  /** Rank members: `start[r] .. start[r + 1]` of an order array. */
  start: Int32Array;
}

export interface Csr {
  start: Int32Array;
  list: Int32Array;
}

/** Layer spacing in pixels. */
export interface Spacing {
  node: number;
  /** Between the pills of a strip. */
  pill: number;
  wire: number;
}
