// One step from value to value through a program, with or against the flow, through the borders of bodies: binders, results, the carry of the
// next step, the predicate of a while, the index of a cond, refs that are written in place, in order (refs.ts). Pure; exact as far as the wire
// says how values go, and where it does not say, a result depends on every operand.
import { isLeftOut } from "../../../drawing/graph/left.ts";
import type { Call, CallOutput, Eqn, Jaxpr, LiteralAtom, Program, VarAtom } from "../../../model/types.ts";
import { isLiteral } from "../instances.ts";
import { type Body, beforeOf, bodyAt, bodyOf, isRef, refBefore, splitKey, under, usesOf, valueAt, type Writer } from "./places.ts";
import { isOverwritten, isWrittenIn, type Refs, readAfter, runsOnce, type Span, writtenBefore } from "./refs.ts";

/** Where a step leads, and what it goes through. */
export interface Step {
  readonly values: Set<string>;
  /** Equations that it goes through. */
  readonly eqns: Set<string>;
  /** The pills by which it leaves a body, or the program: `<path of the jaxpr>|out0`. */
  readonly outlets: Set<string>;
  /** Of what a ref holds: how far that is known, and between which equations of its jaxpr it is in it. */
  refs?: Refs;
  span?: Span;
}

/** What a value is made from. */
export function upstream(program: Program, key: string): Step {
  const { path, id } = splitKey(key);
  const body = bodyOf(program, path);
  if (body === null) return nowhere();
  const step = nowhere();
  const uses = usesOf(body.jaxpr);
  const written = isRef(body.jaxpr, id) ? writtenBefore(program, path, id, beforeOf(key), uses.writers.get(id) ?? []) : null;
  if (written !== null) Object.assign(step, { refs: written.refs, span: written.span });
  for (const { eqn: writer } of written?.by ?? []) {
    const aliases = aliasesOf(program, writer, under(path, writer.id), id);
    if (aliases.length === 0) through(step, program, writer, path, null);
    else step.eqns.add(under(path, writer.id));
    for (const alias of aliases) step.values.add(alias);
  }
  if (written?.anew === true) return step;
  const made = uses.makers.get(id);
  if (made !== undefined) through(step, program, made.eqn, path, made.index);
  else if (body.held !== null) enter(step, program, body, id, path);
  return step;
}

/** What a ref is called in the bodies that it is handed to. */
function aliasesOf(program: Program, eqn: Eqn, at: string, id: string): string[] {
  return eqn.nested.flatMap((call, index) =>
    call.inputs.flatMap((input, seat) => {
      const atom = input.from === "operand" ? eqn.operands[input.index]?.atom : undefined;
      const inner = program.jaxprs[call.jaxpr]?.invars[seat];
      return atom !== undefined && !isLiteral(atom) && atom.var === id && inner !== undefined ? [valueAt(bodyAt(at, index), inner)] : [];
    }),
  );
}

/** The results that what a ref holds at the end becomes. */
function finalsOf(call: Call, seat: number): number[] {
  const from = call.inputs[seat];
  const goals = (call.finals[seat] ?? []).flatMap((goal) => (goal.to === "result" ? [goal.index] : []));
  return from?.from === "result" ? [...goals, from.index] : goals;
}

/** From a result (or from what an equation writes, `result` null) to what it is made from. */
function through(step: Step, program: Program, eqn: Eqn, path: string, result: number | null): void {
  const at = under(path, eqn.id);
  step.eqns.add(at);
  const inner = result === null ? [] : innerOf(program, eqn, at, result);
  if (inner.length === 0) {
    eqn.operands.forEach(({ atom }, i) => {
      if (result === null ? !isOverwritten(eqn, i) : !isWrittenIn(eqn, i)) addOperand(step, program, eqn, atom, path);
    });
    return;
  }
  if (result !== null) step.outlets.add(`${at}|result${result}`);
  for (const { key, outlet, atom } of inner) {
    if (outlet !== null) step.outlets.add(outlet);
    addAtom(step, atom, key);
  }
  for (const operand of eqn.operands) if (operand.role === "index") addAtom(step, operand.atom, path);
}

/** An operand; of a ref what it holds before the equation, or (`within`) in it, where its other bodies may have written into it. */
function addOperand(step: Step, program: Program, eqn: Eqn, atom: VarAtom | LiteralAtom | undefined, path: string, within = false): void {
  if (atom === undefined || isLiteral(atom)) return;
  const jaxpr = bodyOf(program, path)?.jaxpr;
  const at = jaxpr !== undefined && isRef(jaxpr, atom.var) ? usesOf(jaxpr).order.get(eqn) : undefined;
  step.values.add(refBefore(valueAt(path, atom.var), at === undefined ? undefined : at + (within && !runsOnce(eqn) ? 1 : 0)));
}

