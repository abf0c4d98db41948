import { describe, expect, it } from "vitest";
import type { Span } from "../../src/model/types.ts";
import { functionAt, wordAt } from "../../src/page/program/hints/functions.ts";
import { type Hint, hintAt, hintsInTurns, hintsOf, inline, keyOf, standing, unhinted } from "../../src/page/program/hints/index.ts";
import { circumstances } from "../../src/page/program/hints/times.ts";
import { typeOf } from "../../src/page/program/hints/tree.ts";
import { eqnIndex, eqnOf } from "../../src/page/program/instances.ts";
import { eqn, fixture, jaxpr, operand, program, result, span, variable } from "./programs.ts";

const EXAMPLES = [
  "01_grad_of_scan",
  "02_training_scan",
  "03_python_number_is_a_literal",
  "04_unroll_is_a_param",
  "05_loop_until",
  "06_branches",
  "07_recompute",
  "08_steps_that_differ",
  "09_jit_in_jit",
  "10_rules_of_your_own",
];

function of(name: string): readonly Hint[] {
  const { programs } = fixture(name);
  return hintsOf(programs[0] ?? null, programs);
}

function line(hints: readonly Hint[], at: number): string[] {
  return hints.filter((hint) => hint.span.end_line === at).map((hint) => inline(hint)?.text ?? "");
}

describe("the type of a value", () => {
  it("is put together from its parts", () => {
    expect(typeOf({ "": "f32[3]" })).toBe("f32[3]");
    expect(typeOf({ "[0]": "f32[]", "[1]": "f32[8]" })).toBe("(f32[], f32[8])");
    expect(typeOf({ "['w']": "f32[3]", "['b']": "f32[]" })).toBe("{w: f32[3], b: f32[]}");
    expect(typeOf({ ".mean": "f32[]", ".layers[0]": "f32[2]" })).toBe("{mean: f32[], layers: (f32[2], …)}");
  });

  it("is a count where it would be long", () => {
    expect(typeOf(Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`[${at}]`, "f32[128,64]"])))).toBe("5 arrays");
  });

  it("leaves open what is not known of a tuple", () => {
    expect(typeOf({ "[0]": "f32[]" })).toBe("(f32[], …)");
    expect(typeOf({ "[1]": "f32[8]" })).toBe("(…, f32[8])");
  });
});

describe("hints of large programs", () => {
  it("are made in turns, once, and are those that are made at once", () => {
    const eqns = Array.from({ length: 2_500 }, (_, at) =>
      eqn(`e${at}`, "sin", { operands: [operand(`v${at}`, "arg")], results: [result(`v${at + 1}`, "f32[]")], span: span(1, 0, 1, 4) }),
    );
    const vars = Array.from({ length: 2_501 }, (_, at) => variable(`v${at}`, "f32[]"));
    const values = eqns.map(({ id, results }) => ({ jaxpr: "j0", eqn: id, parts: { "": results[0]?.var ?? "" } }));
    const large = program([jaxpr("j0", eqns, vars)], { written: [{ what: "expression", span: span(1, 0, 1, 4), values, packed: "" }] });
    expect(unhinted(large, [])).toEqual([large]);
    const turns = hintsInTurns(large);
    let stops = 0;
    while (turns.next().done !== true) stops++;
    expect(stops).toBeGreaterThan(100);
    expect(unhinted(large, [])).toEqual([]);
    // A later level gives a new program around the same jaxprs.
    expect(unhinted({ ...large }, [])).toEqual([]);
    expect(hintsOf(large, [])).toEqual(hintsOf({ ...large, jaxprs: { ...large.jaxprs } }, []));
    expect(hintsOf(large, [])[0]?.times.length).toBe(2_500);
  });
});

