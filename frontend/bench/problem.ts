/**
 * One problem for every engine: boxes with ports at fixed places and wires between ports. And one answer of each: where the boxes
 * stand and through which points the wires run.
 */
import type { Level } from "../src/drawing/graph/level.ts";
import { layoutLevel } from "../src/drawing/layout/box.ts";

export interface ProblemNode {
  w: number;
  h: number;
  ins: readonly number[];
  outs: readonly number[];
}

export interface ProblemEdge {
  source: number;
  sourcePort: number;
  target: number;
  targetPort: number;
}

export interface Problem {
  nodes: readonly ProblemNode[];
  edges: readonly ProblemEdge[];
}

export interface Drawing {
  /** Left and top edge of every box. */
  x: readonly number[];
  y: readonly number[];
  /** Per wire: its points from source to target, x and y alternating. The ends are set to the ports before anything is measured. */
  routes: readonly (readonly number[])[];
}

/** The same spacing for everyone, in pixels. */
export const SPACING = { node: 18, rank: 40, wire: 10 };

/** Sizes and ports as our drawing measures them; every wire is to be drawn, nothing becomes a chip. */
export function problemOf(level: Level): Problem {
  const { parts } = layoutLevel(level, false, null);
  const nodes = parts.map(({ w, h, ins, outs }) => ({ w, h, ins, outs }));
  const edges = level.nodes.flatMap((node, target) =>
    node.feeds.flatMap((feed, targetPort) =>
      feed.kind === "node" ? [{ source: feed.node, sourcePort: feed.port, target, targetPort }] : [],
    ),
  );
  return { nodes, edges };
}

/** Another problem of the same shape, so that no engine can answer from memory. */
export function varied({ nodes, edges }: Problem, by: number): Problem {
  return { nodes: nodes.map((node, v) => (v === 0 ? { ...node, w: node.w + 2 * by } : node)), edges };
}
