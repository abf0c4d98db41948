// Where the rules of custom_jvp, custom_vjp and custom_vmap are written. JAX says no more than their names: the place is that of the only function
// of the text with such a name, and where there are several, or none, there is no place.
import { rulesOf } from "../../drawing/graph/titles.ts";
import type { Eqn, Span } from "../../model/types.ts";
import type { Sentence } from "./words.ts";

const WORDS: Readonly<Record<string, string>> = {
  jvp: "The forward derivative rule is ",
  fwd: "Its forward half is ",
  bwd: "Its backward half is ",
  vmap: "The batching rule is ",
};

export function ruleSentences(eqn: Eqn, source: string): Sentence[] {
  return rulesOf(eqn).map(({ rule, name }) => {
    const span = definedAt(source, name);
    const where: Sentence = span === null ? [] : [", defined on ", { text: `line ${span.line}`, span }];
    return [WORDS[rule] ?? "", { code: name }, ...where, "."];
  });
}

/** Its head, in columns of UTF-8 as all spans are; null where it is not the only one. */
function definedAt(source: string, name: string): Span | null {
  const heads = source
    .split("\n")
    .flatMap((text, i) => (new RegExp(`^\\s*(async\\s+)?def\\s+${name}\\s*\\(`).test(text) ? [{ text, line: i + 1 }] : []));
  const [head] = heads;
  if (head === undefined || heads.length > 1) return null;
  const end = new TextEncoder().encode(head.text.trimEnd()).length;
  return { line: head.line, col: head.text.length - head.text.trimStart().length, end_line: head.line, end_col: end };
}
