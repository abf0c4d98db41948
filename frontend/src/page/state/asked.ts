// The signature bar: a function of the paste and the types it is traced with, in place of what the paste itself calls. Pure.
import type { Diagnostic } from "../../model/types.ts";
import { argsExpression } from "./args.ts";
import { type Choice, choicesOf, type Parameter } from "./functions.ts";
import type { Asked, State, Typed } from "./types.ts";

/** The entry of the list that stands for any expression: its fields are `fun` and `args`. */
export const EXPRESSION: Choice = {
  fun: "",
  args: [
    { name: "fun", annotation: null, default: null, suggestion: null },
    { name: "args", annotation: null, default: "", suggestion: null },
  ],
  span: null,
};

export interface Fault {
  readonly message: string;
  readonly advice: string;
}

/** "fields" while types are typed, "summary" while a function is traced with types and nobody changes them. */
export type BarView = "none" | "fields" | "summary";

/** It comes by itself where nothing was called; not over a program that a mistake of the moment has left behind: it would move it. */
export function barOf(state: Pick<State, "bar" | "asked" | "latest" | "failure" | "shown">): BarView {
  if (state.bar.open) return "fields";
  if (state.asked !== null) return "summary";
  const trace = state.latest?.trace;
  if (trace === undefined || state.failure !== null || trace.programs.length > 0 || trace.offers.length === 0) return "none";
  const mistaken = trace.diagnostics.some(({ severity }) => severity === "error");
  return mistaken && (state.shown?.trace.programs.length ?? 0) > 0 ? "none" : "fields";
}

export function choicesFor({ latest, source, asked }: Pick<State, "latest" | "source" | "asked">): Choice[] {
  const fresh = latest !== null && latest.source === source && latest.asked === null;
  const choices = choicesOf(source, latest?.trace.offers ?? [], fresh);
  // A method that was traced before the page was loaded anew is in no list: its fields are those that were sent.
  if (asked?.signature != null && !choices.some(({ fun }) => fun === asked.fun)) {
    const args = Object.keys(asked.signature).map((name) => ({ name, annotation: null, default: null, suggestion: null }));
    choices.unshift({ fun: asked.fun, args, span: null });
  }
  return [...choices, EXPRESSION];
}

/** The function whose fields are shown: the one chosen by hand, the one traced, else the first. */
export function chosenOf(state: Pick<State, "bar" | "asked">, choices: readonly Choice[]): Choice {
  const wanted = state.bar.fun ?? (state.asked === null ? null : state.asked.signature === null ? EXPRESSION.fun : state.asked.fun);
  return choices.find((choice) => choice.fun === wanted) ?? choices[0] ?? EXPRESSION;
}

/** A parameter may be called `constructor`. */
function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** What a field holds: what was typed, else the suggestion. */
export function fieldValue(typed: Typed, fun: string, parameter: Parameter): string {
  return own(own(typed, fun) ?? {}, parameter.name) ?? parameter.suggestion ?? "";
}

/** What is asked for when the fields are sent. A field left empty is left to the default of the parameter. */
export function askedWith(choice: Choice, typed: Typed): Asked {
  const values = choice.args.map((parameter) => [parameter.name, fieldValue(typed, choice.fun, parameter).trim()] as const);
  if (choice.fun === EXPRESSION.fun) {
    const given = Object.fromEntries(values);
    return { fun: given.fun ?? "", signature: null, args: given.args ?? "" };
  }
  return { fun: choice.fun, signature: Object.fromEntries(values.filter(([, value]) => value !== "")), args: "" };
}

/** The part of the request. */
export function entryOf(asked: Asked): { fun: string; signature?: Record<string, string>; args?: string } {
  if (asked.signature !== null) return { fun: asked.fun, signature: { ...asked.signature } };
  return asked.args.trim() === "" ? { fun: asked.fun } : { fun: asked.fun, args: argsExpression(asked.args) };
}

/** `loss(w: f32[3], xs: f32[6,3])`: as the answer stands for. */
export function wordsOf(asked: Asked): string {
  if (asked.signature === null) return `${asked.fun}(${asked.args})`;
  return `${asked.fun}(${Object.entries(asked.signature)
    .map(([name, type]) => `${name}: ${type}`)
    .join(", ")})`;
}

/**
 * What the last answer says against the fields of a function, by parameter; under "" what is said of the function or of the whole. What is
 * said of a field holds as long as the field holds what was sent.
 */
export function faultsOf(state: Pick<State, "latest" | "typed">, choice: Choice): ReadonlyMap<string, Fault> {
  const asked = state.latest?.asked ?? null;
  if (asked === null || asked.fun !== askedWith(choice, state.typed).fun) return new Map();
  const faults = new Map<string, Fault>();
  for (const diagnostic of state.latest?.trace.diagnostics ?? []) {
    const name = parameterOf(diagnostic);
    if (name === null) continue;
    const arg = choice.args.find((parameter) => parameter.name === name || parameter.name.replace(/^\*+/, "") === name);
    if (arg !== undefined && sentOf(asked, arg.name) !== fieldValue(state.typed, choice.fun, arg).trim()) continue;
    const at = arg?.name ?? "";
    if (!faults.has(at)) faults.set(at, { message: diagnostic.message, advice: diagnostic.advice });
  }
  return faults;
}

function sentOf(asked: Asked, name: string): string {
  if (asked.signature !== null) return own(asked.signature, name) ?? "";
  return name === "fun" ? asked.fun : name === "args" ? asked.args : "";
}

/** The parameter that an error is about, "" when it is about the function or all of them, null when it is about something else. */
function parameterOf({ field }: Diagnostic): string | null {
  if (field === null) return null;
  const named = /^signature\.(\*{0,2}[\p{L}\p{N}_]+)/u.exec(field)?.[1];
  if (named !== undefined) return named;
  return field === "fun" || field === "args" ? field : field === "signature" ? "" : null;
}

/** Whether an error stands at a field of the page, so that it need not be looked for elsewhere. */
export function standsAtField(diagnostic: Diagnostic): boolean {
  return parameterOf(diagnostic) !== null || diagnostic.field?.startsWith("transforms[") === true;
}
