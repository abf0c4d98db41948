/** Equations that are no box: what they make is shown where it is read. */
import { eqnsThat } from "../../model/lazy.ts";
import type { Eqn, Jaxpr } from "../../model/types.ts";
import { childPath } from "./folds.ts";
import type { Feed } from "./level.ts";
import { type Atom, literalText, valueKey } from "./ports.ts";

type Literal = Extract<Feed, { kind: "literal" }>;

/** `broadcast_in_dim 0.0` is the number with a shape: it is shown in its consumers. */
export function foldedLiteral(eqn: Eqn, path: string): Literal | null {
  const [operand] = eqn.operands;
  const [result] = eqn.results;
  if (eqn.primitive !== "broadcast_in_dim" || !operand || !result || eqn.operands.length !== 1 || "var" in operand.atom) return null;
  const { literal } = operand.atom;
  return shaped(eqn, result, path, literalText(literal), `broadcast_in_dim ${literal}`);
}

/** What nobody has set: `empty` and its broadcasts are a gap in the shape of a value, one for each residual of another branch. */
export function foldedEmpty(eqn: Eqn, path: string, feedOf: (atom: Atom) => Feed): Literal | null {
  const [result] = eqn.results;
  if (!result || eqn.results.length !== 1) return null;
  if (isEmpty(eqn)) return shaped(eqn, result, path, EMPTY, eqn.primitive);
  const [operand] = eqn.operands;
  if (eqn.primitive !== "broadcast_in_dim" || !operand || eqn.operands.length !== 1) return null;
  const of = feedOf(operand.atom);
  return isGap(of) ? shaped(eqn, result, path, EMPTY, `broadcast_in_dim of ${of.hint.split("\n")[0]}`) : null;
}

const EMPTY = "empty";

export function isGap(feed: Feed): feed is Literal {
  return feed.kind === "literal" && feed.text.startsWith(`${EMPTY} `);
}

export function isEmpty({ primitive, operands }: Pick<Eqn, "primitive" | "operands">): boolean {
  return /^empty2?$/.test(primitive) && operands.length === 0;
}

function shaped(eqn: Eqn, { var: id, aval }: Eqn["results"][number], path: string, text: string, from: string): Literal {
  const shape = aval.slice(Math.max(0, aval.indexOf("[")));
  return { kind: "literal", text: `${text} ${shape}`, hint: `${from}\n${aval}`, eqn: childPath(path, eqn.id), value: valueKey(path, id) };
}

/** Which results of a body nobody has set. */
export function gapsOf(jaxpr: Jaxpr): boolean[] {
  const unset = new Set<string>();
  for (const { primitive, operands, results } of eqnsThat(jaxpr, (eqn) => isEmpty(eqn) || eqn.primitive === "broadcast_in_dim")) {
    const [operand] = operands;
    const gap =
      isEmpty({ primitive, operands }) || (operands.length === 1 && operand && "var" in operand.atom && unset.has(operand.atom.var));
    if (gap) for (const result of results) unset.add(result.var);
  }
  return jaxpr.outvars.map((atom) => "var" in atom && unset.has(atom.var));
}
