/** Bodies that one word says: the reducer of a reduce is `add`, that of a scatter `max`. */
import type { Eqn, Jaxpr, Program } from "../../model/types.ts";
import { isLeftOut } from "./left.ts";

const REDUCING =
  /^(reduce|reduce_window|scatter|scatter[-_]\w+|select_and_scatter|select_and_scatter_add|select_and_gather_add|argmin|argmax)$/;
const EITHER_WAY = new Set(["add", "add_any", "mul", "min", "max", "and", "or", "xor"]);
const IN_ORDER = new Set(["sub", "ge", "gt", "le", "lt"]);

/** The words of the bodies of a reducer, or null where one has to look inside. */
export function reducerWords(eqn: Eqn, program: Program): string[] | null {
  if (!REDUCING.test(eqn.primitive) || eqn.nested.length === 0) return null;
  const words = eqn.nested.map((call) => wordOf(program.jaxprs[call.jaxpr]));
  return words.every((word) => word !== null) ? words : null;
}

/** One known equation on the two elements, whose result is that of the body; or no equation: the update replaces what was there. */
function wordOf(body: Jaxpr | undefined): string | null {
  if (body === undefined || isLeftOut(body)) return null;
  if (body.invars.length !== 2 || body.outvars.length !== 1) return null;
  const [out] = body.outvars;
  if (!out || !("var" in out)) return null;
  const [only, ...more] = body.eqns;
  if (only === undefined) return out.var === body.invars[1] ? "replace" : null;
  if (more.length > 0 || only.nested.length > 0 || only.results[0]?.var !== out.var) return null;
  const read = only.operands.map(({ atom }) => ("var" in atom ? atom.var : ""));
  if (read.length !== 2) return null;
  const straight = read.every((id, i) => id === body.invars[i]);
  const turned = read.every((id, i) => id === body.invars[1 - i]);
  const known = straight ? EITHER_WAY.has(only.primitive) || IN_ORDER.has(only.primitive) : turned && EITHER_WAY.has(only.primitive);
  return known ? only.primitive : null;
}
