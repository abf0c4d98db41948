// Where the equations of a program stand.
import { atOnce, type Slices } from "./slices.ts";
import type { Eqn, Jaxpr, Program } from "./types.ts";

export interface Site {
  readonly jaxpr: Jaxpr;
  readonly eqn: Eqn;
}

/** Equations between two stops. */
const ROWS = 2000;

export type Sites = ReadonlyMap<string, Site>;

/** Levels that come later give a new program around the same jaxprs. */
const known = new WeakMap<Program["jaxprs"], Sites>();

/** Every equation of the program by its id, with the jaxpr it stands in. Computed once per program. */
export function sitesOf(program: Program): Sites {
  const found = known.get(program.jaxprs);
  if (found !== undefined) return found;
  return atOnce(sitesInTurns(program));
}

/** The same, to be made in turns with the page. */
export function* sitesInTurns({ jaxprs }: Pick<Program, "jaxprs">): Slices<Sites> {
  const sites = new Map<string, Site>();
  for (const jaxpr of Object.values(jaxprs)) {
    for (const [at, eqn] of jaxpr.eqns.entries()) {
      sites.set(eqn.id, { jaxpr, eqn });
      if (at % ROWS === ROWS - 1) yield;
    }
  }
  known.set(jaxprs, sites);
  return sites;
}
