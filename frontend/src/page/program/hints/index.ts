// What stands beside the expressions of the paste: their types, and every time they were traced. Pure. Only what the trace is certain of.
import { atOnce, type Slices } from "../../../model/slices.ts";
import type { Program, Span, Written } from "../../../model/types.ts";
import { eqnIndex, firstPath } from "../instances.ts";
import { isNarrower } from "../links.ts";
import { type Circumstances, circumstances } from "./times.ts";
import { typeOf } from "./tree.ts";

/** One time that an expression was traced. */
export interface Time extends Circumstances {
  readonly program: string;
  readonly type: string;
  /** The instance that gives it, null for a parameter. */
  readonly path: string | null;
}

export interface Hint {
  readonly what: Written["what"];
  readonly span: Span;
  readonly times: readonly Time[];
}

interface Known {
  readonly id: string;
  readonly written: Program["written"];
  readonly hints: readonly Hint[];
}

/** Levels that come later give a new program around the same jaxprs. */
const known = new WeakMap<Program["jaxprs"], Known>();

function knownOf({ id, jaxprs, written }: Program): readonly Hint[] | null {
  const before = known.get(jaxprs);
  return before?.id === id && before.written === written ? before.hints : null;
}

/** The hints of more equations than this are made in turns with the page. */
const AT_ONCE = 2_000;

/** Those whose hints have yet to be made in turns. */
export function unhinted(front: Program | null, programs: readonly Program[]): readonly Program[] {
  return told(front, programs).filter((program) => knownOf(program) === null && eqnIndex(program).size > AT_ONCE);
}

function told(front: Program | null, programs: readonly Program[]): readonly Program[] {
  return front === null ? [] : [front, ...programs.filter((other) => other !== front && other.made_from === null)];
}

/** Of the program in front; where that one says nothing of an expression, of the others that the paste itself has. */
export function hintsOf(front: Program | null, programs: readonly Program[]): readonly Hint[] {
  const found = new Map<string, Hint>();
  for (const program of told(front, programs)) {
    for (const hint of atOnce(hintsInTurns(program)))
      if (hint.times.length > 0 && !found.has(keyOf(hint.span))) found.set(keyOf(hint.span), hint);
  }
  return [...found.values()].sort((a, b) => a.span.line - b.span.line || a.span.col - b.span.col);
}

/** Makes them, or answers with those that were made before. */
export function* hintsInTurns(program: Program): Slices<readonly Hint[]> {
  const before = knownOf(program);
  if (before !== null) return before;
  const backward = yield* backwardBySpan(program);
  const hints: Hint[] = [];
  for (const written of program.written) hints.push(yield* hintOf(program, written, backward.get(keyOf(written.span)) ?? []));
  known.set(program.jaxprs, { id: program.id, written: program.written, hints });
  return hints;
}

/** Equations, or times of an expression, between two stops. */
const ROWS = 4;

function* hintOf(program: Program, { what, span, values }: Written, backward: readonly Time[]): Slices<Hint> {
  const times: Time[] = [];
  for (const [at, { jaxpr, eqn, parts }] of values.entries()) {
    if (at % ROWS === 0) yield;
    const vars = program.jaxprs[jaxpr]?.vars ?? {};
    // A body that was left out of the answer says nothing yet.
    if (Object.values(parts).some((id) => vars[id] === undefined)) continue;
    const types = Object.fromEntries(Object.entries(parts).map(([path, id]) => [path, vars[id]?.aval ?? ""]));
    const path = eqn === null ? null : firstPath(program, eqn);
    const inside = path ?? insideOf(program, jaxpr);
    const plain: Circumstances = { pass: "forward", batched: false, around: [] };
    times.push({ program: program.id, type: typeOf(types), path, ...(inside === null ? plain : circumstances(program, inside)) });
  }
  // The plain one leads: what is computed again, or for a batch, comes after it.
  times.sort((a, b) => weight(a) - weight(b));
  return { what, span, times: what === "parameter" ? times : [...times, ...backward] };
}

