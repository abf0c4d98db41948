// Small words for sentences about operands: ordinals, counts, lists of names. No sentence is made here.
import type { Span } from "../../model/types.ts";

/** Part of a sentence: plain words; a name, type or number set as code and coloured by the role it has; a way to a place in the source. */
export type Piece = string | { readonly code: string; readonly role?: string } | { readonly text: string; readonly span: Span };
export type Sentence = readonly Piece[];

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
/** More names than this are counted instead of listed: a model has hundreds of parameters. */
const MOST = 6;

export function ordinal(index: number): string {
  return ORDINALS[index] ?? `${index + 1}th`;
}

export function number(count: number): string {
  return NUMBERS[count] ?? String(count);
}

export function plural(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `the second operand`, `the first two operands`, `operands 5 to 12`: a run of `count` operands from `start`. */
export function which(start: number, count: number, total: number): string {
  if (count === 1) return total === 1 ? "the only operand" : `the ${ordinal(start)} operand`;
  if (count === total) return `all ${number(count)} operands`;
  if (start === 0) return `the first ${number(count)} operands`;
  if (count === 2 && start > 0 && start + 1 < ORDINALS.length && start + count < total)
    return `the ${ordinal(start)} and ${ordinal(start + 1)} operands`;
  if (start + count === total) return `the last ${number(count)} operands`;
  return `operands ${start + 1} to ${start + count}`;
}

/** `a, b and c`, each as code; a long list is cut and the rest counted. */
export function listed(names: readonly string[], role?: string): Piece[] {
  const shown = names.length > MOST ? names.slice(0, MOST - 1) : names;
  const pieces: Piece[] = [];
  shown.forEach((name, index) => {
    const last = index === shown.length - 1 && shown.length === names.length;
    if (index > 0) pieces.push(last ? " and " : ", ");
    pieces.push(role === undefined ? { code: name } : { code: name, role });
  });
  if (shown.length < names.length) pieces.push(` and ${names.length - shown.length} more`);
  return pieces;
}

/** Names for a sentence that lists rows: those that stand for several values have JAX's own letter beside them. */
export function namesOf(rows: readonly { readonly name: string; readonly letter: string | null }[]): string[] {
  return rows.map(({ name, letter }) =>
    letter !== null && rows.some((row) => row.name === name && row.letter !== letter) ? `${name} (${letter})` : name,
  );
}

export function toText(sentence: Sentence): string {
  return sentence.map((piece) => (typeof piece === "string" ? piece : "span" in piece ? piece.text : piece.code)).join("");
}

/** Names that say something: distinct from one another, so that `h becomes h` is said as `h`. */
export function arrow(outer: string, inner: string): string {
  return outer === inner ? outer : `${outer} → ${inner}`;
}
