import { describe, expect, it } from "vitest";
import type { Jaxpr, Program, Span } from "../../src/model/types.ts";
import { explain, operandRows, toText } from "../../src/page/explain/index.ts";
import { placeOf } from "../../src/page/program/instances.ts";
import { boundAt, factsOf } from "../../src/page/program/value.ts";
import { eqn, jaxpr, operand, program, result, variable } from "./programs.ts";

const at = (line: number): Span => ({ line, col: 4, end_line: line, end_col: 6 });
const wired = [0, 1, 2].map((index) => ({ from: "operand" as const, index }));

function loop(primitive: string, roles: readonly string[], bound: Jaxpr["bound"], name = "step"): Program {
  const vars = ["a", "b", "c"];
  const body = jaxpr("j1", [], [variable("x", "f32[]", "lr"), variable("y", "f32[]", "scale"), variable("z", "f32[]", "w")], {
    name,
    invars: ["x", "y", "z"],
    outvars: [{ var: "z" }],
    bound,
  });
  const call = {
    param: "jaxpr",
    label: "body",
    jaxpr: "j1",
    inputs: wired,
    consts: [],
    finals: [],
    outputs: [[{ to: "result" as const, index: 0 }]],
  };
  const outer = eqn("e0", primitive, {
    operands: vars.map((id, index) => operand(id, roles[index] as "const")),
    results: [result("d", "f32[]", "carry")],
    nested: [call],
  });
  const top = jaxpr("j0", [outer], [variable("a", "f32[]", "lr"), ...["b", "c", "d"].map((id) => variable(id, "f32[]"))], {
    invars: vars,
    outvars: [{ var: "d" }],
  });
  return program([top, body]);
}

const said = (traced: Program): string[] => explain(traced, "e0").map(toText);

describe("where a closed-over variable was bound", () => {
  it("is said of one const, with a way to the line", () => {
    const traced = loop("scan", ["const", "carry", "xs"], { x: at(7) });
    expect(said(traced)[2]).toBe("lr is bound outside of step, on line 7: that is why it is a const.");
    const link = explain(traced, "e0")[2]?.find((piece) => typeof piece !== "string" && "span" in piece);
    expect(link).toEqual({ text: "line 7", span: at(7) });
  });

  it("is said of several together", () => {
    const traced = loop("scan", ["const", "const", "carry"], { x: at(3), y: at(12) });
    expect(said(traced)[2]).toBe("lr (line 3) and scale (line 12) are bound outside of step: that is why they are consts.");
  });

  it("says by which name the body reads it, where that is another", () => {
    const traced = loop("scan", ["const", "carry", "xs"], { x: at(7) });
    const renamed = traced.jaxprs.j1?.vars.x;
    if (renamed !== undefined) renamed.label = "rate";
    expect(said(traced)[2]).toBe("lr, read as rate, is bound outside of step, on line 7: that is why it is a const.");
  });

  it("names no function that has no name", () => {
    const traced = loop("scan", ["const", "carry", "xs"], { x: at(7) }, "<lambda>");
    expect(said(traced)[2]).toBe("lr is bound outside of the body, on line 7: that is why it is a const.");
  });

  it("is said of the operand of a call that nobody passes", () => {
    const traced = loop("jit", ["arg", "arg", "arg"], { x: at(7) });
    expect(said(traced)).toContain("lr is bound outside of step, on line 7: that is why it is an operand though nobody passes it.");
  });

  it("is not made up: where it is not known nothing is said", () => {
    const traced = loop("scan", ["const", "carry", "xs"], {});
    expect(said(traced).join(" ")).not.toContain("bound");
    const place = placeOf(traced, "e0");
    expect(place === null ? null : operandRows(traced, place).map((row) => row.inner?.bound)).toEqual([null, null, null]);
  });

  it("is a fact of the value", () => {
    const traced = loop("scan", ["const", "carry", "xs"], { x: at(7) });
    expect(factsOf(traced, "e0|x")?.bound).toEqual(at(7));
    expect(factsOf(traced, "e0|z")?.bound).toBeNull();
  });

  it("is unknown in a file saved before it was known", () => {
    const { bound, ...old } = jaxpr("j", [], []);
    expect(bound).toEqual({});
    expect(boundAt(old as Jaxpr, "x")).toBeNull();
  });
});
