// What a program is, in a few short lines.
import type { Module, Program } from "../../model/types.ts";
import { counted } from "../graph/fold/items.ts";
import { equationsOf } from "../graph/left.ts";
import { mainFunction } from "../graph/ops/context.ts";

/** Types that are named before the rest is counted. */
const NAMED = 3;

export interface Facts {
  /** `57 equations, 2 nested bodies`: of all bodies together, each counted once. */
  readonly size: string;
  /** `w f32[3]`: with the person's own names where they are known. */
  readonly inputs: readonly string[];
  readonly results: readonly string[];
}

export const NO_FACTS: Facts = { size: "", inputs: [], results: [] };

export function factsOf(program: Program): Facts {
  const entry = program.entry === null ? undefined : program.jaxprs[program.entry];
  const equations = Object.values(program.jaxprs).reduce((sum, jaxpr) => sum + equationsOf(jaxpr), 0);
  const bodies = Object.keys(program.jaxprs).length - 1;
  const outs = (entry?.outvars ?? []).map((atom) => ("var" in atom ? (entry?.vars[atom.var]?.aval ?? "") : atom.aval));
  return {
    size: [amount(equations, "equation", "equations"), ...(bodies > 0 ? [amount(bodies, "nested body", "nested bodies")] : [])].join(", "),
    inputs: types((entry?.invars ?? []).map((id) => [entry?.vars[id]?.label, entry?.vars[id]?.aval].filter(Boolean).join(" "))),
    results: types(outs),
  };
}

export function moduleFacts(module: Module): Facts {
  const main = mainFunction(module);
  return {
    size: amount(module.functions.length, "function", "functions"),
    inputs: types((main?.args ?? []).map((id) => module.values[id]?.type ?? "")),
    results: types(main?.results ?? []),
  };
}

function amount(count: number, one: string, many: string): string {
  return `${counted(count)} ${count === 1 ? one : many}`;
}

function types(all: readonly string[]): string[] {
  const rest = all.length - NAMED;
  return rest > 1 ? [...all.slice(0, NAMED), `and ${counted(rest)} more`] : [...all];
}
