// The values of a program in their places: what makes and reads them in their own jaxpr, and which body of which equation that is. Pure.
//
// A value is `<instance path of its jaxpr>|v5`, an equation its instance path.
import type { Call, Eqn, Jaxpr, Program } from "../../../model/types.ts";
import { eqnIndex, eqnOf, isLiteral } from "../instances.ts";
import { atOnce } from "../slices.ts";

export interface Uses {
  readonly makers: ReadonlyMap<string, { readonly eqn: Eqn; readonly index: number }>;
  /** `at`: the how many-th equation of the jaxpr it is. */
  readonly readers: ReadonlyMap<string, readonly { readonly eqn: Eqn; readonly index: number; readonly at: number }[]>;
  readonly returned: ReadonlyMap<string, readonly number[]>;
  /** Equations that may write a ref in place, by the variable, in order; `whole`: nothing of what it held is left. */
  readonly writers: ReadonlyMap<string, readonly Writer[]>;
  /** Where each equation stands that takes a ref. */
  readonly order: ReadonlyMap<Eqn, number>;
}

export interface Writer {
  readonly eqn: Eqn;
  readonly at: number;
  readonly whole: boolean;
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
  const readers = new Map<string, { eqn: Eqn; index: number; at: number }[]>();
  const returned = new Map<string, number[]>();
  const writers = new Map<string, Writer[]>();
  const order = new Map<Eqn, number>();
  for (const [at, eqn] of jaxpr.eqns.entries()) {
    yield;
    for (const [index, result] of eqn.results.entries()) makers.set(result.var, { eqn, index });
    eqn.operands.forEach(({ atom }, index) => {
      if (isLiteral(atom)) return;
      push(readers, atom.var, { eqn, index, at });
      if (!isRef(jaxpr, atom.var)) return;
      order.set(eqn, at);
      if (eqn.effects.some((effect) => writes(effect, atom.var))) push(writers, atom.var, { eqn, at, whole: isWhole(eqn, jaxpr) });
    });
  }
  for (const [index, atom] of jaxpr.outvars.entries()) if (!isLiteral(atom)) push(returned, atom.var, index);
  return { makers, readers, returned, writers, order };
}

/** An effect that does not name its ref is one on each. */
function writes(effect: string, id: string): boolean {
  if (!/^(Write|Accum)/.test(effect)) return false;
  const named = effect.match(/<(v\d+):/)?.[1];
  return named === undefined || named === id;
}

/** A swap of a value of the ref's own shape, at no index. */
function isWhole({ primitive, operands }: Eqn, { vars }: Jaxpr): boolean {
  const [ref, value] = operands.map(({ atom }) => (isLiteral(atom) ? undefined : vars[atom.var]));
  return (
    primitive === "swap" &&
    operands.length === 2 &&
    ref !== undefined &&
    value !== undefined &&
    JSON.stringify(ref.shape) === JSON.stringify(value.shape)
  );
}

export function isRef(jaxpr: Jaxpr, id: string): boolean {
  return /Ref/.test(jaxpr.vars[id]?.aval ?? "");
}

export function splitKey(key: string): { path: string; id: string } {
  const bar = key.lastIndexOf("|");
  return { path: key.slice(0, bar), id: shown(key.slice(bar + 1)) };
}

/**
 * What a ref holds before the `before`-th equation of its jaxpr: `e3|v5@2`, for the walk alone. Without it, whenever that is. `shown` is what
 * it is called everywhere else.
 */
export function refBefore(key: string, before: number | undefined): string {
  return before === undefined ? key : `${key}@${before}`;
}

export function shown(key: string): string {
  const at = key.lastIndexOf("@");
  return at < 0 ? key : key.slice(0, at);
}

export function beforeOf(key: string): number | null {
  const at = key.lastIndexOf("@");
  return at < 0 ? null : Number(key.slice(at + 1));
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
