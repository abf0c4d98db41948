/**
 * Bytes that are live while each equation runs, in the order of the jaxpr: its inputs, what was made before and is still read, what it
 * makes, and the most that its bodies hold at a time. As written: before XLA fuses, reuses or donates anything.
 */
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import { bytesOf } from "./bytes.ts";
import { remembered } from "./remembered.ts";

export interface Live {
  /** By equation id: bytes live while it runs, its bodies without; null bytes count as none. */
  readonly during: ReadonlyMap<string, number>;
  /** Bytes of the inputs and constants. */
  readonly inputs: number;
  /** The most at a time, bodies and inputs included, and the equation it is at; null without equations. */
  readonly peak: number;
  readonly at: string | null;
}

const NONE: Live = { during: new Map(), inputs: 0, peak: 0, at: null };

export const liveOf = remembered((program: Program, jaxpr: string): Live => {
  const body = program.jaxprs[jaxpr];
  return body === undefined ? NONE : along(program, body);
}, NONE);

function along(program: Program, jaxpr: Jaxpr): Live {
  const last = lastReads(jaxpr);
  const size = (id: string): number => {
    const variable = jaxpr.vars[id];
    return (variable === undefined ? null : bytesOf(variable)) ?? 0;
  };
  const inputs = [...jaxpr.invars, ...jaxpr.constvars].reduce((total, id) => total + size(id), 0);
  const during = new Map<string, number>();
  const given = new Set([...jaxpr.invars, ...jaxpr.constvars]);
  let now = inputs;
  let peak = inputs;
  let at: string | null = null;
  jaxpr.eqns.forEach((eqn, i) => {
    for (const { var: id } of eqn.results) now += size(id);
    during.set(eqn.id, now);
    const most = now + inside(program, jaxpr, eqn);
    if (most > peak || at === null) {
      peak = Math.max(peak, most);
      at = eqn.id;
    }
    const done = new Set([...eqn.results.map(({ var: id }) => id), ...varsOf(eqn)]);
    for (const id of done) if (!given.has(id) && (last.get(id) ?? i) === i) now -= size(id);
  });
  return { during, inputs, peak, at };
}

/** What the bodies hold beyond what the equation has already: their inputs are its operands, their results in the end its results. */
export function inside(program: Program, jaxpr: Jaxpr, eqn: Eqn): number {
  let most = 0;
  for (const call of eqn.nested) {
    const { peak, inputs } = liveOf(program, call.jaxpr);
    most = Math.max(most, peak - inputs);
  }
  // A loop's next step is made while this one's carry is there; what a plain call makes is what it hands back.
  if (eqn.primitive === "scan" || eqn.primitive === "while") return most;
  const made = eqn.results.reduce((total, { var: id }) => total + (bytesOf(jaxpr.vars[id] ?? { dtype: "", shape: [] }) ?? 0), 0);
  return Math.max(0, most - made);
}

/** Index of the equation that reads a variable last; of what is returned, one past the end. */
function lastReads(jaxpr: Jaxpr): Map<string, number> {
  const last = new Map<string, number>();
  jaxpr.eqns.forEach((eqn, i) => {
    for (const id of varsOf(eqn)) last.set(id, i);
  });
  for (const atom of jaxpr.outvars) if ("var" in atom) last.set(atom.var, jaxpr.eqns.length);
  return last;
}

function varsOf(eqn: Eqn): string[] {
  return eqn.operands.flatMap(({ atom }) => ("var" in atom ? [atom.var] : []));
}
