import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toText } from "../../src/page/explain/index.ts";
import { ruleSentences } from "../../src/page/explain/rules.ts";
import { fixture } from "./programs.ts";

const source = readFileSync(new URL("../programs/frame_rules.py", import.meta.url), "utf8");
const eqns = fixture("frame_rules").programs[0]?.jaxprs.j0?.eqns ?? [];
const said = (primitive: string, text: string) =>
  eqns.filter((eqn) => eqn.primitive === primitive).flatMap((eqn) => ruleSentences(eqn, text));

it("rules of one's own lead to the line where they are written", () => {
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
