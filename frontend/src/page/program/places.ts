// What of a program was written at a place of the paste: an equation's own expression, a call that led to equations, the head of a function.
import type { Program, Span } from "../../model/types.ts";
import { eqnIndex, firstPath } from "./instances.ts";
import { isNarrower, spanHolds } from "./links.ts";

export interface Written {
  readonly eqns: readonly string[];
  /** Keys of the binders that a parameter is. */
  readonly values: readonly string[];
  /** The place itself, where it is none of an equation's own: a call, a head. */
  readonly span: Span | null;
}

interface Mark {
  readonly span: Span;
  readonly eqns: readonly string[];
  readonly values?: readonly string[];
  readonly own: boolean;
}

const NOTHING: Written = { eqns: [], values: [], span: null };
const known = new WeakMap<Program, readonly Mark[]>();

/** The narrowest that holds the place; where none does, as on the target of an assignment, what the line itself has. */
export function writtenAt(program: Program, line: number, col: number): Written {
  const marks = marksOf(program);
  let found: Mark[] = [];
  for (const mark of marks) {
    if (!spanHolds(mark.span, line, col)) continue;
    const best = found[0];
    if (best === undefined || isNarrower(mark.span, best.span)) found = [mark];
    else if (!isNarrower(best.span, mark.span)) found.push(mark);
  }
  if (found.length === 0) found = widest(marks.filter(({ span }) => span.line === line));
  if (found.length === 0) return NOTHING;
  const foreign = found.every(({ own }) => !own) ? (found[0]?.span ?? null) : null;
  return { eqns: [...new Set(found.flatMap(({ eqns }) => eqns))], values: found.flatMap(({ values }) => values ?? []), span: foreign };
}

/** What is in nothing else of the line. */
function widest(marks: readonly Mark[]): Mark[] {
  return marks.filter(({ span }) => !marks.some((other) => isNarrower(span, other.span) && spanHolds(other.span, span.line, span.col)));
}

function marksOf(program: Program): readonly Mark[] {
  let marks = known.get(program);
  if (marks === undefined) {
    marks = [...ownMarks(program), ...callMarks(program), ...headMarks(program), ...parameterMarks(program)];
    known.set(program, marks);
  }
  return marks;
}

function ownMarks(program: Program): Mark[] {
  const found = new Map<string, { span: Span; eqns: string[] }>();
  for (const { eqn } of eqnIndex(program).values()) {
    const { span } = eqn;
    if (span === null) continue;
    const key = `${span.line}:${span.col}:${span.end_line}:${span.end_col}`;
    const mark = found.get(key);
    if (mark === undefined) found.set(key, { span, eqns: [eqn.id] });
    else mark.eqns.push(eqn.id);
  }
  return [...found.values()].map((mark) => ({ ...mark, own: true }));
}

/** A call has the equations that were traced in it, and in the calls that it made. */
function callMarks(program: Program): Mark[] {
  const eqns: string[][] = program.calls.map(() => []);
  for (const { eqn } of eqnIndex(program).values())
    for (let at = eqn.call; at !== null; at = program.calls[at]?.caller ?? null) eqns[at]?.push(eqn.id);
  return program.calls.flatMap(({ span }, at) => {
    const inside = eqns[at] ?? [];
    return span === null || inside.length === 0 ? [] : [{ span, eqns: inside, own: false }];
  });
}

/** The head of a function, decorators too, has the equations that run its body. */
function headMarks(program: Program): Mark[] {
  const runs = new Map<string, string[]>();
  for (const { eqn } of eqnIndex(program).values())
    for (const { jaxpr } of eqn.nested) runs.set(jaxpr, [...(runs.get(jaxpr) ?? []), eqn.id]);
  return Object.values(program.jaxprs).flatMap(({ id, defined }) => {
    const eqns = runs.get(id) ?? [];
    return defined === null || eqns.length === 0 ? [] : [{ span: defined, eqns, own: false }];
  });
}

function parameterMarks(program: Program): Mark[] {
  return program.written.flatMap(({ what, span, values }) =>
    what === "parameter"
      ? [{ span, eqns: [], own: false, values: values.flatMap(({ jaxpr, parts }) => keysOf(program, jaxpr, parts)) }]
      : [],
  );
}

function keysOf(program: Program, jaxpr: string, parts: Readonly<Record<string, string>>): string[] {
  const path = bodyPath(program, jaxpr);
  return path === null ? [] : Object.values(parts).map((id) => `${path}|${id}`);
}

/** The path of the first place where a jaxpr runs; "" for the program itself. */
function bodyPath(program: Program, jaxpr: string): string | null {
  if (jaxpr === program.entry) return "";
  const eqn = program.jaxprs[jaxpr]?.eqns[0];
  const path = eqn === undefined ? null : firstPath(program, eqn.id);
  return path === null ? null : path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Where in the paste a value comes from: the equation that makes it, or the parameter that it is. */
export function sourceOf(program: Program, key: string): Span[] {
  const id = key.slice(key.lastIndexOf("|") + 1);
  for (const { eqn } of eqnIndex(program).values())
    if (eqn.span !== null && eqn.results.some((result) => result.var === id)) return [eqn.span];
  return program.written.flatMap(({ what, span, values }) =>
    what === "parameter" && values.some(({ parts }) => Object.values(parts).includes(id)) ? [span] : [],
  );
}

/** The calls that led to an equation, innermost first: of its own body, and of those around it. */
export function callersOf(program: Program, path: readonly string[]): Span[] {
  const index = eqnIndex(program);
  const found: Span[] = [];
  for (const [depth, id] of [...path].reverse().entries()) {
    const eqn = index.get(id)?.eqn;
    if (eqn === undefined) continue;
    if (depth > 0 && eqn.span !== null) found.push(eqn.span);
    for (let at = eqn.call; at !== null; at = program.calls[at]?.caller ?? null) {
      const span = program.calls[at]?.span ?? null;
      if (span !== null) found.push(span);
    }
  }
  return found;
}
