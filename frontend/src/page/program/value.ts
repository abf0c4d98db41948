// A value of the program: who makes it, who reads it. Pure.
import type { Jaxpr, Program, Span, Var } from "../../model/types.ts";
import { isLiteral } from "./instances.ts";

export interface ValueFacts {
  readonly variable: Var;
  /** The jaxpr's own instance path: "" for the entry. */
  readonly inside: string;
  /** Instance path of the equation that makes it; null for an input or a const. */
  readonly maker: string | null;
  readonly readers: readonly string[];
  readonly place: "input" | "const" | "made";
  readonly returned: boolean;
  /** Where a closed-over variable got its value, in the source; null for every other. */
  readonly bound: Span | null;
}

/** From a value key of the drawing, `<jaxpr instance path>|v5`; null when it names nothing. */
export function factsOf(program: Program, key: string): ValueFacts | null {
  const bar = key.lastIndexOf("|");
  const id = key.slice(bar + 1);
  const inside = bar < 0 ? "" : key.slice(0, bar);
  const jaxpr = Object.values(program.jaxprs).find((candidate) => candidate.vars[id] !== undefined);
  const variable = jaxpr?.vars[id];
  if (jaxpr === undefined || variable === undefined) return null;
  const path = (eqn: string): string => (inside === "" ? eqn : `${inside}/${eqn}`);
  const maker = jaxpr.eqns.find((eqn) => eqn.results.some((result) => result.var === id));
  const readers = jaxpr.eqns.filter((eqn) => eqn.operands.some(({ atom }) => !isLiteral(atom) && atom.var === id));
  return {
    variable,
    inside,
    maker: maker === undefined ? null : path(maker.id),
    readers: readers.map((eqn) => path(eqn.id)),
    place: maker !== undefined ? "made" : jaxpr.constvars.includes(id) ? "const" : "input",
    returned: isReturned(jaxpr, id),
    bound: boundAt(jaxpr, id),
  };
}

/** Where a closed-over variable got its value; null where that is not known. Files saved before this was known have none. */
export function boundAt(jaxpr: Jaxpr, id: string): Span | null {
  const known: Jaxpr["bound"] | undefined = jaxpr.bound;
  return known?.[id] ?? null;
}

function isReturned(jaxpr: Jaxpr, id: string): boolean {
  return jaxpr.outvars.some((atom) => !isLiteral(atom) && atom.var === id);
}
