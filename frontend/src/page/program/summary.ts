// A program at a glance, for the inspector without a selection. Pure.
import { equationsOf } from "../../drawing/graph/left.ts";
import type { Jaxpr, Program } from "../../model/types.ts";
import type { Sentence } from "../explain/index.ts";
import { avalOfAtom, eqnIndex, nameOf, nameOfAtom, placeOf } from "./instances.ts";

export interface Summary {
  readonly counts: string;
  readonly sentences: readonly Sentence[];
  readonly inputs: readonly { readonly name: string; readonly aval: string }[];
  readonly outputs: readonly { readonly name: string; readonly aval: string }[];
  /** The most frequent first, equal ones by name. */
  readonly primitives: readonly (readonly [string, number])[];
}

const MOST_VALUES = 24;
const MOST_PRIMITIVES = 16;
const known = new WeakMap<Program, Summary>();

export function summaryOf(program: Program): Summary {
  let summary = known.get(program);
  if (summary === undefined) {
    summary = make(program);
    known.set(program, summary);
  }
  return summary;
}

function make(program: Program): Summary {
  const places = [...eqnIndex(program).values()];
  const entry = program.entry === null ? undefined : program.jaxprs[program.entry];
  const counts = new Map<string, number>();
  for (const { eqn } of places) counts.set(eqn.primitive, (counts.get(eqn.primitive) ?? 0) + 1);
  const equations = Object.values(program.jaxprs).reduce((sum, jaxpr) => sum + equationsOf(jaxpr), 0);
  const bodies = Object.keys(program.jaxprs).length - (entry === undefined ? 0 : 1);
  return {
    counts: `${amount(equations, "equation", "equations")}${bodies > 0 ? `, ${amount(bodies, "nested body", "nested bodies")}` : ""}`,
    sentences: sentences(program, entry),
    inputs:
      entry === undefined
        ? []
        : entry.invars.slice(0, MOST_VALUES).map((id) => ({ name: nameOf(entry.vars[id]), aval: entry.vars[id]?.aval ?? "" })),
    outputs:
      entry === undefined
        ? []
        : entry.outvars.slice(0, MOST_VALUES).map((atom) => ({ name: nameOfAtom(entry, atom), aval: avalOfAtom(entry, atom) })),
    primitives: [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MOST_PRIMITIVES),
  };
}

function sentences(program: Program, entry: Jaxpr | undefined): Sentence[] {
  const found: Sentence[] = [];
  if (entry === undefined) found.push(["A module without a jaxpr."]);
  else if (entry.eqns.length === 0) found.push(["No equations: it hands its inputs on as they are."]);
  if (program.count > 1) found.push([`Traced ${program.count} times with the same types; it is shown once.`]);
  if (program.twins.length > 0) {
    const many = program.twins.length;
    // Calls and branches have twins as well as loops.
    const loops = program.twins.every((twin) => placeOf(program, twin.forward)?.eqn.trips != null);
    found.push([
      many === 1 ? `One ${loops ? "loop" : "call"} has a backward twin: ` : `${many} ${loops ? "loops" : "calls"} have backward twins: `,
      `forward and backward beside each other, residuals in between. Select ${many === 1 ? "either" : "one"} to read how the two fit.`,
    ]);
  } else if (entry?.eqns.some((eqn) => eqn.nested.length > 0)) found.push(["Select an equation to read what its operands are for."]);
  return found;
}

function amount(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
