// Which wires of a value run together (layout/trunks.ts).
import fc from "fast-check";
import { expect, it } from "vitest";
import { columnsOf } from "../../src/drawing/layout/columns.ts";
import { rankNodes } from "../../src/drawing/layout/rank.ts";
import { MANY, trunksOf } from "../../src/drawing/layout/trunks.ts";
import type { FlowEdge, FlowGraph } from "../../src/drawing/layout/types.ts";

/** Few sources of many readers, and some wires beside. */
const graphs: fc.Arbitrary<FlowGraph> = fc.integer({ min: 2, max: 60 }).chain((count) =>
  fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1), fc.boolean(), fc.nat(1)), { maxLength: 160 }).map((tuples) => ({
    nodes: Array.from({ length: count }, () => ({ w: 40, ins: [20], outs: [10, 30], pin: null })),
    edges: tuples
      .map(([a, b, shared, sourcePort]): FlowEdge => {
        const source = shared ? Math.min(a, b) % 3 : Math.min(a, b);
        return { source, sourcePort, target: Math.max(a, b), targetPort: 0 };
      })
      .filter(({ source, target }) => source < target),
  })),
);

function trunks(graph: FlowGraph) {
  const { rank } = rankNodes(graph);
  const { node, port, first, list } = trunksOf(graph, columnsOf(graph.edges), rank);
  return Array.from(node, (source, t) => {
    const edges = Array.from(list.subarray(first[t]!, first[t + 1]!));
    const spans = edges.map((e) => rank[graph.edges[e]!.target]! - rank[source]!);
    return { source, port: port[t]!, edges, dummies: Math.max(1, ...spans) - 1 };
  });
}

it("every edge is in exactly one trunk, that of its value, and what is split stays within its budget", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const found = trunks(graph);
      const all = found.flatMap(({ edges }) => edges).sort((a, b) => a - b);
      expect(all).toEqual(graph.edges.map((_, e) => e));
      const longest = new Map<string, number>();
      for (const { source, port, edges, dummies } of found) {
        for (const e of edges) expect(graph.edges[e]).toMatchObject({ source, sourcePort: port });
        const key = `${source} ${port}`;
        longest.set(key, Math.max(longest.get(key) ?? 0, dummies));
      }
      const spent = found.reduce((sum, { dummies }) => sum + dummies, 0);
      const whole = [...longest.values()].reduce((sum, dummies) => sum + dummies, 0);
      expect(spent - whole).toBeLessThanOrEqual(graph.nodes.length + graph.edges.length);
    }),
    { numRuns: 200, seed: 4 },
  );
});

/** One value and `leaves` chains of three that read it twice each, joined at their ends or not. */
function fan(leaves: number, joined: boolean): FlowGraph {
  const nodes = Array.from({ length: 1 + 3 * leaves + (joined ? 1 : 0) }, () => ({ w: 40, ins: [10, 30], outs: [20], pin: null }));
  const edges = Array.from({ length: leaves }, (_, i) => 1 + 3 * i).flatMap((a): FlowEdge[] => [
    { source: a, sourcePort: 0, target: a + 1, targetPort: 0 },
    { source: a + 1, sourcePort: 0, target: a + 2, targetPort: 0 },
    { source: 0, sourcePort: 0, target: a + 1, targetPort: 1 },
    { source: 0, sourcePort: 0, target: a + 2, targetPort: 1 },
    ...(joined ? [{ source: a + 2, sourcePort: 0, target: nodes.length - 1, targetPort: 0 }] : []),
  ]);
  return { nodes, edges };
}

it("a value with many readers has a trunk for each part that nothing else joins", () => {
  const of = (graph: FlowGraph): number[] => trunks(graph).flatMap(({ source, edges }) => (source === 0 ? [edges.length] : []));
  expect(of(fan(8, false))).toEqual(new Array(8).fill(2));
  expect(of(fan(8, true))).toEqual([16]);
  // Few readers: one trunk.
  expect(4).toBeLessThanOrEqual(MANY);
  expect(of(fan(2, false))).toEqual([4]);
});
