// A function of a module, or a computation of HLO, in rows and words: for the inspector. Pure.
import { countedIn } from "../../drawing/graph/ops/inside.ts";
import type { Module, Span } from "../../model/types.ts";
import { type ValueRow, valueRow } from "./op.ts";

export interface FunctionFacts {
  readonly title: string;
  readonly counts: string;
  readonly takes: readonly ValueRow[];
  /** Types as MLIR prints them. */
  readonly gives: readonly string[];
  readonly attributes: readonly (readonly [name: string, text: string])[];
  readonly span: Span | null;
}

export function functionFacts(module: Module, id: string): FunctionFacts | null {
  const found = module.functions.find((each) => each.id === id);
  if (found === undefined) return null;
  return {
    title: `@${found.name}`,
    counts: countedIn([found.region]),
    takes: found.args.map((value) => valueRow(module, value, module.values[value]?.role ?? null)),
    gives: found.results,
    attributes: Object.entries(found.attributes),
    span: found.span,
  };
}
