// The values of a program in their places: what makes and reads them in their own jaxpr, and which body of which equation that is. Pure.
//
// A value is `<instance path of its jaxpr>|v5`, an equation its instance path.
import type { Call, Eqn, Jaxpr, Program } from "../../../model/types.ts";
import { eqnIndex, eqnOf, isLiteral } from "../instances.ts";
import { atOnce } from "../slices.ts";

export interface Uses {
  readonly makers: ReadonlyMap<string, { readonly eqn: Eqn; readonly index: number }>;
  readonly readers: ReadonlyMap<string, readonly { readonly eqn: Eqn; readonly index: number }[]>;
  readonly returned: ReadonlyMap<string, readonly number[]>;
  /** Equations that may write a ref in place, by the variable. */
  readonly writers: ReadonlyMap<string, readonly Eqn[]>;
}

const known = new WeakMap<Jaxpr, Uses>();

/** Everything that the values of one jaxpr take part in. Made once per jaxpr. */
export function usesOf(jaxpr: Jaxpr): Uses {
  let uses = known.get(jaxpr);
  if (uses === undefined) {
    uses = atOnce(make(jaxpr));
    known.set(jaxpr, uses);
  }
  return uses;
}

/** The same for a whole program, in slices: what comes after it never waits for a large jaxpr. */
export function* prepare(program: Program): Generator<void> {
  for (const jaxpr of Object.values(program.jaxprs)) if (!known.has(jaxpr)) known.set(jaxpr, yield* make(jaxpr));
}

function* make(jaxpr: Jaxpr): Generator<void, Uses> {
  const makers = new Map<string, { eqn: Eqn; index: number }>();
  const readers = new Map<string, { eqn: Eqn; index: number }[]>();
  const returned = new Map<string, number[]>();
  const writers = new Map<string, Eqn[]>();
  for (const eqn of jaxpr.eqns) {
    yield;
    for (const [index, result] of eqn.results.entries()) makers.set(result.var, { eqn, index });
    eqn.operands.forEach(({ atom }, index) => {
      if (isLiteral(atom)) return;
      push(readers, atom.var, { eqn, index });
      if (isRef(jaxpr, atom.var) && eqn.effects.some((effect) => /^(Write|Accum)/.test(effect))) push(writers, atom.var, eqn);
    });
  }
  for (const [index, atom] of jaxpr.outvars.entries()) if (!isLiteral(atom)) push(returned, atom.var, index);
  return { makers, readers, returned, writers };
}

export function isRef(jaxpr: Jaxpr, id: string): boolean {
  return /Ref/.test(jaxpr.vars[id]?.aval ?? "");
}

export function splitKey(key: string): { path: string; id: string } {
  const bar = key.lastIndexOf("|");
  return { path: key.slice(0, bar), id: key.slice(bar + 1) };
}

export const valueAt = (path: string, id: string): string => `${path}|${id}`;
export const under = (path: string, id: string): string => (path === "" ? id : `${path}/${id}`);
export const bodyAt = (eqnPath: string, index: number): string => (index === 0 ? eqnPath : `${eqnPath}:${index}`);

/** A body in its place: the equation that holds it, and which of its calls it is. */
export interface Body {
  readonly jaxpr: Jaxpr;
  /** Null for the program itself. */
  readonly held: { readonly eqn: Eqn; readonly at: string; readonly outer: string; readonly index: number; readonly call: Call } | null;
}

export function bodyOf(program: Program, path: string): Body | null {
  if (path === "") {
    const jaxpr = program.entry === null ? undefined : program.jaxprs[program.entry];
    return jaxpr === undefined ? null : { jaxpr, held: null };
  }
  const slash = path.lastIndexOf("/");
  const segment = path.slice(slash + 1);
  const colon = segment.indexOf(":");
  const index = colon < 0 ? 0 : Number(segment.slice(colon + 1));
  const eqn = eqnIndex(program).get(eqnOf(path))?.eqn;
  const call = eqn?.nested[index];
  const jaxpr = call === undefined ? undefined : program.jaxprs[call.jaxpr];
  if (eqn === undefined || call === undefined || jaxpr === undefined) return null;
  const at = colon < 0 ? path : path.slice(0, slash + 1 + colon);
  return { jaxpr, held: { eqn, at, outer: slash < 0 ? "" : path.slice(0, slash), index, call } };
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
