/** What holds for every program: levels made at random, drawn, and judged as pictures. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { drawLevel } from "../../src/drawing/draw.ts";
import type { Feed, Level } from "../../src/drawing/graph/level.ts";
import { makeLayered } from "../../src/drawing/layout/layered.ts";
import { type Ordering, orderRanks } from "../../src/drawing/layout/order.ts";
import { placeNodes } from "../../src/drawing/layout/place.ts";
import { rankNodes } from "../../src/drawing/layout/rank.ts";
import { STUB_RANKS, STUB_USES } from "../../src/drawing/layout/sizes.ts";
import type { FlowGraph, FlowNode, Layered } from "../../src/drawing/layout/types.ts";
import { ALL } from "./checks.ts";
import { LevelBuilder } from "./levels.ts";

vi.setConfig({ testTimeout: 60_000 });

const NAMES = ["mul", "add", "dot_general", "tanh", "convert_element_type"];

/** Equations read inputs, each other and literals; what nobody reads is a result. */
const levels: fc.Arbitrary<Level> = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.array(fc.tuple(fc.nat(NAMES.length - 1), fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 4 })), {
      minLength: 1,
      maxLength: 45,
    }),
  )
  .map(([inputs, equations]) => {
    const b = new LevelBuilder();
    const made: Feed[] = Array.from({ length: inputs }, (_, i) => b.input(`x${i}`));
    const unread = new Set(made.slice(0, 0));
    for (const [name, operands] of equations) {
      const feeds = operands.map((pick): Feed => {
        if (pick % 9 === 0) return { kind: "literal", text: `${pick % 100}.0`, hint: "", eqn: null, value: null };
        // Rather what was made just now than long ago, as programs do.
        const back = pick % 5 === 0 ? pick % made.length : pick % Math.min(6, made.length);
        return made[made.length - 1 - back]!;
      });
      for (const feed of feeds) unread.delete(feed);
      const result = b.op(NAMES[name]!, feeds);
      made.push(result);
      unread.add(result);
    }
    [...unread].forEach((feed, i) => {
      b.output(`y${i}`, feed);
    });
    return b.level();
  });

const RUNS = { numRuns: 120, seed: 7 };

describe.each(["TB", "LR"] as const)("any level, %s", (direction) => {
  it("keeps every invariant of a picture", () => {
    fc.assert(
      fc.property(levels, (level) => {
        const scene = drawLevel(level, undefined, direction);
        for (const [name, check] of Object.entries(ALL)) expect([name, check(scene)]).toEqual([name, []]);
      }),
      RUNS,
    );
  });

  it("has every operand drawn as a wire or as a chip, exactly once", () => {
    fc.assert(
      fc.property(levels, (level) => {
        const scene = drawLevel(level, undefined, direction);
        const ends = [
          ...scene.wires.map((wire) => wire.to),
          ...scene.chips.filter((chip) => chip.kind !== "source").map((chip) => chip.port),
        ];
        expect(new Set(ends).size).toBe(ends.length);
        expect(ends.length).toBe(level.nodes.reduce((sum, node) => sum + node.feeds.length, 0));
      }),
      RUNS,
    );
  });
});

function graphOf(level: Level, width: (node: number) => number): FlowGraph {
  const ports = (count: number, w: number): number[] => Array.from({ length: count }, (_, i) => (w * (i + 1)) / (count + 1));
  const nodes = level.nodes.map(
    ({ ins, outs, kind }, v): FlowNode => ({
      w: width(v),
      ins: ports(ins.length, width(v)),
      outs: ports(outs.length, width(v)),
      pin: kind === "input" ? "first" : kind === "output" ? "last" : null,
    }),
  );
  const edges = level.nodes.flatMap((node, target) =>
    node.feeds.flatMap((feed, targetPort) =>
      feed.kind === "node" ? [{ source: feed.node, sourcePort: feed.port, target, targetPort }] : [],
    ),
  );
  return { nodes, edges };
}

function ordered(graph: FlowGraph): { g: Layered; order: Ordering; perSegment: number } {
  const { rank, ranks } = rankNodes(graph);
  const g = makeLayered(graph, rank, ranks);
  const fixed = Array.from({ length: ranks }, (_, r) => graph.nodes.some((node, v) => node.pin !== null && rank[v] === r));
  const order = orderRanks(g, fixed);
  return { g, order, perSegment: order.work / g.head.length };
}

it("the same level has the same places, computed anew", () => {
  const placed = (level: Level): number[] => {
    const graph = graphOf(level, (v) => 40 + ((v * 37) % 60));
    const { g, order } = ordered(graph);
    return [...placeNodes(g, order, { node: 18, pill: 12, wire: 10 })];
  };
  fc.assert(
    fc.property(levels, (level) => {
      expect(placed(structuredClone(level))).toEqual(placed(level));
    }),
    RUNS,
  );
});

it("opening a box, however large it becomes, moves nothing to another place in its row", () => {
  fc.assert(
    fc.property(levels, fc.nat(), (level, pick) => {
      const before = ordered(graphOf(level, () => 60));
      const after = ordered(graphOf(level, (v) => (v === pick % level.nodes.length ? 900 : 60)));
      expect([...after.order.members]).toEqual([...before.order.members]);
    }),
    RUNS,
  );
});

describe("the work of ordering", () => {
  /** Steps of three that share a weight, cut as the drawing cuts them: what is read often or far away is a chip. */
  function unrolled(steps: number): FlowGraph {
    const b = new LevelBuilder();
    const w = b.input("w");
    let x = b.input("x");
    for (let i = 0; i < steps; i++) x = b.op("tanh", [b.op("add", [b.op("dot_general", [w, x]), x])]);
    b.output("y", x);
    const graph = graphOf(b.level(), () => 60);
    const { rank } = rankNodes(graph);
    const uses = new Map<number, number>();
    for (const { source } of graph.edges) uses.set(source, (uses.get(source) ?? 0) + 1);
    const near = graph.edges.filter(({ source, target }) => rank[target]! - rank[source]! <= STUB_RANKS && uses.get(source)! <= STUB_USES);
    return { ...graph, edges: near };
  }

  it("grows no faster than the program", () => {
    const [small, large] = [300, 3000].map((steps) => ordered(unrolled(steps)));
    expect(large!.g.head.length).toBeGreaterThan(9 * small!.g.head.length);
    expect(large!.perSegment).toBeLessThanOrEqual(small!.perSegment);
  });

  it("is bounded for rows of any width", () => {
    const wide = (leaves: number): FlowGraph => {
      const b = new LevelBuilder();
      for (let i = 0; i < leaves; i++)
        b.output(`y${i}`, b.op("mul", [b.op("add", [b.input(`p${i}`), b.input(`g${i}`)]), b.input(`m${i}`)]));
      const level = b.level();
      // Inputs come first, as nothing stands before what it reads.
      const seats = level.nodes
        .map((_, v) => v)
        .sort((p, q) => Number(level.nodes[p]!.kind !== "input") - Number(level.nodes[q]!.kind !== "input") || p - q);
      const place = new Map(seats.map((v, at) => [v, at]));
      const graph = graphOf(level, () => 60);
      return {
        nodes: seats.map((v) => graph.nodes[v]!),
        edges: graph.edges.map((edge) => ({ ...edge, source: place.get(edge.source)!, target: place.get(edge.target)! })),
      };
    };
    const [small, large] = [100, 1600].map((leaves) => ordered(wide(leaves)));
    expect(large!.perSegment).toBeLessThanOrEqual(small!.perSegment);
  });
});
