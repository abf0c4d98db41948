// What is copied as text: an equation as JAX prints it, an op's line, a value with its type, a body, the whole. Pure.
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import type { Level, Target } from "../state/types.ts";
import { eqnOf, isLiteral, nameOf, placeOf } from "./instances.ts";
import { levelOfOp, moduleAt, opName, opOf } from "./links.ts";
import { titleOf } from "./titles.ts";
import { factsOf } from "./value.ts";

export interface Copied {
  readonly text: string;
  /** For what is said of it: `the equation mul`. */
  readonly what: string;
}

/** The text of what is selected; of the whole level when nothing is. Null when there is no text to copy. */
export function copyOf(program: Program, level: Level, target: Target | null, instance: string | null): Copied | null {
  if (level !== "jaxpr" && target?.kind === "op") return copyOp(program, target.id);
  if (target?.kind === "value") return copyValue(program, target.key);
  if (instance !== null) return copyEqn(program, instance);
  return copyWhole(program, level);
}

export function copyWhole(program: Program, level: Level): Copied | null {
  const text = level === "jaxpr" ? program.texts.jaxpr?.text : moduleAt(program, level)?.text;
  return text === undefined
    ? null
    : { text, what: level === "jaxpr" ? `the jaxpr of ${program.name}` : `the ${level === "hlo" ? "HLO" : "StableHLO"} module` };
}

export function copyEqn(program: Program, path: string): Copied | null {
  const place = placeOf(program, path);
  if (place === null) return null;
  const text = printedOf(program, eqnOf(path)) ?? written(place.jaxpr, place.eqn);
  return { text, what: `the equation ${titleOf(place.eqn)}` };
}

/** The jaxpr of a body of an equation, where JAX printed it. */
export function copyBody(program: Program, path: string, index = 0): Copied | null {
  const eqn = placeOf(program, path)?.eqn;
  const call = eqn?.nested[index];
  const body = call === undefined ? undefined : program.jaxprs[call.jaxpr];
  const level = program.texts.jaxpr;
  const first = body?.eqns.map(({ id }) => level?.spans[id]).find((span) => span !== undefined);
  if (eqn === undefined || call === undefined || level === undefined || first === undefined) return null;
  const start = openBefore(level.text, first[0]);
  const end = start < 0 ? -1 : closeAfter(level.text, start);
  if (end < 0) return null;
  return { text: dedented(level.text, start, end), what: `the ${call.label || "body"} of ${titleOf(eqn)}` };
}

function copyOp(program: Program, id: string): Copied | null {
  const module = program.modules[levelOfOp(id)];
  const op = opOf(program, id);
  const whole = module?.functions.find((each) => each.id === id);
  if (module !== undefined && whole?.text_span != null)
    return { text: dedented(module.text, ...whole.text_span), what: `the function @${whole.name}` };
  if (module === undefined || op?.text_span == null) return null;
  return { text: dedented(module.text, ...op.text_span), what: `the op ${opName(op)}` };
}

function copyValue(program: Program, key: string): Copied | null {
  const facts = factsOf(program, key);
  if (facts === null) return null;
  const name = nameOf(facts.variable);
  return { text: `${name}:${facts.variable.aval}`, what: `the value ${name}` };
}

function printedOf(program: Program, id: string): string | null {
  const level = program.texts.jaxpr;
  const span = level?.spans[id];
  return level === undefined || span === undefined ? null : dedented(level.text, ...span);
}

/** Without the printed text, from the structure: what JAX prints of most equations. */
function written(jaxpr: Jaxpr, eqn: Eqn): string {
  const letter = (id: string): string => jaxpr.vars[id]?.name ?? "?";
  const results = eqn.results.map((result) => `${letter(result.var)}:${result.aval}`).join(" ");
  const params = eqn.params.map(({ name, text }) => `${name}=${text}`).join(" ");
  const operands = eqn.operands.map(({ atom }) => (isLiteral(atom) ? `${atom.literal}:${atom.aval}` : letter(atom.var))).join(" ");
  return `${results === "" ? "" : `${results} = `}${eqn.primitive}${params === "" ? "" : `[${params}]`} ${operands}`;
}

/** A part of a text as if it began at the margin: its further lines lose the indentation of the first. */
function dedented(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const indent = /^ */.exec(text.slice(lineStart, start))?.[0].length ?? 0;
  const [first = "", ...rest] = text.slice(start, end).split("\n");
  return [first, ...rest.map((line) => (line.slice(0, indent).trim() === "" ? line.slice(indent) : line))].join("\n");
}

const PAIRS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

/** The brace around what stands at `from`, which is JAX's `{ lambda`. */
function openBefore(text: string, from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at--) {
    const char = text[at] ?? "";
    if ("}])".includes(char)) depth++;
    else if (char in PAIRS && depth > 0) depth--;
    else if (char === "{") return /^\{ lambda\b/.test(text.slice(at, at + 10)) ? at : -1;
    else if (char in PAIRS) return -1;
  }
  return -1;
}

/** Behind the brace that closes the one at `start`. */
function closeAfter(text: string, start: number): number {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? "";
    if (char in PAIRS) open.push(PAIRS[char] ?? "");
    else if ("}])".includes(char) && open.pop() === char && open.length === 0) return at + 1;
  }
  return -1;
}
