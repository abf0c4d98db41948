/** Following values of a lowered module: what feeds something is what it depends on, read the other way; through every kind of border. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { everyOp } from "../../../src/drawing/graph/ops/context.ts";
import { drawModule, foldableOps } from "../../../src/drawing/index.ts";
import type { Module, Op } from "../../../src/model/types.ts";
import { coneOf, reach } from "../../../src/page/program/follow/index.ts";
import { moduleWires } from "../../../src/page/program/follow/module.ts";
import { atOnce } from "../../../src/page/program/slices.ts";
import { shownOf } from "../../../src/viewer/parts.ts";
import { example } from "../../drawing/fixtures.ts";

const FOLDER = resolve(import.meta.dirname, "../../drawing/modules");
const load = (name: string): Module => JSON.parse(readFileSync(resolve(FOLDER, `${name}.json`), "utf8")) as Module;
const names = ["pasted_scan", "branches", "composite", "reducers", "helpers", "manual", "blocks", "functions"];

/** The values that ops in sight make, in their places. */
function valuesOf(module: Module): string[] {
  const scene = drawModule(module, { open: new Set(foldableOps(module)), by: "none" });
  const wires = moduleWires(module);
  return scene.nodes.flatMap(({ kind, eqn }) => (kind === "op" && eqn !== null ? wires.starts(eqn, "down") : []));
}

describe.each(names)("the module of %s", (name) => {
  it("has the same edges with the flow and against it", () => {
    const module = load(name);
    const wires = moduleWires(module);
    const seen = new Set([...wires.inputs(), ...valuesOf(module)]);
    for (const key of seen) {
      // The set grows as it goes.
      for (const next of [...wires.upstream(key).values, ...wires.downstream(key).values]) seen.add(next);
    }
    const up = [...seen].flatMap((key) => [...wires.upstream(key).values].map((from) => `${from} -> ${key}`)).sort();
    const down = [...seen].flatMap((key) => [...wires.downstream(key).values].map((to) => `${key} -> ${to}`)).sort();
    expect(up.length).toBeGreaterThan(1);
    expect(up).toEqual(down);
  });
});

describe("a scan that was lowered", () => {
  const module = load("pasted_scan");
  const wires = moduleWires(module);
  const [w, c, xs] = wires.inputs() as [string, string, string];
  const main = module.functions.find((each) => each.name === "main")!;
  const loop = main.region.blocks[0]!.ops.find((op) => op.name === "stablehlo.while")!;

  it("feeds its results from every input, through the loop and the call in it", () => {
    for (const input of [w, c, xs]) {
      const { outputs, parts } = atOnce(coneOf(wires, { way: "down", from: input, to: null }));
      expect(outputs).toEqual([0, 1]);
      expect(parts.within.has(loop.id)).toBe(true);
    }
  });

  it("depends on all of them against the flow", () => {
    const returned = main.region.blocks[0]!.ops.at(-1)!.operands[0]!.value;
    expect(atOnce(coneOf(wires, { way: "up", from: `|${returned}`, to: null })).inputs).toEqual([w, c, xs]);
  });

  it("has a path from an input to an op in the callee, and none back", () => {
    const call = loop.regions[1]!.blocks[0]!.ops.find((op) => op.callee === "closed_call")!;
    const tanh = module.functions
      .find((each) => each.name === "closed_call")!
      .region.blocks[0]!.ops.find((op) => op.name.endsWith("tanh"))!;
    const to = `${loop.id}/${call.id}/${tanh.id}`;
    expect(atOnce(coneOf(wires, { way: "path", from: xs, to })).joined).toBe(true);
    expect(atOnce(coneOf(wires, { way: "path", from: to, to: xs })).forward).toBe(false);
  });

  it("lights the pills and wires on the way", () => {
    const cone = atOnce(coneOf(wires, { way: "down", from: xs, to: null }));
    const scene = drawModule(module, { open: new Set(foldableOps(module)) });
    const { full, between } = shownOf(scene, cone.parts);
    expect(full.length).toBeGreaterThan(8);
    expect(between.length).toBeGreaterThan(10);
    // The counter is not fed by xs.
    const counter = scene.nodes.find(
      (node) => node.kind === "binder" && module.values[node.value?.split("|").at(-1) ?? ""]?.role === "counter",
    );
    expect(full).not.toContain(counter!.key);
  });
});

it("a value that a branch reads from outside is followed into it", () => {
  const module = load("branches");
  const wires = moduleWires(module);
  const double = [...everyOp(module)].find((op) => op.name.endsWith("multiply"))!;
  const reached = atOnce(reach(wires, double.id, "down"));
  const [branch] = [...everyOp(module)].filter((op) => op.name.endsWith("case")) as [Op];
  expect([...reached.eqns].filter((path) => path.startsWith(`${branch.id}/`))).toHaveLength(2);
  expect([...reached.outlets]).toContain("|out0");
});

it("what a branch of control flow asks decides what comes after it", () => {
  const module = load("blocks");
  const wires = moduleWires(module);
  const [n, x] = wires.inputs() as [string, string];
  expect(atOnce(coneOf(wires, { way: "down", from: x, to: null })).outputs).toEqual([0]);
  expect(atOnce(coneOf(wires, { way: "down", from: n, to: null })).outputs).toEqual([0]);
});

it("a module and its program agree on what the results depend on", () => {
  for (const name of ["02_training_scan", "05_loop_until", "06_branches", "09_jit_in_jit"]) {
    const program = example(name);
    const module = program.modules.stablehlo!;
    const wires = moduleWires(module);
    const entry = program.jaxprs[program.entry!]!;
    const ofJaxpr = [...entry.invars].map((id) => atOnce(coneOf(program, { way: "down", from: `|${id}`, to: null })).outputs);
    const ofModule = wires.inputs().map((key) => atOnce(coneOf(wires, { way: "down", from: key, to: null })).outputs);
    expect(ofModule).toEqual(ofJaxpr);
  }
});
