import { describe, expect, it } from "vitest";
import { goneReason } from "../../src/page/program/gone.ts";
import { eqn, jaxpr, module, operand, program, result, variable } from "./programs.ts";

const body = jaxpr("j1", [eqn("e9", "sin", { results: [result("s", "f32[]")] })], [variable("s", "f32[]")]);
const lowered = program(
  [
    jaxpr(
      "j0",
      [
        eqn("e0", "pow", { results: [result("a", "f32[]")] }),
        eqn("e1", "sum", { operands: [operand("a", "arg")], results: [result("b", "f32[]", "result", false)] }),
        eqn("e2", "custom_jvp_call", {
          nested: [{ param: "jaxpr", label: "body", jaxpr: "j1", inputs: [], outputs: [], consts: [], finals: [] }],
          results: [result("c", "f32[]")],
        }),
        eqn("e3", "cos", { operands: [operand("c", "arg")], results: [result("d", "f32[]")] }),
        eqn("e4", "neg", { results: [result("e", "f32[]")] }),
      ],
      ["a", "b", "c", "d", "e"].map((id) => variable(id, "f32[]")),
      { outvars: [{ var: "d" }, { var: "e" }] },
    ),
    body,
  ],
  { modules: { stablehlo: module([]) }, links: { stablehlo: { e9: ["o1"], e3: ["o2"] } } },
);

describe("equations that are gone after lowering", () => {
  it("have a reason where the program tells it", () => {
    expect(goneReason(lowered, "stablehlo", "e1")).toBe("Nothing reads what it gives, so the lowering left it out.");
    expect(goneReason(lowered, "stablehlo", "e0")).toBe("Only equations that are gone too read what it gives.");
    expect(goneReason(lowered, "stablehlo", "e2")).toBe("Its body was written out in place: it has no op of its own.");
    expect(goneReason(lowered, "stablehlo", "e4")).toBe("");
    expect(goneReason(lowered, "stablehlo", "e3")).toBeNull();
  });
});
