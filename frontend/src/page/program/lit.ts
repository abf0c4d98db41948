// What lights up for what the person points at: one pure function from a target to the marks on every pane.
import type { Program, Span } from "../../model/types.ts";
import type { Target } from "../state/types.ts";
import { ancestorsOf, eqnIndex, eqnOf, firstPath } from "./instances.ts";
import { allOpsOf, eqnsOf, opOf, opsAt } from "./links.ts";
import { callersOf, sourceOf, writtenAt } from "./places.ts";

export interface Lit {
  /** Equation ids; every instance of a shared body lights. */
  readonly eqns: ReadonlySet<string>;
  /** The one instance that is meant, when the person pointed at one. */
  readonly path: string | null;
  readonly ops: ReadonlySet<string>;
  readonly spans: readonly Span[];
  /** The calls that led to the one that is meant. */
  readonly callers: readonly Span[];
  readonly values: ReadonlySet<string>;
}

export const NOTHING: Lit = { eqns: new Set(), path: null, ops: new Set(), spans: [], callers: [], values: new Set() };

/** `current` is false when the editor's text is no longer the text that was traced: then places in it mean nothing. */
export function litBy(program: Program | null, target: Target | null, current: boolean): Lit {
  if (program === null || target === null) return NOTHING;
  switch (target.kind) {
    case "eqn":
      return around(program, [eqnOf(target.path)], target.path, []);
    case "op":
      return around(program, eqnsOf(program, target.id), null, [target.id]);
    case "value":
      return { ...NOTHING, values: new Set([target.key]), spans: sourceOf(program, target.key) };
    case "place":
      return current ? written(program, target.line, target.col) : NOTHING;
  }
}

function around(program: Program, eqns: readonly string[], path: string | null, ops: readonly string[]): Lit {
  const index = eqnIndex(program);
  const spans = eqns.map((id) => index.get(id)?.eqn.span).concat(eqns.length > 0 ? [] : ops.map((id) => opOf(program, id)?.span));
  return {
    eqns: new Set(eqns),
    path,
    // Pointing at one op of an equation lights its sisters too: they are one step of the jaxpr.
    ops: new Set([...ops, ...eqns.flatMap((id) => allOpsOf(program, id))]),
    spans: distinct(spans.filter((span) => span !== null && span !== undefined)),
    callers: path === null ? [] : distinct(callersOf(program, [...ancestorsOf(path), path].map(eqnOf))),
    values: new Set(),
  };
}

/** What a call led to lights everywhere; in the paste the call itself, not all that was written in what it calls. */
function written(program: Program, line: number, col: number): Lit {
  if (program.entry === null) return around(program, [], null, opsAt(program, line, col));
  const { eqns, values, span } = writtenAt(program, line, col);
  const lit = { ...around(program, eqns, null, []), values: new Set(values) };
  return span === null ? lit : { ...lit, spans: [span] };
}

function distinct(spans: readonly Span[]): Span[] {
  const found = new Map<string, Span>();
  for (const span of spans) found.set(`${span.line}:${span.col}:${span.end_line}:${span.end_col}`, span);
  return [...found.values()];
}

/** The instance that a target means, for the inspector: the equation itself, or the first one an op or a place leads to. */
export function instanceOf(program: Program | null, target: Target | null, current: boolean): string | null {
  if (program === null || target === null) return null;
  if (target.kind === "eqn") return eqnIndex(program).has(eqnOf(target.path)) ? target.path : null;
  if (target.kind === "value") return null;
  for (const eqn of litBy(program, target, current).eqns) {
    const path = firstPath(program, eqn);
    if (path !== null) return path;
  }
  return null;
}
