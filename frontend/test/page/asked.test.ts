import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/types.ts";
import {
  askedWith,
  barOf,
  choicesFor,
  chosenOf,
  EXPRESSION,
  faultsOf,
  fieldValue,
  standsAtField,
  wordsOf,
} from "../../src/page/state/asked.ts";
import type { Choice } from "../../src/page/state/functions.ts";
import type { Answer, Asked } from "../../src/page/state/types.ts";
import { problem, trace, trainingScan } from "./programs.ts";

const arg = (name: string, parts: Partial<Choice["args"][number]> = {}) => ({
  name,
  annotation: null,
  default: null,
  suggestion: null,
  ...parts,
});
const loss: Choice = { fun: "loss", span: null, args: [arg("w", { suggestion: "f32[3]" }), arg("xs"), arg("lr", { default: "0.1" })] };

function answered(asked: Asked | null, diagnostics: Diagnostic[] = [], programs = [trainingScan()]): Answer {
  return { trace: trace(programs, { diagnostics }), source: "code", asked, wishes: [] };
}

describe("fields", () => {
  it("hold what was typed, else the suggestion, else nothing", () => {
    const typed = { loss: { xs: "f32[6,3]" } };
    expect(loss.args.map((parameter) => fieldValue(typed, "loss", parameter))).toEqual(["f32[3]", "f32[6,3]", ""]);
    expect(fieldValue({ loss: { w: "" } }, "loss", arg("w", { suggestion: "f32[3]" }))).toBe("");
    expect(fieldValue({ loss: {} }, "loss", arg("constructor"))).toBe("");
    expect(fieldValue({}, "__proto__", arg("x"))).toBe("");
  });

  it("that are empty are left to the defaults when sent", () => {
    expect(askedWith(loss, { loss: { xs: " f32[6,3] " } })).toEqual({ fun: "loss", signature: { w: "f32[3]", xs: "f32[6,3]" }, args: "" });
    expect(wordsOf(askedWith(loss, {}))).toBe("loss(w: f32[3])");
  });

  it("of an expression are the function and all arguments", () => {
    const asked = askedWith(EXPRESSION, { "": { fun: "jax.grad(loss)", args: "f32[3], 2.0" } });
    expect(asked).toEqual({ fun: "jax.grad(loss)", signature: null, args: "f32[3], 2.0" });
    expect(wordsOf(asked)).toBe("jax.grad(loss)(f32[3], 2.0)");
  });
});

describe("the bar", () => {
  const shut = { open: false, fun: null };
  const base = { bar: shut, asked: null, latest: null, failure: null, shown: null };
  const offers = [{ fun: "f", args: [], span: null }];

  it("comes by itself when nothing is called, and only then", () => {
    expect(barOf(base)).toBe("none");
    const offered = { ...answered(null), trace: trace([], { offers }) };
    expect(barOf({ ...base, latest: offered })).toBe("fields");
    expect(barOf({ ...base, latest: { ...offered, trace: trace([trainingScan()], { offers }) } })).toBe("none");
  });

  it("does not come over a program while a mistake is made and mended", () => {
    const mistaken = { ...answered(null), trace: trace([], { offers, diagnostics: [problem("error", "NameError: foo")] }) };
    expect(barOf({ ...base, latest: mistaken })).toBe("fields");
    expect(barOf({ ...base, latest: mistaken, shown: answered(null) })).toBe("none");
    expect(barOf({ ...base, latest: { ...mistaken, trace: trace([], { offers }) }, shown: answered(null) })).toBe("fields");
  });

  it("is a summary while a function is traced, and fields when it is opened", () => {
    const asked = askedWith(loss, {});
    expect(barOf({ ...base, asked })).toBe("summary");
    expect(barOf({ ...base, asked, bar: { ...shut, open: true } })).toBe("fields");
  });

  it("shows the function chosen by hand, else the one traced, else the first", () => {
    const other: Choice = { fun: "other", span: null, args: [] };
    const choices = [other, loss, EXPRESSION];
    expect(chosenOf({ bar: shut, asked: null }, choices)).toBe(other);
    expect(chosenOf({ bar: shut, asked: askedWith(loss, {}) }, choices)).toBe(loss);
    expect(chosenOf({ bar: { ...shut, fun: "other" }, asked: askedWith(loss, {}) }, choices)).toBe(other);
    expect(chosenOf({ bar: { ...shut, fun: "gone" }, asked: null }, choices)).toBe(other);
    expect(chosenOf({ bar: shut, asked: { fun: "jax.grad(loss)", signature: null, args: "" } }, choices)).toBe(EXPRESSION);
    expect(chosenOf({ bar: shut, asked: null }, [])).toBe(EXPRESSION);
  });
});

