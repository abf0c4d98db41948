// What is looked at and was left out of the answer: which parts are to be asked for. Pure.
import type { LeftOut, Program } from "../../model/types.ts";
import type { View } from "./types.ts";
import { isText, levelOf } from "./update.ts";

/**
 * The parts that a view of a program needs; `bodies` are the jaxprs that the graph shows in outline, `opened` those that are open in the
 * outline of the program, which is there beside the printed jaxpr too.
 */
export function wantedParts(program: Program | null, view: View, bodies: readonly string[], opened: readonly string[] = []): LeftOut[] {
  const levels = view === "beside-text" ? ["jaxpr", "stablehlo", "hlo"] : [levelOf(view)];
  return (program?.left_out ?? []).filter((left) => {
    if (left.kind === "bodies") {
      if (levelOf(view) !== "jaxpr") return false;
      return left.jaxprs.some((id) => opened.includes(id) || (view === "jaxpr" && bodies.includes(id)));
    }
    if (!levels.includes(left.level)) return false;
    // A text of ops is linked by way of its module.
    return left.kind === "text" ? isText(view) : left.level !== "jaxpr";
  });
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** `5,000 equations in 250 bodies`. */
export function inWords({ kind, level, eqns, jaxprs }: LeftOut): string {
  if (kind === "text") return level === "jaxpr" ? "the printed jaxpr" : "the printed module";
  const count = eqns.toLocaleString("en");
  if (kind === "module") return `the module of ${count} ops`;
  return `${count} ${eqns === 1 ? "equation" : "equations"} in ${jaxprs.length === 1 ? "one body" : `${jaxprs.length.toLocaleString("en")} bodies`}`;
}
