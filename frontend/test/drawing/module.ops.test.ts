/** What each kind of op is drawn as: words for regions, helpers by what they mean, quiet constants, blocks, several functions. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { locatedPlaces } from "../../src/drawing/graph/located.ts";
import { everyOp, rootsOf } from "../../src/drawing/graph/ops/context.ts";
import { meaningOf } from "../../src/drawing/graph/ops/helpers.ts";
import { constantText } from "../../src/drawing/graph/ops/literals.ts";
import { functionsByName, keyOf } from "../../src/drawing/graph/ops/names.ts";
import { attributeText, opNote } from "../../src/drawing/graph/ops/notes.ts";
import { wordsOf } from "../../src/drawing/graph/ops/words.ts";
import { drawModule, foldableOps, initialOpenOps, type Scene } from "../../src/drawing/index.ts";
import type { Module, Op, Region } from "../../src/model/types.ts";
import * as build from "../page/programs.ts";

const FOLDER = resolve(import.meta.dirname, "modules");
const load = (name: string): Module => JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8")) as Module;
const texts = (scene: Scene): string[] => scene.labels.map((label) => label.full);
const shown = (name: string): Scene => {
  const module = load(name);
  return drawModule(module, { open: initialOpenOps(module) });
};

describe("a region", () => {
  const said = (module: Module): Record<string, string[] | null> => {
    const functions = functionsByName(module);
    const holding = [...everyOp(module)].filter((op) => op.regions.length > 0);
    return Object.fromEntries(holding.map((op, i) => [`${keyOf(op.name)} ${i}`, wordsOf(op, functions)]));
  };

  it("is said by the word that it computes, of those that JAX makes", () => {
    const words = Object.values(said(load("reducers")));
    for (const word of [["argmax"], ["ascending"], ["replace"], ["add"], ["maximum"], ["ge", "add"]]) expect(words).toContainEqual(word);
  });

  it("is drawn where no word says all that it does", () => {
    expect(Object.values(said(load("reducers"))).filter((words) => words === null)).toHaveLength(1);
    expect(texts(shown("reducers"))).toContain("reducer");
  });

  const reduce = (...ops: Op[]): Op => {
    const body: Region = { label: "reducer", blocks: [{ args: ["a", "b"], ops }] };
    return build.op("o0", "stablehlo.reduce", { operands: [], results: ["r"], regions: [body] });
  };
  const of = (name: string, operands: string[], result: string, attributes = {}): Op =>
    build.op(result, name, { operands: operands.map((value) => ({ value, role: null })), results: [result], attributes });
  const back = (value: string): Op => build.op("end", "stablehlo.return", { operands: [{ value, role: null }] });

  it.each([
    [[of("stablehlo.add", ["b", "a"], "c"), back("c")], ["add"]],
    [[of("stablehlo.subtract", ["a", "b"], "c"), back("c")], ["subtract"]],
    [[of("stablehlo.subtract", ["b", "a"], "c"), back("c")], null],
    [[of("stablehlo.add", ["a", "a"], "c"), back("c")], null],
    [[of("stablehlo.add", ["a", "outside"], "c"), back("c")], null],
    [[of("stablehlo.add", ["a", "b"], "c"), of("stablehlo.tanh", ["c"], "d"), back("d")], null],
    [[of("stablehlo.add", ["a", "b"], "c", { result_accuracy: "?" }), back("c")], null],
    [[back("b")], ["replace"]],
  ])("has a word only where nothing is left out (%#)", (ops, words) => {
    expect(wordsOf(reduce(...ops), new Map())).toEqual(words);
  });
});

describe("a function that JAX makes", () => {
  it.each([
    ["_where", "where"],
    ["_where_12", "where"],
    ["clip", "clip"],
    ["dynamic_index_in_dim", "take row"],
    ["closed_call_3", "body"],
    ["score", null],
    ["_private_of_mine", null],
    ["layer_3", null],
  ])("@%s means %s", (name, meaning) => {
    expect(meaningOf(name, new Set())).toBe(meaning);
  });

  it("is a closed box of that name, and opens to its ops", () => {
    const module = load("helpers");
    const closed = texts(shown("helpers"));
    for (const title of ["where", "clip", "norm", "take"]) expect(closed).toContain(title);
    expect(closed).not.toContain("select");
    expect(texts(drawModule(module, { open: new Set(foldableOps(module)) }))).toContain("@_where");
  });

  it("is a custom call by the name of its target", () => {
    const module = load("helpers");
    expect(texts(drawModule(module, { open: new Set(foldableOps(module)) }))).toContain("lapack_ssyevd_ffi");
  });
});

describe("a loop that somebody pasted", () => {
  const scene = shown("pasted_scan");
  it("says how often it runs and that its roles were read off the text", () => {
    expect(texts(scene)).toContain("while \u00d76");
    expect(texts(scene)).toContain("roles derived from the text");
    for (const caption of ["const", "carry", "xs", "ys", "counter"]) expect(texts(scene)).toContain(caption);
    expect(scene.labels.some((label) => label.hint.includes("of a scan"))).toBe(false);
  });

  it("of a gradient has both of its loops", () => {
    expect(texts(shown("pasted_gradient")).filter((text) => text === "while \u00d76")).toHaveLength(2);
  });
});

it("a composite has its decomposition inside, and its version", () => {
  const said = texts(shown("composite"));
  expect(said).toContain("composite mine.scaled_root");
  expect(said).toContain("version 2");
  expect(said).toContain("sqrt");
});

it("a manual computation says its axes and how its values are split", () => {
  const said = texts(shown("manual"));
  expect(said).toContain("axes data");
  expect(said.filter((text) => text === "data \u00d7 \u2013")).toHaveLength(2);
});

it("blocks stand apart with edges between; one that leads back says from where", () => {
  const scene = shown("blocks");
  const cards = scene.frames.filter((frame) => frame.title.startsWith("^bb"));
  expect(cards.map((card) => card.title).sort()).toEqual(["^bb0", "^bb1", "^bb2", "^bb3"]);
  expect(texts(scene).filter((text) => text === "next from ^bb2")).toHaveLength(2);
});

it("fusions within a loop are closed at first, and what they do is their title", () => {
  const scene = shown("compiled");
  expect(scene.frames.filter((frame) => frame.kind === "while")).not.toEqual([]);
  expect(scene.frames.filter((frame) => frame.title.startsWith("fusion"))).toEqual([]);
  expect(scene.nodes.filter((node) => node.kind === "closed" && /^fusion \w/.test(node.title))).not.toEqual([]);
});

describe("a module of several functions", () => {
  it("has each that nothing calls in a frame", () => {
    expect(rootsOf(load("functions")).map((each) => each.name)).toEqual(["first", "second"]);
    expect(shown("functions").frames.map((frame) => frame.title)).toEqual(["@first", "@second", "call shared"]);
  });

  it("shows one of them alone, under the same keys", () => {
    const module = load("functions");
    const open = initialOpenOps(module);
    const [whole, alone] = [drawModule(module, { open }), drawModule(module, { open, alone: "f1" })];
    expect(alone.frames.map((frame) => frame.title)).toEqual(["call shared"]);
    const keys = new Set(whole.nodes.map((node) => node.key));
    expect(alone.nodes.every((node) => keys.has(node.key))).toBe(true);
  });

  it("has them in rows where they are many, none of them open", () => {
    const module = load("functions");
    const copies = Array.from({ length: 40 }, (_, i) => ({ ...module.functions[0]!, id: `c${i}`, name: `copy${i}` }));
    const many = { ...module, functions: copies };
    const scene = drawModule(many, { open: initialOpenOps(many) });
    expect(scene.frames.filter((frame) => frame.kind === "call")).toEqual([]);
    expect(new Set(scene.nodes.map((node) => node.box.y)).size).toBeGreaterThan(6);
    // About as wide as high, whatever the names are: six of long ones side by side could not be read.
    const long = { ...module, functions: copies.slice(0, 16).map((each) => ({ ...each, name: `${each.name}_${"long".repeat(9)}` })) };
    for (const { width, height } of [scene, drawModule(long, { open: new Set() })]) {
      expect(width / height).toBeGreaterThan(0.3);
      expect(width / height).toBeLessThan(1.6);
    }
  });
});

describe("a network that somebody pasted", () => {
  const module = load("layers");
  const places = locatedPlaces(module);
  const scene = drawModule(module, { open: initialOpenOps(module), places });

  it("is folded by the calls that its locations name, a repeated layer into one box", () => {
    expect(texts(scene)).toContain("layer \u00d74");
    expect(scene.nodes.length).toBeLessThan(40);
  });

  it("without locations is folded by what is alike", () => {
    const bare = drawModule(module, { open: initialOpenOps(module) });
    expect(bare.nodes.length).toBeLessThan(120);
    expect(texts(bare)).not.toContain("layer \u00d74");
  });
});

it.each([
  ["jit(f)/mul, net.py:3:4 to :9", [], [], "net.py:3:4 to :9", 3],
  [
    "jit(f)/attend/mul, layer, net.py:3:4, called from loss, net.py:9:2, called from <module>, net.py:20:0",
    ["attend"],
    ["loss", "layer"],
    "net.py:3:4",
    3,
  ],
  ["jit(f)/transpose(jvp(attend))/while/body/mul, net.py:3:4", ["attend"], [], "tnet.py:3:4", 3],
  ["jit(f)/jit(main)/jit(score)/mul", ["score"], [], "", 0],
  ["net.py:3:4", [], [], "net.py:3:4", 3],
  ["fused from one; two", [], [], "", 0],
])("the location %s is read", (location, scope, steps, at, line) => {
  const module = load("branches");
  const [main] = module.functions;
  const ops = main!.region.blocks[0]!.ops.map((op) => ({ ...op, location }));
  const functions = [{ ...main!, region: { ...main!.region, blocks: [{ ...main!.region.blocks[0]!, ops }] } }];
  const place = locatedPlaces({ ...module, functions }).get(ops[0]!.id)!;
  expect(place.scope).toEqual(scope);
  expect(place.written.steps.map(({ name }) => name)).toEqual(steps);
  expect([place.written.at, place.written.line]).toEqual([at, line]);
});

it("what says how a value is split says it beside its name", () => {
  const split = { sharding: '#sdy.sharding<@mesh, [{"data"}, {}]>' };
  expect(opNote(build.op("o0", "sdy.sharding_constraint", { attributes: split }), null)).toBe("data \u00d7 \u2013");
  const older = { call_target_name: '"Sharding"', "mhlo.sharding": '"{replicated}"' };
  expect(opNote(build.op("o0", "stablehlo.custom_call", { attributes: older }), null)).toBe("{replicated}");
});

it.each([
  ["dense<0.000000e+00> : tensor<f32>", "0.0"],
  ["dense<0xFF800000> : tensor<f32>", "-inf"],
  ["dense<0x7FC00000> : tensor<f32>", "nan"],
  ["dense<[1, 2, 3]> : tensor<3xi32>", "[1,2,3]"],
  ["dense<true> : tensor<i1>", "true"],
  ["dense<\u2026 1,024 x f32> : tensor<1024xf32>", "1,024 numbers"],
  ["dense_resource<\u2026> : tensor<4xf32>", "numbers of a resource"],
])("the constant %s is %s in its chip", (value, text) => {
  expect(constantText(build.op("o0", "stablehlo.constant", { attributes: { value } }))).toBe(text);
});

it.each([
  ["dimensions", "array<i64: 0, 1>", "0, 1"],
  ["comparison_direction", "#stablehlo<comparison_direction LT>", "LT"],
  [
    "dot_dimension_numbers",
    "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>",
    "contracts left 2 with right 1; batch left 0 with right 0",
  ],
  ["dimension", "1 : i64", "1"],
  ["name", '"mine"', '"mine"'],
])("the attribute %s is readable", (name, text, said) => {
  expect(attributeText(name, text)).toBe(said);
});
