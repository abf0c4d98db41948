// Why an equation has no op after lowering, or no instruction after compiling, where that can be told from the program alone. Pure.
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import type { Level } from "../state/types.ts";
import { eqnIndex, isLiteral } from "./instances.ts";
import { isGone } from "./links.ts";

/** A sentence with the reason, "" when it is not known, null when the equation is not gone at all. */
export function goneReason(program: Program, level: Level, eqn: string): string | null {
  if (!isGone(program, level, eqn)) return null;
  const place = eqnIndex(program).get(eqn);
  const lowered = level === "hlo" ? goneReason(program, "stablehlo", eqn) : null;
  if (lowered !== null) return `It was gone after lowering already. ${lowered}`.trim();
  if (place === undefined) return "";
  if (place.eqn.nested.some((call) => lives(program, level, call.jaxpr)))
    return "Its body was written out in place: it has no op of its own.";
  if (place.eqn.results.every((result) => !result.used))
    return `Nothing reads what it gives, so the ${level === "hlo" ? "compiler" : "lowering"} left it out.`;
  const readers = readersOf(place.jaxpr, place.eqn);
  if (readers.length > 0 && readers.every((reader) => isGone(program, level, reader.id)))
    return "Only equations that are gone too read what it gives.";
  return level === "hlo" ? compiledAway(program, place.jaxpr, place.eqn) : "";
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

/** What XLA's passes do that leaves nothing of an equation, where the program itself shows that they could. */
function compiledAway(program: Program, jaxpr: Jaxpr, eqn: Eqn): string {
  if (eqn.nested.length === 0 && eqn.effects.length === 0 && isConstant(jaxpr, eqn, 0))
    return "It has only constants to compute with: XLA did that while compiling.";
  const twin = jaxpr.eqns.find((other) => other !== eqn && !isGone(program, "hlo", other.id) && sameWork(other, eqn));
  if (twin !== undefined) return `Another ${twin.primitive} of the same operands computes the same, and XLA keeps one of them.`;
  return "";
}

const DEEPEST = 40;

/** Whether all that an equation reads is made of literals. */
function isConstant(jaxpr: Jaxpr, eqn: Eqn, depth: number): boolean {
  if (depth > DEEPEST || eqn.nested.length > 0 || eqn.effects.length > 0) return false;
  return eqn.operands.every(({ atom }) => {
    if (isLiteral(atom)) return true;
    const maker = makers(jaxpr).get(atom.var);
    return maker !== undefined && isConstant(jaxpr, maker, depth + 1);
  });
}

const made = new WeakMap<Jaxpr, ReadonlyMap<string, Eqn>>();

function makers(jaxpr: Jaxpr): ReadonlyMap<string, Eqn> {
  let found = made.get(jaxpr);
  if (found === undefined) {
    found = new Map(jaxpr.eqns.flatMap((eqn) => eqn.results.map((result) => [result.var, eqn] as const)));
    made.set(jaxpr, found);
  }
  return found;
}

function sameWork(a: Eqn, b: Eqn): boolean {
  if (a.primitive !== b.primitive || a.nested.length > 0 || b.nested.length > 0 || a.effects.length > 0 || b.effects.length > 0)
    return false;
  const words = ({ params, operands }: Eqn): string => JSON.stringify([params, operands.map(({ atom }) => atom)]);
  return words(a) === words(b);
}
