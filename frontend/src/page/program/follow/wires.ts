// What can be followed: the jaxprs of a program, or the ops of a lowered module. One walk goes over both (index.ts). Pure.
import type { Program } from "../../../model/types.ts";
import { placeOf } from "../instances.ts";
import { bodyOf, prepare, valueAt } from "./places.ts";
import { downstream, isAway, operandsOf, resultsOf, type Step, upstream } from "./wiring.ts";

/** Keys are those of the drawing: `<instance path>|<value>`, and instance paths of equations or ops. */
export interface Wires {
  /** What the cone is of: the subject of the drawing. */
  readonly of: object;
  prepare(): Generator<void>;
  upstream(key: string): Step;
  downstream(key: string): Step;
  /** The values that a walk begins with: the operands against the flow, the results with it. */
  starts(path: string, way: "up" | "down"): string[];
  /** Whether an equation or op holds others, and whether some of those have not come yet. */
  holds(path: string): { readonly others: boolean; readonly away: boolean };
  inputs(): readonly string[];
}

export function programWires(program: Program): Wires {
  return {
    of: program.jaxprs,
    prepare: () => prepare(program),
    upstream: (key) => upstream(program, key),
    downstream: (key) => downstream(program, key),
    starts(path, way) {
      const place = placeOf(program, path);
      if (place === null) return [];
      const slash = path.lastIndexOf("/");
      const inside = slash < 0 ? "" : path.slice(0, slash);
      return (way === "down" ? resultsOf : operandsOf)(program, place.eqn, inside);
    },
    holds(path) {
      const nested = placeOf(program, path)?.eqn.nested ?? [];
      return { others: nested.length > 0, away: nested.some((call) => isAway(program, call.jaxpr)) };
    },
    inputs() {
      const body = bodyOf(program, "");
      return [...(body?.jaxpr.constvars ?? []), ...(body?.jaxpr.invars ?? [])].map((id) => valueAt("", id));
    },
  };
}
