import { describe, expect, it } from "vitest";
import type { Program, Span } from "../../src/model/types.ts";
import { eqnIndex } from "../../src/page/program/instances.ts";
import { litBy } from "../../src/page/program/lit.ts";
import { callersOf, sourceOf, writtenAt } from "../../src/page/program/places.ts";
import { eqn, fixture, jaxpr, program, result, span, variable } from "./programs.ts";

const head: Span = { line: 1, col: 0, end_line: 2, end_col: 9 };
const call: Span = { line: 5, col: 8, end_line: 5, end_col: 12 };
const called: Program = program(
  [
    jaxpr(
      "j0",
      [
        eqn("e0", "mul", { span: span(4, 2, 7), call: 0, results: [result("a", "f32[]")] }),
        eqn("e1", "jit", {
          span: span(6, 2, 9),
          nested: [{ param: "jaxpr", label: "body", jaxpr: "j1", inputs: [], outputs: [], consts: [], finals: [] }],
        }),
      ],
      [variable("a", "f32[]"), variable("w", "f32[3]")],
      { invars: ["w"] },
    ),
    jaxpr("j1", [eqn("e2", "sin", { span: span(3, 4, 9) })], [variable("x", "f32[]")], { invars: ["x"], defined: head }),
  ],
  {
    calls: [{ function: "f", caller: null, span: call, library: false, handed: false }],
    written: [
      { what: "parameter", packed: "", span: span(2, 6, 7), values: [{ jaxpr: "j1", eqn: null, parts: { "": "x" } }] },
      { what: "parameter", packed: "", span: span(4, 20, 21), values: [{ jaxpr: "j0", eqn: null, parts: { "": "w" } }] },
    ],
  },
);

describe("a place of the paste", () => {
  it("means what was traced in the call that stands there", () => {
    expect(writtenAt(called, 5, 9)).toEqual({ eqns: ["e0"], values: [], span: call });
    expect(litBy(called, { kind: "place", line: 5, col: 9 }, true).spans).toEqual([call]);
  });

  it("means what the line has where nothing is written at the place itself", () => {
    expect(writtenAt(called, 5, 0).eqns).toEqual(["e0"]);
    expect(writtenAt(called, 4, 0).eqns).toEqual(["e0"]);
    expect(writtenAt(called, 9, 0).eqns).toEqual([]);
  });

  it("means, in the head of a function or its decorators, what runs its body", () => {
    expect(writtenAt(called, 1, 1)).toEqual({ eqns: ["e1"], values: [], span: head });
  });

  it("means the binders of a parameter", () => {
    expect(writtenAt(called, 2, 6).values).toEqual(["e1|x"]);
    expect(writtenAt(called, 4, 20).values).toEqual(["|w"]);
  });
});

describe("what led to an equation", () => {
  it("is the calls of its body and of those around it", () => {
    expect(callersOf(called, ["e0"])).toEqual([call]);
    expect(callersOf(called, ["e1", "e2"])).toEqual([span(6, 2, 9)]);
    expect(litBy(called, { kind: "eqn", path: "e0" }, true).callers).toEqual([call]);
  });
});

describe("where a value comes from", () => {
  it("is the equation that makes it or the parameter that it is", () => {
    expect(sourceOf(called, "|a")).toEqual([span(4, 2, 7)]);
    expect(sourceOf(called, "e1|x")).toEqual([span(2, 6, 7)]);
    expect(sourceOf(called, "|nothing")).toEqual([]);
  });
});

describe("in every example", () => {
  for (const name of ["01_grad_of_scan", "05_loop_until", "06_branches", "07_recompute", "08_steps_that_differ", "09_jit_in_jit"]) {
    it(`${name}: the place of every equation leads to it, also through its calls`, () => {
      for (const traced of fixture(name).programs) {
        for (const { eqn: one } of eqnIndex(traced).values()) {
          if (one.span === null) continue;
          // The end of an expression is in no narrower one that starts later.
          const found = writtenAt(traced, one.span.end_line, one.span.end_col - 1).eqns.concat(
            writtenAt(traced, one.span.line, one.span.col).eqns,
          );
          expect(found.length).toBeGreaterThan(0);
          for (let at = one.call; at !== null; at = traced.calls[at]?.caller ?? null) {
            const outer = traced.calls[at]?.span;
            if (outer != null) expect(writtenAt(traced, outer.line, outer.col).eqns.length).toBeGreaterThan(0);
          }
        }
      }
    });
  }
});
