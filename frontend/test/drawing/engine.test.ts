import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutFlow } from "../../src/drawing/layout/engine.ts";
import { rankNodes } from "../../src/drawing/layout/rank.ts";
import type { FlowEdge, FlowGraph } from "../../src/drawing/layout/types.ts";
import { textWidth } from "../../src/drawing/text.ts";

const graphs: fc.Arbitrary<FlowGraph> = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 80 }).map((pairs) => {
    const edges = pairs
      .filter(([a, b]) => a !== b)
      .map(([a, b]): FlowEdge => ({ source: Math.min(a, b), sourcePort: 0, target: Math.max(a, b), targetPort: 0 }));
    const nodes = Array.from({ length: count }, (_, v) => ({ w: 20 + ((v * 37) % 60), ins: [10], outs: [12], pin: null }));
    return { nodes, edges };
  }),
);

describe("the engine", () => {
  it("never lets nodes of a rank overlap, nor an edge point back", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { rank, ranks } = rankNodes(graph);
        for (const edge of graph.edges) expect(rank[edge.target]!).toBeGreaterThan(rank[edge.source]!);
        const { x, bends } = layoutFlow(graph, rank, ranks);
        graph.edges.forEach((edge, e) => {
          expect(bends[e]!.length).toBe(rank[edge.target]! - rank[edge.source]! - 1);
        });
        for (let a = 0; a < graph.nodes.length; a++) {
          for (let b = 0; b < graph.nodes.length; b++) {
            if (a === b || rank[a] !== rank[b] || x[a]! > x[b]!) continue;
            expect(x[a]! + graph.nodes[a]!.w).toBeLessThanOrEqual(x[b]! + 1e-6);
          }
        }
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it("draws a chain as one straight line", () => {
    const nodes = [60, 20, 90, 40].map((w) => ({ w, ins: [w / 2], outs: [w / 2], pin: null }));
    const edges = [0, 1, 2].map((v) => ({ source: v, sourcePort: 0, target: v + 1, targetPort: 0 }));
    const { x } = layoutFlow({ nodes, edges }, Int32Array.from([0, 1, 2, 3]), 4);
    const centres = nodes.map((node, v) => x[v]! + node.w / 2);
    for (const centre of centres) expect(centre).toBeCloseTo(centres[0]!, 6);
  });

  it("puts operands in order when it can", () => {
    // Two sources, made in the wrong order for the consumer.
    const nodes = [0, 1, 2].map(() => ({ w: 40, ins: [10, 30], outs: [20], pin: null }));
    const edges = [
      { source: 0, sourcePort: 0, target: 2, targetPort: 1 },
      { source: 1, sourcePort: 0, target: 2, targetPort: 0 },
    ];
    const { x, crossings } = layoutFlow({ nodes, edges }, Int32Array.from([0, 0, 1]), 2);
    expect(x[1]!).toBeLessThan(x[0]!);
    expect(crossings).toBe(0);
  });
});

describe("text", () => {
  it("has fixed widths", () => {
    expect(textWidth("f32[2,3]", "type")).toBeCloseTo((8 * 61 * 9.5) / 100, 9);
    expect(textWidth("mul", "op")).toBeCloseTo(((91 + 62 + 28) * 12) / 100, 9);
    expect(textWidth("\u6f22", "type")).toBeCloseTo(9.5, 9);
  });
});
