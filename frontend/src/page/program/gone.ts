// Why an equation has no op after lowering, where that can be told from the program alone. Pure.
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import type { Level } from "../state/types.ts";
import { eqnIndex, isLiteral } from "./instances.ts";
import { isGone } from "./links.ts";

/** A sentence with the reason, "" when it is not known, null when the equation is not gone at all. */
export function goneReason(program: Program, level: Level, eqn: string): string | null {
  if (!isGone(program, level, eqn)) return null;
  const place = eqnIndex(program).get(eqn);
  if (place === undefined) return "";
  if (place.eqn.nested.some((call) => lives(program, level, call.jaxpr)))
    return "Its body was written out in place: it has no op of its own.";
  if (place.eqn.results.every((result) => !result.used)) return "Nothing reads what it gives, so the lowering left it out.";
  const readers = readersOf(place.jaxpr, place.eqn);
  if (readers.length > 0 && readers.every((reader) => isGone(program, level, reader.id)))
    return "Only equations that are gone too read what it gives.";
  return "";
}

function lives(program: Program, level: Level, jaxpr: string): boolean {
  return (
    program.jaxprs[jaxpr]?.eqns.some(
      (eqn) => !isGone(program, level, eqn.id) || eqn.nested.some((call) => lives(program, level, call.jaxpr)),
    ) === true
  );
}

/** The equations that read a result; empty when the jaxpr itself returns one. */
function readersOf(jaxpr: Jaxpr, eqn: Eqn): Eqn[] {
  const made = new Set(eqn.results.map((result) => result.var));
  const read = (atom: Eqn["operands"][number]["atom"]): boolean => !isLiteral(atom) && made.has(atom.var);
  return jaxpr.outvars.some(read) ? [] : jaxpr.eqns.filter((other) => other.operands.some(({ atom }) => read(atom)));
}