/** Any equation of a body stands for where the body is. */
function insideOf(program: Program, jaxpr: string): string | null {
  const eqn = program.jaxprs[jaxpr]?.eqns[0];
  return eqn === undefined ? null : firstPath(program, eqn.id);
}

function weight({ pass, batched }: Time): number {
  return (pass === "forward" ? 0 : 2) + (batched ? 1 : 0);
}

/** The last cotangent that each expression gives: what flows back through it. */
function* backwardBySpan(program: Program): Slices<Map<string, Time[]>> {
  const found = new Map<string, Time[]>();
  let count = 0;
  for (const { eqn } of eqnIndex(program).values()) {
    if (++count % (16 * ROWS) === 0) yield;
    const given = eqn.results.filter((result) => result.kind === "cotangent");
    if (eqn.span === null || given.length === 0) continue;
    const path = firstPath(program, eqn.id);
    if (path === null) continue;
    const at = circumstances(program, path);
    if (at.pass !== "backward") continue;
    const type = given.map((result) => result.aval).join(", ");
    const times = found.get(keyOf(eqn.span));
    const time: Time = { program: program.id, type, path, ...at };
    if (times === undefined) found.set(keyOf(eqn.span), [time]);
    // One expression has many equations in the backward pass: the last of them in each body gives what goes on.
    else if (parentOf(times.at(-1)?.path) === parentOf(path)) times[times.length - 1] = time;
    else times.push(time);
  }
  return found;
}

function parentOf(path: string | null | undefined): string {
  return path == null ? "" : path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function keyOf(span: Span): string {
  return `${span.line}:${span.col}:${span.end_line}:${span.end_col}`;
}

/** What stands in the text: the type of the plain time, and how many more there are that compute the value itself. */
export function inline(hint: Hint): { text: string; more: number } | null {
  const values = hint.times.filter(({ pass }) => pass !== "backward");
  const first = values[0];
  if (first === undefined) return null;
  return { text: first.batched ? `vmap ${first.type}` : first.type, more: values.length - 1 };
}

/**
 * The hints that stand in the text all the time. An expression that has the type of the one around it says nothing new, and where two end
 * at one place the outer speaks: `jnp.mean((x @ w - y) ** 2)` has two, not five.
 */
export function standing(hints: readonly Hint[]): Hint[] {
  const open: Hint[] = [];
  const kept: Hint[] = [];
  // Outer expressions before inner ones.
  const ordered = [...hints].sort(
    (a, b) => a.span.line - b.span.line || a.span.col - b.span.col || b.span.end_line - a.span.end_line || b.span.end_col - a.span.end_col,
  );
  for (const hint of ordered) {
    while (open.length > 0 && !holds(open.at(-1)?.span, hint.span)) open.pop();
    const outer = open.at(-1);
    if (hint.what === "expression") open.push(hint);
    const said = inline(hint);
    if (said === null) continue;
    const same = outer !== undefined && inline(outer)?.text === said.text;
    const ends = open.some(
      (other) => other !== hint && other.span.end_line === hint.span.end_line && other.span.end_col === hint.span.end_col,
    );
    if (hint.what === "parameter" || (!same && !ends)) kept.push(hint);
  }
  return kept;
}

function holds(outer: Span | undefined, inner: Span): boolean {
  if (outer === undefined) return true;
  return outer.end_line > inner.end_line || (outer.end_line === inner.end_line && outer.end_col >= inner.end_col);
}

/** The hint of the narrowest expression or parameter around a place. */
export function hintAt(hints: readonly Hint[], line: number, col: number): Hint | null {
  let best: Hint | null = null;
  for (const hint of hints) {
    const { span } = hint;
    const after = line > span.line || (line === span.line && col >= span.col);
    const before = line < span.end_line || (line === span.end_line && col <= span.end_col);
    if (after && before && (best === null || isNarrower(span, best.span))) best = hint;
  }
  return best;
}
