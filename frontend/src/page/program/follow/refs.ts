// What goes through refs: who wrote what one holds at a moment, who reads it afterwards. Derived from the order of the equations and from what
// their effects say, for no value shows it: a write of the whole ends what was before, any other adds to it, whichever part it touches. Pure.
import type { Eqn, Program } from "../../../model/types.ts";
import { isLiteral } from "../instances.ts";
import { bodyOf, isRef, usesOf, type Writer } from "./places.ts";

/** `order`: derived from the order of the equations; `again`: they run again, so what is written anywhere counts as read anywhere. */
export type Refs = "order" | "again";

/** From before one equation until before another. */
export type Span = readonly [number, number];

/** Of equations with bodies those that run each of them once at most. */
const ONCE = /^(p?jit|closed_call|core_call|remat2?|checkpoint|cond|run_scoped|run_state|custom_jvp_call|custom_vjp_call(_jaxpr)?)$/;

export function runsOnce({ primitive }: Eqn): boolean {
  return ONCE.test(primitive);
}

/** Whether a body may run again while a ref of it lives on: then what is written further down is read further up. */
export function runsAgain(program: Program, path: string, id: string): boolean {
  const body = bodyOf(program, path);
  if (body === null || body.held === null || usesOf(body.jaxpr).makers.has(id)) return false;
  const { eqn, outer, call } = body.held;
  if (!runsOnce(eqn)) return true;
  const constant = body.jaxpr.constvars.indexOf(id);
  const from = constant >= 0 ? call.consts[constant] : call.inputs[body.jaxpr.invars.indexOf(id)];
  const atom = from?.from === "operand" ? eqn.operands[from.index]?.atom : undefined;
  const outside = bodyOf(program, outer)?.jaxpr;
  // What is not given as a ref is put into one for this run.
  if (atom === undefined || isLiteral(atom) || outside === undefined || !isRef(outside, atom.var)) return false;
  return runsAgain(program, outer, atom.var);
}

/** Who wrote what a ref holds before an equation: since it was last written as a whole (`anew`), or ever. */
export function writtenBefore(
  program: Program,
  path: string,
  id: string,
  before: number | null,
  writers: readonly Writer[],
): { by: readonly Writer[]; anew: boolean; refs: Refs; span: Span } {
  const until = before ?? Number.POSITIVE_INFINITY;
  const earlier = writers.filter(({ at }) => at < until);
  const last = earlier.findLastIndex(({ whole }) => whole);
  if (last >= 0) return { by: earlier.slice(last), anew: true, refs: "order", span: [(earlier[last]?.at ?? 0) + 1, until] };
  if (runsAgain(program, path, id)) return { by: writers, anew: false, refs: "again", span: [0, Number.POSITIVE_INFINITY] };
  return { by: earlier, anew: false, refs: "order", span: [0, until] };
}

/** Who reads what a ref holds before an equation: until it is written as a whole (`gone`), or for good. */
export function readAfter<Reader extends { readonly at: number }>(
  program: Program,
  path: string,
  id: string,
  before: number | null,
  readers: readonly Reader[],
  writers: readonly Writer[],
): { by: readonly Reader[]; gone: boolean; refs: Refs; span: Span } {
  const again = runsAgain(program, path, id);
  const all: Span = [0, Number.POSITIVE_INFINITY];
  // Followed from the ref itself, and not from what was put into it.
  if (before === null) return { by: readers, gone: false, refs: again ? "again" : "order", span: all };
  const next = writers.find(({ at, whole }) => whole && at >= before);
  if (next !== undefined)
    return { by: readers.filter(({ at }) => at >= before && at <= next.at), gone: true, refs: "order", span: [before, next.at] };
  if (again) return { by: readers, gone: false, refs: "again", span: all };
  return { by: readers.filter(({ at }) => at >= before), gone: false, refs: "order", span: [before, Number.POSITIVE_INFINITY] };
}

/** What a swap puts into its ref is not what it gives: that is what was there before. */
export function isWrittenIn({ primitive }: Eqn, operand: number): boolean {
  return primitive === "swap" && operand === 1;
}

/** What a swap leaves in its ref is not made from what was there: what of that is left is left by those before. */
export function isOverwritten({ primitive }: Eqn, operand: number): boolean {
  return primitive === "swap" && operand === 0;
}
