// Where the rules of custom_jvp, custom_vjp and custom_vmap are written, and what they do not differentiate. Where the trace does not know the
// functions (a print, an older file) JAX says no more than their names: the place is then that of the only function of the text with such a name,
// and where there are several, or none, there is no place.
import { rulesOf } from "../../drawing/graph/titles.ts";
import type { CustomRules, Eqn, Program, Span } from "../../model/types.ts";
import type { Piece, Sentence } from "./words.ts";

const WORDS: Readonly<Record<string, string>> = {
  jvp: "The forward derivative rule is ",
  fwd: "Its forward half is ",
  bwd: "Its backward half is ",
  vmap: "The batching rule is ",
};

export function ruleSentences(eqn: Eqn, program: Program, source: string): Sentence[] {
  const known = program.rules?.[eqn.id];
  if (known === undefined) return rulesOf(eqn).map(({ rule, name }) => saying(rule, name, null, definedAt(source, name)));
  const others = rulesOf(eqn).filter(({ rule }) => !known.rules.some((own) => own.rule === rule));
  return [
    ...known.rules.map(({ rule, name, of, span }) => saying(rule, name, of, span)),
    ...others.map(({ rule, name }) => saying(rule, name, null, null)),
    ...nondiffSentence(known),
  ];
}

function saying(rule: string, name: string, of: string | null, span: Span | null): Sentence {
  const words = WORDS[rule] ?? "";
  const head: Piece[] = of === null ? [words] : [words.replace(/ is $/, " for "), { code: of }, " is "];
  const where: Piece[] = span === null ? [] : [", defined on ", { text: `line ${span.line}`, span }];
  return [...head, name === "<lambda>" ? "a lambda" : { code: name }, ...where, "."];
}

/** `n` = 3 and `f` = sin: what the rules are given as it is. */
function nondiffSentence({ nondiff }: CustomRules): Sentence[] {
  if (nondiff.length === 0) return [];
  const each = nondiff.map(({ name, text }): Piece[] => (name === null ? [{ code: text }] : [{ code: name }, " = ", { code: text }]));
  const listed = each.flatMap((pieces, at): Piece[] => (at === 0 ? pieces : [at === each.length - 1 ? " and " : ", ", ...pieces]));
  return [["Not differentiated: ", ...listed, ". The rules are given that as it is."]];
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
