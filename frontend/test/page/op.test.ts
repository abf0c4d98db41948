/** An op and a value of a module in words and rows, for the inspector. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { everyOp } from "../../src/drawing/graph/ops/context.ts";
import { isReturn } from "../../src/drawing/graph/ops/names.ts";
import type { Module } from "../../src/model/types.ts";
import { toText } from "../../src/page/explain/words.ts";
import { crumbsOf } from "../../src/page/program/crumbs.ts";
import { functionFacts } from "../../src/page/program/function.ts";
import { moduleSummary, moduleValueFacts, opFacts } from "../../src/page/program/op.ts";
import { moduleOutline, pathOfOp } from "../../src/page/program/outline/module.ts";
import { moduleEntries } from "../../src/page/program/search/entries.ts";
import { atOnce } from "../../src/page/program/slices.ts";
import * as build from "./programs.ts";

const FOLDER = resolve(import.meta.dirname, "../drawing/modules");
const load = (name: string): Module => JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8")) as Module;
const idOf = (module: Module, name: string): string => [...everyOp(module)].find((op) => op.name.endsWith(name))!.id;

describe("a loop that somebody pasted", () => {
  const module = load("pasted_scan");
  const facts = opFacts(module, idOf(module, "while"))!;

  it("says how often it runs and that its roles are derived", () => {
    expect(facts.sentences.map(toText).join(" ")).toMatch(/Runs 6 times.*derived from the text/);
    expect(new Set(facts.takes.map(({ role }) => role))).toEqual(new Set(["xs", "const", "counter", "carry", "ys"]));
    expect([...facts.takes, ...facts.gives].every(({ derived }) => derived)).toBe(true);
  });

  it("is what an op of its body stands in", () => {
    const call = [...everyOp(module)].find((op) => op.callee === "closed_call")!;
    const inside = opFacts(module, `${facts.op.id}/${call.id}`)!;
    expect(inside.around.map(({ title }) => title)).toEqual(["while"]);
    expect(inside.takes.map(({ role }) => role)).toEqual(["const", "carry", "xs"]);
    expect(inside.sentences.map(toText)).toEqual(["@closed_call is a function that JAX makes: body."]);
  });
});

it("says of a function what it takes and gives, and of what is none nothing", () => {
  const module = load("functions");
  expect(functionFacts(module, "f2")).toMatchObject({
    title: "@shared",
    takes: [{ name: module.values.m4!.name, type: "tensor<3xf32>" }],
    gives: ["tensor<3xf32>"],
    attributes: [["sym_visibility", '"private"']],
  });
  expect(functionFacts(module, [...everyOp(module)][0]!.id)).toBeNull();
});

it("says in a word what a region computes, and what attributes mean", () => {
  const module = load("reducers");
  const sort = opFacts(module, idOf(module, "sort"))!;
  expect(sort.sentences.map(toText)).toContain("Its region computes ascending.");
  expect(sort.attributes.map(({ name, text }) => [name, text])).toContainEqual(["dimension", "1"]);
});

it("a value is made somewhere and read somewhere", () => {
  const module = load("branches");
  const double = [...everyOp(module)].find((op) => op.name.endsWith("multiply"))!;
  const facts = moduleValueFacts(module, `|${double.results[0]}`)!;
  expect(facts.maker).toBe(double.id);
  expect(facts.readers.every((path) => path.includes("/"))).toBe(true);
  const argument = moduleValueFacts(module, `|${module.functions[0]!.args[0]}`)!;
  expect(argument.maker).toBeNull();
});

it("a module is summed up by its functions and ops", () => {
  const summary = moduleSummary(load("pasted_scan"));
  expect(summary.counts).toMatch(/^5 functions, \d+ ops$/);
  expect(summary.inputs).toHaveLength(3);
  expect(summary.outputs).toHaveLength(2);
});

it("counts of HLO what XLA wrote: computations, and no returns", () => {
  const module = load("pasted_scan");
  const summary = moduleSummary(module);
  const hlo = moduleSummary({ ...module, dialect: "hlo" });
  const returns = summary.ops.filter(([name]) => isReturn(name)).reduce((sum, [, count]) => sum + count, 0);
  const size = (counts: string): number => Number(/(\d+) ops/.exec(counts)![1]);
  expect(returns).toBeGreaterThan(0);
  expect(hlo.counts).toMatch(/^5 computations, /);
  expect(size(hlo.counts)).toBe(size(summary.counts) - returns);
  expect(hlo.ops.some(([name]) => isReturn(name))).toBe(false);
});

describe("a module of several functions", () => {
  const module = load("functions");
  const program = { ...build.trainingScan(), entry: null, modules: { stablehlo: module } };

  it("has each in its outline and its ops in paths of it", () => {
    const outline = moduleOutline(program, "stablehlo")!;
    expect([0, 1].map((i) => outline.root.inside?.at(i)?.line.title)).toEqual(["@first", "@second"]);
    const negate = idOf(module, "negate");
    const path = pathOfOp(program, "stablehlo", { kind: "op", id: negate })!;
    expect(path).toMatch(/^f1\/o\d+\/o\d+$/);
    expect(opFacts(module, path)!.around.map(({ title }) => title)).toEqual(["@second", "call @shared"]);
  });

  it("has the function in the way to an op", () => {
    expect(crumbsOf(program, "stablehlo", "f1/o2").map(({ text }) => text)).toEqual([program.name, "@second", "call @shared"]);
  });

  it("is searched as a whole", () => {
    const entries = atOnce(moduleEntries(module, ""));
    expect(entries.filter(({ kind }) => kind === "op").map(({ key }) => key.split("/")[0])).toEqual(["f0", "f1", "f1"]);
  });
});
