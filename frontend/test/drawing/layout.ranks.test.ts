import { describe, expect, it } from "vitest";
import { rankNodes } from "../../src/drawing/layout/rank.ts";
import type { FlowGraph } from "../../src/drawing/layout/types.ts";

/** 0 feeds a body 1 and a body 4; 1 -> 2 -> 3 and 4 -> 3. Nothing but its reader, 3, says where 4 is. */
function graph(bodies: readonly number[]): FlowGraph {
  const nodes = Array.from({ length: 5 }, (_, v) => ({ w: 40, ins: [10, 30], outs: [20], pin: null, body: bodies.includes(v) }));
  const edge = (source: number, target: number, targetPort = 0) => ({ source, sourcePort: 0, target, targetPort });
  return { nodes: [0, 1, 2, 4, 3].map((v) => nodes[v]!), edges: [edge(0, 1), edge(0, 3), edge(1, 2), edge(2, 4), edge(3, 4, 1)] };
}

describe("ranks", () => {
  it("put a value as near to its reader as wires do not get longer by it", () => {
    const { rank } = rankNodes(graph([]));
    expect([...rank]).toEqual([0, 1, 2, 2, 3]);
  });

  it("put a body beside another where there is a choice", () => {
    const { rank, ranks } = rankNodes(graph([1, 4]));
    expect([...rank]).toEqual([0, 1, 2, 1, 3]);
    expect(ranks).toBe(4);
  });

  it("keep the nodes of a step together, and the steps one after another", () => {
    const { rank } = rankNodes(graph([]), [[1, 3], [2]]);
    expect([...rank]).toEqual([0, 1, 2, 1, 3]);
    const later = rankNodes(graph([]), [[3], [1]]);
    expect(later.rank[1]).toBeGreaterThan(later.rank[3]!);
  });
});
