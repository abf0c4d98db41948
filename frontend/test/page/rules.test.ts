import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toText } from "../../src/page/explain/index.ts";
import { ruleSentences } from "../../src/page/explain/rules.ts";
import { fixture } from "./programs.ts";

const source = readFileSync(new URL("../programs/frame_rules.py", import.meta.url), "utf8");
const [program] = fixture("frame_rules").programs;
if (program === undefined) throw new Error("no program");
/** As an older file or a print says it: without what tracing knows of rules. */
const older = { ...program, rules: {} };
const said = (primitive: string, text: string, of = older) =>
  (program.jaxprs.j0?.eqns ?? []).filter((eqn) => eqn.primitive === primitive).flatMap((eqn) => ruleSentences(eqn, of, text));

it("rules lead to the function that JAX will call, whatever its name", () => {
  // The text that is given here has none of them: the places are of the trace.
  expect(said("custom_vjp_call", "", program).map(toText)).toEqual([
    "Its forward half is clipped_fwd, defined on line 20.",
    "Its backward half is clipped_bwd, defined on line 24.",
  ]);
  expect(said("custom_jvp_call", "", program).map(toText)).toEqual(["The forward derivative rule is a lambda, defined on line 12."]);
});

it("what is not differentiated, and rules of one argument, are said", () => {
  const [eqn] = (program.jaxprs.j0?.eqns ?? []).filter(({ primitive }) => primitive === "custom_jvp_call");
  if (eqn === undefined) throw new Error("no equation");
  const rules = [{ rule: "jvp" as const, name: "<lambda>", of: "x", span: { line: 2, col: 0, end_line: 2, end_col: 9 } }];
  const nondiff = [
    { name: "f", text: "sin" },
    { name: null, text: "3" },
  ];
  const known = { ...program, rules: { [eqn.id]: { rules, nondiff } } };
  expect(ruleSentences(eqn, known, source).map(toText)).toEqual([
    "The forward derivative rule for x is a lambda, defined on line 2.",
    "Not differentiated: f = sin and 3. The rules are given that as it is.",
  ]);
});

it("where the trace does not know them, rules of one's own lead to the line where a function of the name is written", () => {
  expect(said("custom_vjp_call", source).map(toText)).toContain("Its backward half is clipped_bwd, defined on line 24.");
  expect(said("custom_vmap_call", source).map(toText)).toEqual(["The batching rule is rowwise_rule, defined on line 37."]);
  const [span] = said("custom_vmap_call", source)
    .flat()
    .flatMap((piece) => (typeof piece === "object" && "span" in piece ? [piece.span] : []));
  expect(span).toEqual({ line: 37, col: 0, end_line: 37, end_col: "def rowwise_rule(size, batched, x):".length });
});

it("no place is said where the text has none, or several", () => {
  const words = ["The batching rule is rowwise_rule."];
  expect(said("custom_vmap_call", "from rules import rowwise_rule\n").map(toText)).toEqual(words);
  expect(said("custom_vmap_call", `${source}\nif True:\n    def rowwise_rule(size, batched, x): pass\n`).map(toText)).toEqual(words);
  // A lambda has no name.
  expect(said("custom_jvp_call", source)).toEqual([]);
});