/** The values that a walk against the flow begins with at an equation. */
export function operandsOf(program: Program, eqn: Eqn, path: string): string[] {
  const step = nowhere();
  const unread = eqn.results.every(({ used }) => !used);
  eqn.operands.forEach(({ atom }, i) => {
    if (!unread || !isOverwritten(eqn, i)) addOperand(step, program, eqn, atom, path);
  });
  return [...step.values];
}

/** The values that a walk with the flow begins with at an equation: its results, and the refs that it writes. */
export function resultsOf(program: Program, eqn: Eqn, path: string): string[] {
  const results = eqn.results.map((result) => valueAt(path, result.var));
  const jaxpr = bodyOf(program, path)?.jaxpr;
  const written = [...(jaxpr === undefined ? [] : usesOf(jaxpr).writers)].flatMap(([id, by]) =>
    by.filter((writer) => writer.eqn === eqn).map(({ at }) => refBefore(valueAt(path, id), at + 1)),
  );
  return [...results, ...written];
}

/** Whether a body was left out of the answer, until it is asked for. */
export function isAway(program: Program, id: string): boolean {
  const jaxpr = program.jaxprs[id];
  return jaxpr !== undefined && isLeftOut(jaxpr);
}

interface Inner {
  readonly key: string;
  readonly outlet: string | null;
  readonly atom: VarAtom | LiteralAtom;
}

/** What of the bodies becomes a result: their outvars, what refs hold at the end, and the predicate that says when a while is over. */
function innerOf(program: Program, eqn: Eqn, at: string, result: number): Inner[] {
  // A body that has not come yet says nothing of its inside: the equation counts as a whole.
  if (eqn.nested.some((call) => isAway(program, call.jaxpr))) return [];
  const found: Inner[] = [];
  const predicates: Inner[] = [];
  eqn.nested.forEach((call, index) => {
    const body = program.jaxprs[call.jaxpr];
    if (body === undefined) return;
    const path = bodyAt(at, index);
    call.outputs.forEach((goals, out) => {
      const atom = body.outvars[out];
      if (atom === undefined) return;
      const inner = { key: path, outlet: `${path}|out${out}`, atom };
      if (goals.some((goal) => goal.to === "result" && goal.index === result)) found.push(inner);
      if (goals.some((goal) => goal.to === "predicate")) predicates.push(inner);
    });
    body.invars.forEach((id, seat) => {
      if (finalsOf(call, seat).includes(result)) found.push({ key: path, outlet: null, atom: { var: id } });
    });
  });
  return found.length === 0 ? [] : [...found, ...predicates];
}

/** From a binder of a body to what it is bound to: the operand, and what the step before hands on. */
function enter(step: Step, program: Program, { jaxpr, held }: Body, id: string, path: string): void {
  if (held === null) return;
  const { eqn, at, outer, call } = held;
  step.eqns.add(at);
  const constant = jaxpr.constvars.indexOf(id);
  const binder = jaxpr.invars.indexOf(id);
  const from = constant >= 0 ? call.consts[constant] : call.inputs[binder];
  if (from?.from === "operand") addOperand(step, program, eqn, eqn.operands[from.index]?.atom, outer, true);
  if (binder < 0) return;
  eqn.nested.forEach((other, index) => {
    const body = program.jaxprs[other.jaxpr];
    const inside = bodyAt(at, index);
    other.outputs.forEach((goals, out) => {
      if (!goals.some((goal) => goal.to === "next" && sameSeat(call, binder, path, other, goal, inside))) return;
      step.outlets.add(`${inside}|out${out}`);
      addAtom(step, body?.outvars[out], inside);
    });
  });
}

/** Whether what `goal` hands on is what binder `at` of `call` reads in the next step: the same seat, or one bound to the same operand. */
function sameSeat(call: Call, at: number, path: string, other: Call, goal: CallOutput, inside: string): boolean {
  if (path === inside) return goal.index === at;
  const [a, b] = [call.inputs[at], other.inputs[goal.index]];
  return a?.from === "operand" && b?.from === "operand" && a.index === b.index;
}

