/** Grouping by the functions that equations were traced in: the groups are the calls, loops are loops, and both sides of a gradient fit. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { residualText } from "../../src/drawing/furniture/residuals.ts";
import { foldLevel } from "../../src/drawing/graph/fold/index.ts";
import { loopsIn, type Stay, type Visit } from "../../src/drawing/graph/fold/loops.ts";
import type { Feed, Level } from "../../src/drawing/graph/level.ts";
import { Places, type Written } from "../../src/drawing/graph/written.ts";
import type { Grouping } from "../../src/drawing/index.ts";
import type { CodeCall, Span, StackEntry } from "../../src/model/types.ts";
import { LevelBuilder } from "./levels.ts";
import { expectSound, expectWhole } from "./sound.ts";

const span = (line: number, col = 0): Span => ({ line, col, end_line: line, end_col: col + 5 });
const call = (name: string, caller: number | null, line: number, more: Partial<CodeCall> = {}): CodeCall => ({
  function: name,
  caller,
  span: caller === null ? null : span(line),
  library: false,
  handed: false,
  ...more,
});
const TRANSPOSE: StackEntry[] = [{ kind: "transform", name: "transpose" }];

function titles(level: Level): string[] {
  return level.nodes.filter((node) => node.kind === "call").map((node) => node.title);
}

/** `visits` as text: `0 (1 2|1 2) 3`. */
function shown(visits: readonly Visit[], stays: readonly Stay[]): string {
  return visits
    .map((visit) => (typeof visit === "number" ? stays[visit]!.place : `(${visit.turns.map((turn) => shown(turn, stays)).join("|")})`))
    .join(" ");
}

/** Places above 0 stand in a loop, those above 5 in one more inside of it. */
const stay = (place: number): Stay => ({ place, loops: place > 5 ? [-1, 1] : place > 0 ? [-1] : [] });

describe("loops", () => {
  it.each([
    [[1, 2], "1 2"],
    [[0, 1, 2, 1, 2, 0], "0 (1 2|1 2) 0"],
    // The first turn lacks something, the last has something of its own.
    [[1, 2, 1, 3, 2, 1, 3, 2, 4], "(1 2|1 3 2|1 3 2 4)"],
    // A place is come to twice in each turn.
    [[1, 2, 1, 3, 1, 2, 1, 3, 1, 2, 1, 3], "(1 2 1 3|1 2 1 3|1 2 1 3)"],
    [[1, 6, 7, 6, 7, 2, 1, 6, 7, 6, 7, 2], "(1 (6 7|6 7) 2|1 (6 7|6 7) 2)"],
    [[0, 1, 2, 1, 2], "0 (1 2|1 2)"],
    [[1, 2, 1, 2, 0, 1, 2, 1, 2], "(1 2|1 2) 0 (1 2|1 2)"],
  ])("of %j", (places, text) => {
    const stays = places.map(stay);
    expect(shown(loopsIn(stays), stays)).toBe(text);
  });

  it("keep every stay, once and in order", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 80 }), (places) => {
        const stays = places.map(stay);
        const flat = shown(loopsIn(stays), stays).replace(/[()|]/g, " ").trim().split(/\s+/);
        expect(flat.filter((text) => text !== "")).toEqual(places.map(String));
      }),
      { numRuns: 200 },
    );
  });
});

/** A network of `layers` layers, its gradient behind it, and the update of some parameters by a function handed to a library. */
function network(layers: number, code: Pick<ConstructorParameters<typeof Places>[0], "calls" | "loops">): Level {
  const places = new Places(code);
  const b = new LevelBuilder();
  const at = (index: number, line: number, stack: StackEntry[] = []): Written => places.of({ call: index, span: span(line), stack });
  const w = b.input("w");
  let x = b.input("x");
  const kept: Feed[] = [];
  for (let i = 0; i < layers; i++) {
    // The first layer lacks an operation.
    for (const [op, line] of [
      ["mul", 21],
      ["add", 22],
      ["tanh", 23],
      ["sub", 24],
      ["exp", 25],
    ] as const) {
      if (i > 0 || op !== "sub") x = b.op(op, [x, w], [], at(1, line));
    }
    kept.push(x);
    x = b.op("max", [x], [], at(0, 12));
  }
  const forward = b.nodes.length;
  for (let i = layers - 1; i >= 0; i--) {
    x = b.op("neg", [x], [], at(0, 12, TRANSPOSE));
    for (const line of [25, 24, 23, 22, 21]) x = b.op("mul", [x, kept[i]!], [], at(1, line, TRANSPOSE));
  }
  for (let i = 0; i < 20; i++) {
    let p = b.input(`p['w${i}']`);
    for (const line of [31, 32, 33]) p = b.op("sub", [p, x], [], at(2, line));
    b.output(`result['w${i}']`, p);
  }
  const level = b.level();
  level.nodes.forEach((node, v) => {
    node.back = v >= forward && node.kind === "op";
  });
  // Inputs stand before what reads them.
  return sorted({ ...level, twoLanes: true });
}