describe("the list", () => {
  it("has an expression at its end, and a function that was traced before the page was loaded anew", () => {
    const list = (asked: Asked | null): string[] => choicesFor({ latest: null, source: "def f(x): ...", asked }).map(({ fun }) => fun);
    expect(list(null)).toEqual(["f", ""]);
    expect(list({ fun: "f", signature: {}, args: "" })).toEqual(["f", ""]);
    expect(list({ fun: "model.loss", signature: { x: "f32[3]" }, args: "" })).toEqual(["model.loss", "f", ""]);
    expect(list({ fun: "jax.grad(f)", signature: null, args: "" })).toEqual(["f", ""]);
  });
});

describe("errors", () => {
  const typed = { loss: { w: "f33[3]", xs: "f32[6,3]" } };
  const latest = answered(askedWith(loss, typed), [
    problem("signature.w", "name 'f33' is not defined"),
    problem("signature.lr", "no default"),
  ]);

  it("stand at the field that is at fault, as long as it holds what was sent", () => {
    expect([...faultsOf({ latest, typed }, loss)]).toEqual([
      ["w", { message: "name 'f33' is not defined", advice: "Do." }],
      ["lr", { message: "no default", advice: "Do." }],
    ]);
    const mended = { loss: { ...typed.loss, w: "f32[3]" } };
    expect([...faultsOf({ latest, typed: mended }, loss).keys()]).toEqual(["lr"]);
  });

  it("of parameters with stars are found with and without them", () => {
    const starred: Choice = { fun: "f", span: null, args: [arg("*rest"), arg("**more")] };
    const given = { f: { "*rest": "f32", "**more": "{}" } };
    const said = answered(askedWith(starred, given), [problem("signature.rest"), problem("signature.**more")]);
    expect([...faultsOf({ latest: said, typed: given }, starred).keys()]).toEqual(["*rest", "**more"]);
  });

  it("of another function, or of the paste, do not stand at these fields", () => {
    expect(faultsOf({ latest, typed }, { ...loss, fun: "other" }).size).toBe(0);
    expect(faultsOf({ latest: answered(askedWith(loss, typed), [problem(null)]), typed }, loss).size).toBe(0);
    expect(faultsOf({ latest: answered(null, [problem("signature.w")]), typed }, loss).size).toBe(0);
  });

  it("of a parameter that is gone, of the function, or of all of them, stand under the fields", () => {
    for (const field of ["signature.q", "fun", "signature", "args"])
      expect([...faultsOf({ latest: answered(askedWith(loss, typed), [problem(field)]), typed }, loss).keys()]).toEqual([""]);
    const expression = { "": { fun: "nope", args: "" } };
    const said = answered(askedWith(EXPRESSION, expression), [problem("fun")]);
    expect([...faultsOf({ latest: said, typed: expression }, EXPRESSION).keys()]).toEqual(["fun"]);
  });

  it("are told from those that are listed under the code", () => {
    expect(
      ["fun", "args", "signature", "signature.w", "transforms[0].steps[1]", null].map((field) => standsAtField(problem(field))),
    ).toEqual([true, true, true, true, true, false]);
  });
});
