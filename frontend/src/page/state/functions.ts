// The functions that a paste defines at its top level, read from its text alone, so that any of them can be traced on demand: the server
// offers only those that nobody calls. Pure. Never throws: what is no function is left out.
import type { Offer, Span } from "../../model/types.ts";

export interface Parameter {
  readonly name: string;
  readonly annotation: string | null;
  readonly default: string | null;
  /** What the server proposes to begin with, null where it knows nothing. */
  readonly suggestion: string | null;
}

/** A function that can be chosen in the signature bar. */
export interface Choice {
  readonly fun: string;
  readonly args: readonly Parameter[];
  readonly span: Span | null;
}

/** More than a person would look through in a list. */
const MOST = 200;

const DEFINITION = /^(?:>>> ?|\.\.\. ?|In \[\d+\]: )?([ \t]*)def +([\p{L}_][\p{L}\p{M}\p{N}_]*)\s*(?:\[[^\]\n]*\])?\(/gmu;

/** In order, the last definition of a name alone: it is the one that stands when the paste has run. */
export function functionsOf(source: string): Choice[] {
  const margin = marginOf(source);
  const found = new Map<string, Choice>();
  let line = 1;
  let counted = 0;
  for (const match of source.matchAll(DEFINITION)) {
    const [whole, indent, name] = match;
    if (indent !== margin || name === undefined) continue;
    for (let end = source.indexOf("\n", counted); end >= 0 && end < match.index; end = source.indexOf("\n", counted)) {
      line += 1;
      counted = end + 1;
    }
    const parameters = split(source, match.index + whole.length);
    if (parameters === null) continue;
    found.delete(name);
    const span = { line, col: indent.length, end_line: line, end_col: indent.length + whole.trimStart().length };
    found.set(name, { fun: name, args: parameters.flatMap(parameterOf), span });
    if (found.size >= MOST) break;
  }
  return [...found.values()];
}

/**
 * What the bar lets choose: the functions that the server offers first, then the others in their order. The text in the editor is newer
 * than the offers, so that the parameters are those of the text; `fresh` says that the offers are about this very text.
 */
export function choicesOf(source: string, offers: readonly Offer[], fresh: boolean): Choice[] {
  const own = new Map(functionsOf(source).map((choice) => [choice.fun, choice]));
  const offered = offers.flatMap((offer): Choice[] => {
    if (fresh) return [offer];
    const choice = own.get(offer.fun);
    // Methods, callable objects and lambdas are found by running the paste alone: they stay while the text still speaks of them.
    if (choice === undefined) return source.includes(offer.fun.split(".")[0] ?? "") ? [offer] : [];
    const known = new Map(offer.args.map((arg) => [arg.name, arg.suggestion]));
    return [{ ...choice, args: choice.args.map((arg) => ({ ...arg, suggestion: known.get(arg.name) ?? null })) }];
  });
  for (const { fun } of offered) own.delete(fun);
  return [...offered, ...own.values()];
}

/** The indent of the first line of code: a paste may be indented as a whole. */
function marginOf(source: string): string {
  return /^(?:>>> ?|In \[\d+\]: )?([ \t]*)[^\s#`]/m.exec(source)?.[1] ?? "";
}

const STRING = /(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/y;

/** The pieces between the commas of the list that starts at `from`, up to its closing bracket; null when it does not close. */
function split(source: string, from: number): string[] | null {
  const pieces: string[] = [];
  let piece = "";
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const char = source[at] ?? "";
    if (char === "#") {
      const end = source.indexOf("\n", at);
      if (end < 0) return null;
      at = end;
      piece += " ";
    } else if (char === '"' || char === "'") {
      STRING.lastIndex = at;
      const text = STRING.exec(source)?.[0];
      if (text === undefined) return null;
      piece += text;
      at += text.length - 1;
    } else if (char === ")" && depth === 0) return piece.trim() === "" ? pieces : [...pieces, piece];
    else if (char === "," && depth === 0) {
      pieces.push(piece);
      piece = "";
    } else {
      if ("([{".includes(char)) depth++;
      else if (")]}".includes(char)) depth--;
      piece += char;
    }
  }
  return null;
}

/** `name: annotation = default`, `*rest`, `**more`; nothing for `*` and `/`. As the server names them. */
function parameterOf(piece: string): Parameter[] {
  const text = piece.replace(/\s+/g, " ").trim();
  const stars = /^\*{1,2} ?/.exec(text)?.[0].trim() ?? "";
  const parts = /^([\p{L}_][\p{L}\p{M}\p{N}_]*) ?(?:: ?(.*?))? ?(?:(?<![=<>!])=(?!=) ?(.+))?$/u.exec(text.slice(stars.length).trim());
  const name = parts?.[1];
  if (name === undefined) return [];
  const none = { "": null, "*": "()", "**": "{}" }[stars] ?? null;
  return [{ name: stars + name, annotation: parts?.[2]?.trim() || null, default: parts?.[3] ?? none, suggestion: null }];
}
