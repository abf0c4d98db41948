// The function of the paste that a place names, and the program that it can be transformed by. Pure.
import type { Parameter, Program } from "../../../model/types.ts";
import { type Choice, functionsOf } from "../../state/functions.ts";
import type { Hint } from "./index.ts";

export interface Named {
  readonly fun: string;
  readonly choice: Choice;
  /** The program of the paste that this function is, where there is one. */
  readonly program: Program | null;
  /** Its parameters with the types they had when something else called it; null where one of them is not known. */
  readonly parameters: readonly Parameter[] | null;
}

const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*/gu;

export function wordAt(text: string, col: number): string | null {
  for (const match of text.matchAll(WORD)) if (col >= match.index && col <= match.index + match[0].length) return match[0];
  return null;
}

/** Null where the place names no function that the paste defines. */
export function functionAt(
  source: string,
  place: { readonly line: number; readonly col: number },
  programs: readonly Program[],
  hints: readonly Hint[],
): Named | null {
  const lines = source.split("\n");
  const word = wordAt(lines[place.line - 1] ?? "", place.col);
  const choice = word === null ? undefined : functionsOf(source).find(({ fun }) => fun === word);
  if (choice === undefined) return null;
  const program = programs.find(({ name, made_from, parameters }) => name === choice.fun && made_from === null && parameters !== null);
  const parameters = derivedFrom(choice, programs) ?? parametersOf(choice, lines, hints);
  return { fun: choice.fun, choice, program: program ?? null, parameters };
}

/** `jax.grad(loss)` was called with what `loss` takes: as the server says it, pytrees too. */
function derivedFrom({ fun, args }: Choice, programs: readonly Program[]): readonly Parameter[] | null {
  const names = args.map(({ name }) => name).join();
  const found = programs.find(
    ({ name, parameters }) => name.match(WORD)?.includes(fun) === true && parameters?.map((parameter) => parameter.name).join() === names,
  );
  return args.length === 0 || found === undefined || /\bvmap\b/.test(found.name) ? null : found.parameters;
}

/** A head is written in a few lines. */
const MOST_LINES = 12;

function parametersOf({ args, span }: Choice, lines: readonly string[], hints: readonly Hint[]): Parameter[] | null {
  if (span === null) return null;
  const near = hints.filter(({ what, span: at }) => what === "parameter" && at.line >= span.line && at.line < span.line + MOST_LINES);
  const found: Parameter[] = [];
  let from = 0;
  for (const { name } of args) {
    const at = near.findIndex((hint, index) => index >= from && wordAt(lines[hint.span.line - 1] ?? "", hint.span.col) === name);
    const time = at < 0 ? undefined : near[at]?.times[0];
    // A pytree is not written as a signature says it; a batched type is not what the function was given.
    if (time === undefined || time.batched || !/^\w+\[[^\]]*\]$/.test(time.type)) return null;
    found.push({ name, text: time.type, differentiable: /^(?:f|bf|c)\d/.test(time.type) });
    from = at + 1;
  }
  return found;
}