/** What a value goes into. */
export function downstream(program: Program, key: string): Step {
  const { path, id } = splitKey(key);
  const body = bodyOf(program, path);
  if (body === null) return nowhere();
  const step = nowhere();
  const uses = usesOf(body.jaxpr);
  const ref = isRef(body.jaxpr, id);
  const readers = uses.readers.get(id) ?? [];
  const read = ref ? readAfter(program, path, id, beforeOf(key), readers, uses.writers.get(id) ?? []) : null;
  if (read !== null) Object.assign(step, { refs: read.refs, span: read.span });
  for (const { eqn, index } of read?.by ?? readers) into(step, program, body.jaxpr, eqn, path, index);
  if (read?.gone === true) return step;
  for (const out of uses.returned.get(id) ?? []) leave(step, program, body, path, out);
  // What a ref holds at the end is a result; what is written into it inside is in it outside.
  if (body.held !== null && ref) {
    const { eqn, at, outer, call } = body.held;
    const seat = body.jaxpr.invars.indexOf(id);
    const from = call.inputs[seat];
    for (const index of finalsOf(call, seat)) addResult(step, eqn, index, outer, at);
    const atom = from?.from === "operand" ? eqn.operands[from.index]?.atom : undefined;
    const outside = bodyOf(program, outer)?.jaxpr;
    const writer =
      atom === undefined || isLiteral(atom) || outside === undefined ? undefined : writerOf(usesOf(outside).writers, atom.var, eqn);
    if (atom !== undefined && !isLiteral(atom) && writer !== undefined) {
      step.eqns.add(at);
      step.values.add(refBefore(valueAt(outer, atom.var), writer.at + (runsOnce(eqn) ? 1 : 0)));
    }
  }
  return step;
}

function writerOf(writers: ReadonlyMap<string, readonly Writer[]>, id: string, eqn: Eqn): Writer | undefined {
  return writers.get(id)?.find((writer) => writer.eqn === eqn);
}

function into(step: Step, program: Program, jaxpr: Jaxpr, eqn: Eqn, path: string, operand: number): void {
  const at = under(path, eqn.id);
  step.eqns.add(at);
  eqn.nested.forEach((call, index) => {
    const body = program.jaxprs[call.jaxpr];
    if (body === undefined) return;
    const inside = bodyAt(at, index);
    call.inputs.forEach((input, seat) => {
      const id = body.invars[seat];
      if (input.from === "operand" && input.index === operand && id !== undefined) step.values.add(binderOf(body, inside, id));
    });
    call.consts.forEach((input, seat) => {
      const id = body.constvars[seat];
      if (input.from === "operand" && input.index === operand && id !== undefined) step.values.add(valueAt(inside, id));
    });
  });
  const decides = eqn.operands[operand]?.role === "index";
  if (!isWrittenIn(eqn, operand))
    eqn.results.forEach((result, index) => {
      if (decides || innerOf(program, eqn, at, index).length === 0) step.values.add(valueAt(path, result.var));
    });
  const { writers } = usesOf(jaxpr);
  if (writers.size === 0) return;
  for (const [i, { atom }] of eqn.operands.entries()) {
    // What a ref holds stays in it by itself.
    if (isLiteral(atom) || i === operand) continue;
    const writer = writerOf(writers, atom.var, eqn);
    if (writer !== undefined && aliasesOf(program, eqn, at, atom.var).length === 0)
      step.values.add(refBefore(valueAt(path, atom.var), writer.at + 1));
  }
}

/** A binder as a body is entered. */
function binderOf(jaxpr: Jaxpr, path: string, id: string): string {
  return refBefore(valueAt(path, id), isRef(jaxpr, id) ? 0 : undefined);
}

/** From an outvar of a body to the results it becomes and the binders of the next step. */
function leave(step: Step, program: Program, { held }: Body, path: string, out: number): void {
  step.outlets.add(`${path}|out${out}`);
  if (held === null) return;
  const { eqn, at, outer, call } = held;
  step.eqns.add(at);
  for (const goal of call.outputs[out] ?? []) {
    if (goal.to === "result") addResult(step, eqn, goal.index, outer, at);
    else if (goal.to === "predicate") {
      eqn.results.forEach((_, index) => {
        if (innerOf(program, eqn, at, index).length > 0) addResult(step, eqn, index, outer, at);
      });
    } else {
      eqn.nested.forEach((other, index) => {
        const inside = bodyAt(at, index);
        program.jaxprs[other.jaxpr]?.invars.forEach((id, seat) => {
          if (sameSeat(other, seat, inside, call, goal, path)) step.values.add(valueAt(inside, id));
        });
      });
    }
  }
}

function addResult(step: Step, eqn: Eqn, index: number, outer: string, at: string): void {
  const result = eqn.results[index];
  if (result === undefined) return;
  step.eqns.add(at);
  step.outlets.add(`${at}|result${index}`);
  step.values.add(valueAt(outer, result.var));
}

function addAtom(step: Step, atom: VarAtom | LiteralAtom | undefined, path: string): void {
  if (atom !== undefined && !isLiteral(atom)) step.values.add(valueAt(path, atom.var));
}

export function nowhere(): Step {
  return { values: new Set(), eqns: new Set(), outlets: new Set() };
}
