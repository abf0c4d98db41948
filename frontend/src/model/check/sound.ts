// Whether a trace is true to itself: every id it uses is there, every index is in range, nesting ends. What the server's gate asks
// (visualizer/sandbox/_integrity.py), of traces that are whole: a trace that passes can be walked without a check.
import type { Call, Eqn, Jaxpr, LevelText, Program, Trace } from "../types.ts";
import { DEEPEST, opsOf } from "./modules.ts";

const LARGEST = 2 ** 53;

export function isSound(trace: Trace): boolean {
  const ids = new Set(trace.programs.map(({ id }) => id));
  return ids.size === trace.programs.length && trace.programs.every(programIsSound);
}

function programIsSound(program: Program): boolean {
  const { jaxprs, entry } = program;
  // What came in parts is for those who ask for the parts.
  if ((program.templates ?? []).length > 0 || (program.left_out ?? []).length > 0) return false;
  if (entry !== null && !Object.hasOwn(jaxprs, entry)) return false;
  const eqns = new Set<string>();
  const nested = new Map<string, string[]>();
  for (const [key, jaxpr] of Object.entries(jaxprs)) {
    const inner = key === jaxpr.id ? jaxprIsSound(jaxpr, jaxprs, eqns) : null;
    if (inner === null) return false;
    nested.set(key, inner);
  }
  if (!nestingEnds(nested)) return false;
  const there = (path: string | null): boolean =>
    path === null || path.split("/").every((part) => eqns.has(part.split(":", 1)[0] as string));
  if (!program.twins.every(({ forward, backward, recomputed }) => there(forward) && there(backward) && there(recomputed))) return false;
  return levelsAreSound(program, eqns) && textIsSound(program, eqns) && embeddedIsSound(program, eqns);
}

/** The jaxprs that its equations nest, or null. */
function jaxprIsSound(jaxpr: Jaxpr, jaxprs: Program["jaxprs"], eqns: Set<string>): string[] | null {
  const { vars } = jaxpr;
  const known = (name: string): boolean => Object.hasOwn(vars, name);
  const isKnown = (atom: Jaxpr["outvars"][number]): boolean => !("var" in atom) || known(atom.var);
  if ((jaxpr.packed ?? null) !== null || (jaxpr.left_out ?? 0) !== 0) return null;
  if (!jaxpr.constvars.every(known) || !jaxpr.invars.every(known) || !Object.keys(jaxpr.consts).every(known)) return null;
  if (!jaxpr.outvars.every(isKnown)) return null;
  for (const [key, { id, shape }] of Object.entries(vars))
    if (key !== id || !shape.every((size) => typeof size === "string" || Math.abs(size) < LARGEST)) return null;
  const nested: string[] = [];
  for (const eqn of jaxpr.eqns) {
    if (eqns.has(eqn.id)) return null;
    eqns.add(eqn.id);
    if (!eqn.operands.every(({ atom }) => isKnown(atom)) || !eqn.results.every((result) => known(result.var))) return null;
    if (eqn.trips !== null && !(eqn.trips >= 0 && eqn.trips < LARGEST)) return null;
    for (const call of eqn.nested) {
      if (!callIsSound(call, eqn, jaxprs)) return null;
      nested.push(call.jaxpr);
    }
  }
  return nested;
}

function callIsSound(call: Call, eqn: Eqn, jaxprs: Program["jaxprs"]): boolean {
  const inner = Object.hasOwn(jaxprs, call.jaxpr) ? jaxprs[call.jaxpr] : undefined;
  if (inner === undefined) return false;
  const [consts, finals] = [call.consts ?? [], call.finals ?? []];
  if (call.inputs.length !== inner.invars.length || call.outputs.length !== inner.outvars.length) return false;
  if (consts.length !== 0 && consts.length !== inner.constvars.length) return false;
  if (finals.length !== 0 && finals.length !== inner.invars.length) return false;
  const ends = { operand: eqn.operands.length, result: eqn.results.length, next: inner.invars.length } as Readonly<Record<string, number>>;
  const within = (end: string, index: number): boolean => index >= 0 && index < (ends[end] ?? LARGEST);
  return (
    [...call.inputs, ...consts].every(({ from, index }) => within(from, index)) &&
    [...call.outputs, ...finals].every((outputs) => outputs.every(({ to, index }) => within(to, index)))
  );
}

/** No jaxpr contains itself, however far down, and the way down is short enough to recurse over. */
function nestingEnds(nested: ReadonlyMap<string, readonly string[]>): boolean {
  const depth = new Map<string, number>();
  const open = new Set<string>();
  for (const start of nested.keys()) {
    if (depth.has(start)) continue;
    const stack = [{ name: start, at: 0, deepest: 0 }];
    open.add(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const inner = nested.get(top.name)?.[top.at];
      if (inner === undefined) {
        const mine = top.deepest + 1;
        if (mine > DEEPEST) return false;
        stack.pop();
        open.delete(top.name);
        depth.set(top.name, mine);
        continue;
      }
      const known = depth.get(inner);
      if (known !== undefined) {
        top.deepest = Math.max(top.deepest, known);
        top.at++;
      } else if (open.has(inner)) return false;
      else {
        open.add(inner);
        stack.push({ name: inner, at: 0, deepest: 0 });
      }
    }
  }
  return true;
}

function levelsAreSound({ modules, links, texts }: Program, eqns: ReadonlySet<string>): boolean {
  const ops = new Map<string, ReadonlySet<string>>();
  for (const [level, module] of Object.entries(modules)) {
    const found = opsOf(module);
    if (found === null) return false;
    ops.set(level, found);
  }
  for (const [level, targets] of Object.entries(links)) {
    const known = ops.get(level);
    for (const [eqn, named] of Object.entries(targets))
      if (!eqns.has(eqn) || (known !== undefined && !named.every((op) => known.has(op)))) return false;
  }
  return Object.values(texts).every(printedIsSound);
}

function printedIsSound({ text, spans, packed }: LevelText): boolean {
  if ((packed ?? null) !== null) return false;
  for (const [start, end] of Object.values(spans)) if (!(start >= 0 && start <= end && end <= text.length)) return false;
  return true;
}

/** What is said of the paste's text. */
function textIsSound({ jaxprs, written = [] }: Program, eqns: ReadonlySet<string>): boolean {
  return written.every(
    ({ values, packed }) =>
      (packed ?? "") === "" &&
      values.every(({ jaxpr, eqn, parts }) => {
        const body = Object.hasOwn(jaxprs, jaxpr) ? jaxprs[jaxpr] : undefined;
        return (
          body !== undefined && (eqn === null || eqns.has(eqn)) && Object.values(parts).every((name) => Object.hasOwn(body.vars, name))
        );
      }),
  );
}

function embeddedIsSound({ embedded = [] }: Program, eqns: ReadonlySet<string>): boolean {
  return embedded.every((each) => each.eqns.every((eqn) => eqns.has(eqn)) && opsOf(each.module) !== null);
}
