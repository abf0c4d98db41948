/** Bodies that work on refs: what a ref holds at the end is a result, and what a body closes over comes from an operand. */
import { expect, it } from "vitest";
import { drawProgram } from "../../src/drawing/index.ts";
import { eqn, jaxpr, operand, program, result, variable } from "../page/programs.ts";

const get = eqn("e1", "get", { operands: [operand("v3", "arg")], results: [result("v4", "f32[4]")] });
const swap = eqn("e2", "swap", { operands: [operand("v3", "arg"), operand("v4", "arg"), operand("v5", "arg")], results: [] });
const body = jaxpr("j1", [get, swap], [variable("v3", "Ref{f32[4]}"), variable("v4", "f32[4]"), variable("v5", "f32[4]")], {
  invars: ["v3"],
  constvars: ["v5"],
});
const call = {
  param: "jaxpr",
  label: "body",
  jaxpr: "j1",
  inputs: [{ from: "operand" as const, index: 0 }],
  outputs: [],
  consts: [{ from: "operand" as const, index: 1 }],
  finals: [[{ to: "result" as const, index: 0 }]],
};
const run = eqn("e0", "run_state", {
  operands: [operand("v0", "arg"), operand("v1", "arg")],
  results: [result("v2", "f32[4]")],
  nested: [call],
});
const entry = jaxpr("j0", [run], [variable("v0", "f32[4]"), variable("v1", "f32[4]"), variable("v2", "f32[4]")], {
  invars: ["v0", "v1"],
  outvars: [{ var: "v2" }],
});
const scene = drawProgram(program([entry, body]), { open: new Set(["e0"]) });
const owner = new Map(scene.ports.map((port) => [port.key, port.owner]));
const wires = scene.wires.map((wire) => `${owner.get(wire.from)} > ${owner.get(wire.to)}`);

it("leads the end of a ref to the result, once", () => {
  expect(wires.filter((wire) => wire.endsWith("> e0|result0"))).toEqual(["e0#0 > e0|result0"]);
});

it("leads an operand to what the body closes over", () => {
  expect(wires).toContain("e0|operand1 > e0#0");
  expect(wires).toContain("e0|v5 > e0/e2");
});