describe("hints of the examples", () => {
  for (const name of EXAMPLES) {
    it(`${name}: each has the type of an equation that was written there, or of a call that led to it`, () => {
      for (const traced of fixture(name).programs) {
        for (const { what, span: place, times } of hintsOf(traced, [])) {
          expect(times.length).toBeGreaterThan(0);
          for (const { path, type, pass } of what === "parameter" ? [] : times) {
            if (path === null) continue;
            const eqn = eqnIndex(traced).get(eqnOf(path))?.eqn;
            const own = eqn?.span != null && keyOf(eqn.span) === keyOf(place);
            let called = false;
            for (let at = eqn?.call ?? null; at !== null; at = traced.calls[at]?.caller ?? null) {
              const outer = traced.calls[at]?.span;
              called ||= outer != null && keyOf(outer) === keyOf(place);
            }
            expect(own || called, `${keyOf(place)} ${type}`).toBe(true);
            for (const part of type.match(/\b\w+\[[^\]]*\]/g) ?? []) expect(eqn?.results.map(({ aval }) => aval)).toContain(part);
            expect(pass === "backward").toBe(circumstances(traced, path).pass === "backward");
          }
        }
      }
    });
  }

  it("stand where they say something new", () => {
    const hints = standing(of("02_training_scan"));
    expect(line(hints, 8)).toEqual(["f32[3]", "(f32[2,3], f32[2])"]);
    expect(line(hints, 11)).toEqual(["f32[3]"]);
    expect(line(hints, 13)).toEqual(["(f32[3], f32[6])"]);
    // (x @ w - y) ** 2 has another type than the mean of it; x @ w has the same as that.
    expect(line(hints, 10)).toContain("f32[2]");
    expect(line(hints, 10).filter((text) => text === "f32[2]")).toHaveLength(1);
  });

  it("count every time but the backward ones, which follow", () => {
    const hint = of("07_recompute").find(({ times }) => times.some(({ pass }) => pass === "recomputed"));
    expect(hint?.times[0]?.pass).toBe("forward");
    expect(inline(hint as Hint)?.more).toBeGreaterThan(0);
    const passes = hint?.times.map(({ pass }) => pass) ?? [];
    expect(passes.indexOf("backward")).toBe(passes.filter((pass) => pass !== "backward").length);
  });

  it("say in which branch and loop", () => {
    const around = of("06_branches").flatMap(({ times }) => times.flatMap((time) => time.around));
    expect(around).toContain("scan ×7");
    expect(around.some((words) => words.startsWith("branch "))).toBe(true);
    expect(of("05_loop_until").flatMap(({ times }) => times.flatMap((time) => time.around))).toContain("while body");
  });

  it("name the batch of a vmap", () => {
    const { programs } = fixture("jitted_loss");
    const batched = programs.find(({ name }) => name.includes("vmap")) ?? programs[2];
    expect(hintsOf(batched ?? null, []).some((hint) => inline(hint)?.text.startsWith("vmap f32["))).toBe(true);
  });
});

describe("standing hints", () => {
  const hint = (place: Span, type: string): Hint => ({
    what: "expression",
    span: place,
    times: [{ program: "p0", type, path: null, pass: "forward", batched: false, around: [] }],
  });
  const inner = hint(span(1, 4, 6), "f32[2]");
  const outer = hint(span(1, 0, 9), "f32[2]");

  it("leave out an expression with the type of the one around it, and the inner of two that end together", () => {
    expect(standing([inner, outer])).toEqual([outer]);
    expect(standing([hint(span(1, 4, 6), "f32[]"), outer])).toHaveLength(2);
    expect(standing([hint(span(1, 4, 9), "f32[]"), outer])).toEqual([outer]);
  });

  it("are found by the narrowest that holds a place", () => {
    expect(hintAt([outer, inner], 1, 5)).toBe(inner);
    expect(hintAt([outer, inner], 1, 8)).toBe(outer);
    expect(hintAt([outer, inner], 2, 0)).toBeNull();
  });
});

describe("the function at a place", () => {
  const source = "import jax\ndef loss(w, xs):\n    return (xs @ w).sum()\nloss(w, xs)\n";
  const { programs } = fixture("01_grad_of_scan");

  it("is one that the paste defines", () => {
    expect(wordAt("loss(w, xs)", 4)).toBe("loss");
    expect(wordAt("loss (w)", 5)).toBeNull();
    expect(functionAt(source, { line: 4, col: 2 }, [], [])).toMatchObject({ fun: "loss", program: null, parameters: null });
    expect(functionAt(source, { line: 4, col: 6 }, [], [])).toBeNull();
  });

  it("has the types that its parameters had", () => {
    const text = "\n\n\n\n\n\ndef loss(gain, h0, xs):\n    pass\n";
    const found = functionAt(text, { line: 7, col: 5 }, [], hintsOf(programs[0] ?? null, programs));
    expect(found?.parameters?.map(({ name, text: type }) => `${name}: ${type}`)).toEqual(["gain: f32[]", "h0: f32[]", "xs: f32[8]"]);
  });
});
