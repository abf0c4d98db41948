/** An equation that calls a module as it is: the module is drawn inside of it, and its values go in and out. */
import { expect, it } from "vitest";
import { initialOpen as initialPlain } from "../../src/drawing/graph/folds.ts";
import { mainFunction } from "../../src/drawing/graph/ops/context.ts";
import { drawModule, drawProgram, foldable, foldableOps, initialOpen } from "../../src/drawing/index.ts";
import { drawProgram as drawPlain } from "../../src/drawing/program.ts";
import * as build from "../page/programs.ts";
import { example } from "./fixtures.ts";

const module = example("total").modules.stablehlo!;
const main = mainFunction(module)!;
const vars = [...main.args.map((_, i) => build.variable(`v${i}`, "f32[]")), build.variable("r0", "f32[]")];
const operands = main.args.map((_, i) => ({ atom: { var: `v${i}` }, role: "arg" as const, kind: null, linear: null }));
const call = build.eqn("e0", "call_exported", { operands, results: [build.result("r0", "f32[]")] });
const entry = build.jaxpr("j0", [call], vars, { invars: main.args.map((_, i) => `v${i}`), outvars: [{ var: "r0" }] });
const program = build.program([entry], { embedded: [{ eqns: ["e0"], module }] });

it("opens at first, as a body does", () => {
  expect([...initialOpen(program)]).toEqual(["e0"]);
});

it("has all that the module can open, under the path of the equation", () => {
  expect(foldable(program)).toEqual(["e0", ...foldableOps(module).map((op) => `e0/${op}`)]);
});

it("is not drawn as an empty call where what draws modules was not given", () => {
  expect(() => drawPlain(program, { open: new Set() })).toThrow("what draws modules was not given");
  expect(() => initialPlain(program)).toThrow("what draws modules was not given");
});

it("shows the ops of the module, fed by the operands", () => {
  const scene = drawProgram(program, { open: new Set(foldable(program)) });
  const alone = drawModule(module, { open: new Set(foldableOps(module)) });
  const ops = (keys: readonly (string | null)[]): (string | null)[] => keys.filter((key) => key !== null).sort();
  const inside = scene.nodes.filter((node) => node.kind === "op").map((node) => node.eqn);
  expect(ops(inside)).toEqual(ops(alone.nodes.filter((node) => node.kind === "op").map((node) => `e0/${node.eqn}`)));
  const binders = scene.nodes.filter((node) => node.kind === "binder" && node.eqn === "e0");
  expect(binders).toHaveLength(main.args.length);
  for (const binder of binders)
    expect(scene.wires.some((wire) => wire.to.startsWith(binder.key) || wire.from.startsWith(binder.key))).toBe(true);
});
