// Between the page's words and the viewer's: what was pointed at in a drawing, and what of a drawing to light.
import type { Marks, Pointed } from "../../viewer/index.ts";
import type { Level, Target } from "../state/types.ts";
import type { Lit } from "./lit.ts";

/** In a module drawing the instance path of an item is a path of ops. */
export function targetOf(level: Level, pointed: Pointed | null): Target | null {
  if (pointed === null) return null;
  if (pointed.eqn !== null) {
    if (level === "jaxpr") return { kind: "eqn", path: pointed.eqn };
    const slash = pointed.eqn.lastIndexOf("/");
    return slash < 0 ? { kind: "op", id: pointed.eqn } : { kind: "op", id: pointed.eqn.slice(slash + 1), path: pointed.eqn };
  }
  return pointed.value === null ? null : { kind: "value", key: pointed.value };
}

export function marksOf(level: Level, lit: Lit): Marks {
  if (level !== "jaxpr") return { ids: lit.ops, path: null, values: lit.values };
  return { ids: lit.eqns, path: lit.path, values: lit.values };
}
