// Where the equations of a program stand.
import type { Eqn, Jaxpr, Program } from "./types.ts";

export interface Site {
  readonly jaxpr: Jaxpr;
  readonly eqn: Eqn;
}

export type Sites = ReadonlyMap<string, Site>;

const known = new WeakMap<Program, Sites>();

/** Every equation of the program by its id, with the jaxpr it stands in. Computed once per program. */
export function sitesOf(program: Program): Sites {
  const found = known.get(program);
  if (found !== undefined) return found;
  const sites = new Map<string, Site>();
  for (const jaxpr of Object.values(program.jaxprs)) for (const eqn of jaxpr.eqns) sites.set(eqn.id, { jaxpr, eqn });
  known.set(program, sites);
  return sites;
}