function sorted(level: Level): Level {
  const order = level.nodes.map((_, v) => v).sort((p, q) => rank(level, p) - rank(level, q) || p - q);
  const at = new Map(order.map((v, i) => [v, i]));
  const seat = <S extends { node: number }>(each: S): S => ({ ...each, node: at.get(each.node)! });
  const nodes = order.map((v) => {
    const node = level.nodes[v]!;
    return { ...node, feeds: node.feeds.map((feed) => (feed.kind === "node" ? seat(feed) : feed)) };
  });
  return { ...level, nodes, inputs: level.inputs.map(seat), outputs: level.outputs.map(seat) };
}

function rank(level: Level, v: number): number {
  const { kind } = level.nodes[v]!;
  return kind === "input" ? 0 : kind === "output" ? 2 : 1;
}

const LOOPED = {
  calls: [call("loss", null, 0), call("layer", 0, 11), call("update", null, 3, { handed: true })],
  loops: [{ ...span(11), end_line: 13 }],
};

describe("folding by calls", () => {
  it("names a layer that a loop calls, its transpose, and an update that a library makes for each leaf", () => {
    const folded = foldLevel(network(12, LOOPED), "", { open: new Set() });
    expect(titles(folded)).toEqual(["layer 1 of 12", "layer \u00d711", "layer \u00d712", "update \u00d720"]);
    expectSound(folded);
  });

  it("pairs a loop with its transpose, and turns where both are open", () => {
    const level = network(12, LOOPED);
    const folded = foldLevel(level, "", { open: new Set() });
    const [pair] = folded.pairs;
    expect([folded.nodes[pair!.forward]!.title, folded.nodes[pair!.backward]!.title]).toEqual(["layer \u00d711", "layer \u00d712"]);
    const both = new Set([folded.nodes[pair!.forward]!.key, folded.nodes[pair!.backward]!.key]);
    const opened = foldLevel(level, "", { open: both });
    const inner = opened.pairs.flatMap((each) => each.inner);
    expect(inner).toHaveLength(11);
    const named = new Map(opened.nodes.flatMap((node) => node.call?.inside?.nodes ?? []).map((node) => [node.key, node.title]));
    for (const [f, g] of inner) expect(named.get(f)).toBe(named.get(g));
  });

  it("gives one bundle of residuals to each pair", () => {
    const folded = foldLevel(network(12, LOOPED), "", { open: new Set() });
    const backward = folded.nodes.find((node) => node.back && node.title === "layer \u00d712")!;
    const from = backward.feeds.map((feed) => (feed.kind === "node" ? folded.nodes[feed.node]!.title : feed.kind));
    expect(from.filter((title) => title === "layer \u00d711")).toHaveLength(1);
    const forward = folded.nodes.find((node) => !node.back && node.title === "layer \u00d711")!;
    const saved = backward.feeds.flatMap((feed) => (feed.kind === "node" && folded.nodes[feed.node] === forward ? [feed.port] : []));
    // One of each layer, and what the last one gives.
    expect(residualText(forward, saved)).toBe("12 residuals");
  });

  it("calls nothing a repetition that neither a loop nor a library can have made", () => {
    const straight = { calls: [call("loss", null, 0), call("layer", 0, 11)], loops: [] };
    const folded = foldLevel(network(12, { ...straight, calls: [...straight.calls, call("update", null, 3)] }), "", { open: new Set() });
    expect(titles(folded).filter((title) => /^(layer|update) \u00d7/.test(title))).toEqual([]);
  });
});

describe("every way of grouping", () => {
  const ways: Grouping[] = ["auto", "scopes", "calls", "modules", "repeats", "none"];
  const program = fc
    .array(
      fc.record({
        reads: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
        call: fc.integer({ min: 0, max: 5 }),
        line: fc.integer({ min: 1, max: 4 }),
        scope: fc.integer({ min: 0, max: 3 }),
        turned: fc.boolean(),
      }),
      { minLength: 20, maxLength: 180 },
    )
    .map((ops) => {
      const calls = [
        call("f", null, 0),
        call("g", 0, 1, { handed: true }),
        call("h", 0, 2),
        call("Net.__call__", 1, 1),
        call("k", 3, 2, { library: true }),
        call("m", 2, 3),
      ];
      const places = new Places({ calls, loops: [{ ...span(2), end_line: 3 }] });
      const b = new LevelBuilder();
      const feeds: Feed[] = [b.input("a"), b.input("b")];
      for (const { reads, call: index, line, scope, turned } of ops) {
        const from = reads.map((read) => feeds[feeds.length - 1 - (read % Math.min(5, feeds.length))]!);
        const written = places.of({ call: index, span: span(line), stack: turned ? TRANSPOSE : [] });
        feeds.push(b.op(`op${line}`, from, scope === 0 ? [] : ["Net", `layer_${scope}`], written));
      }
      b.output("out", feeds[feeds.length - 1]!);
      return b.level();
    });

  it.each(ways)(
    "%s loses nothing and points nowhere back",
    (by) => {
      fc.assert(
        fc.property(program, (level) => {
          expectSound(foldLevel(level, "", { open: new Set(), by }));
          expectWhole(level, by);
        }),
        { numRuns: 12, endOnFailure: true },
      );
    },
    60_000,
  );
});
