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

describe("equations that are gone after optimisation", () => {
  const add = { params: [], operands: [operand("x", "arg"), operand("y", "arg")] };
  const compiled = program(
    [
      jaxpr(
        "j0",
        [
          eqn("e0", "broadcast_in_dim", {
            operands: [operand({ literal: "0.0", aval: "f32[]" }, "arg")],
            results: [result("a", "f32[3]")],
          }),
          eqn("e1", "neg", { operands: [operand("a", "arg")], results: [result("b", "f32[3]")] }),
          eqn("e2", "add", { ...add, results: [result("c", "f32[3]")] }),
          eqn("e3", "add", { ...add, results: [result("d", "f32[3]")] }),
          eqn("e4", "reshape", { operands: [operand("x", "arg")], results: [result("e", "f32[3]")] }),
          eqn("e5", "sin", { operands: [operand("x", "arg")], results: [result("f", "f32[3]", "result", false)] }),
        ],
        ["a", "b", "c", "d", "e", "f"].map((id) => variable(id, "f32[3]")),
        { outvars: ["a", "b", "c", "d", "e"].map((id) => ({ var: id })) },
      ),
    ],
    {
      modules: { stablehlo: module([]), hlo: module([]) },
      links: { stablehlo: { e0: ["o0"], e1: ["o1"], e2: ["o2"], e3: ["o3"], e4: ["o4"] }, hlo: { e2: ["h2"] } },
    },
  );

  it("say why only where the program shows it", () => {
    expect(goneReason(compiled, "hlo", "e2")).toBeNull();
    expect(goneReason(compiled, "hlo", "e1")).toBe("It has only constants to compute with: XLA did that while compiling.");
    expect(goneReason(compiled, "hlo", "e3")).toBe("Another add of the same operands computes the same, and XLA keeps one of them.");
    expect(goneReason(compiled, "hlo", "e4")).toBe("");
    expect(goneReason(compiled, "hlo", "e5")).toBe(
      "It was gone after lowering already. Nothing reads what it gives, so the lowering left it out.",
    );
  });
});

describe("equations that are gone after lowering", () => {
  it("have a reason where the program tells it", () => {
    expect(goneReason(lowered, "stablehlo", "e1")).toBe("Nothing reads what it gives, so the lowering left it out.");
    expect(goneReason(lowered, "stablehlo", "e0")).toBe("Only equations that are gone too read what it gives.");
    expect(goneReason(lowered, "stablehlo", "e2")).toBe("Its body was written out in place: it has no op of its own.");
    expect(goneReason(lowered, "stablehlo", "e4")).toBe("");
    expect(goneReason(lowered, "stablehlo", "e3")).toBeNull();
  });
});
