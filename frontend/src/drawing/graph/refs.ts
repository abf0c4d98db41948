/**
 * Refs: what reads and writes them stands in an order that no value shows. Drawn, a ref passes through each equation that may change it:
 * whatever reads it afterwards is fed from there.
 */
import type { Call, Eqn, Jaxpr, Program } from "../../model/types.ts";

type Var = Jaxpr["vars"][string];

export function isRef(variable: Var | undefined): boolean {
  return variable !== undefined && (variable.aval.startsWith("Ref{") || variable.aval.startsWith("Ref<"));
}

/** The refs of a body that an equation in it may change, by their variables, in operand order. */
export function changedRefs(eqn: Eqn, jaxpr: Jaxpr, program: Program): number[] {
  const refs = eqn.operands.flatMap(({ atom }, i) => ("var" in atom && isRef(jaxpr.vars[atom.var]) ? [i] : []));
  if (refs.length === 0) return [];
  if (eqn.nested.length > 0) {
    const changed = new Set(eqn.nested.flatMap((call) => changedOperands(call, program)));
    return refs.filter((i) => changed.has(i));
  }
  const changed = new Set(eqn.effects.flatMap((effect) => effect.match(/^(?:Write|Accum)<(v\d+):/)?.[1] ?? []));
  return refs.filter((i) => {
    const { atom } = eqn.operands[i]!;
    return "var" in atom && changed.has(atom.var);
  });
}

function changedOperands(call: Call, program: Program): number[] {
  const body = program.jaxprs[call.jaxpr];
  if (!body) return [];
  const changed = changedIn(body, program);
  const of = (ids: readonly string[], sources: Call["inputs"]): number[] =>
    sources.flatMap((source, i) => (source.from === "operand" && changed.has(ids[i] ?? "") ? [source.index] : []));
  return [...of(body.invars, call.inputs), ...of(body.constvars, call.consts ?? [])];
}

const known = new WeakMap<Jaxpr, Set<string>>();

/** The variables of a body that are refs and that something in it may change. */
export function changedIn(body: Jaxpr, program: Program): ReadonlySet<string> {
  const found = known.get(body);
  if (found) return found;
  const changed = new Set<string>();
  known.set(body, changed);
  if (!Object.values(body.vars).some(isRef)) return changed;
  for (const eqn of body.eqns) {
    for (const i of changedRefs(eqn, body, program)) {
      const { atom } = eqn.operands[i]!;
      if ("var" in atom) changed.add(atom.var);
    }
  }
  return changed;
}

/** Words beside the title of what touches a ref. */
export function refNote(eqn: Eqn): string {
  const read = eqn.results.some(({ used }) => used);
  if (eqn.primitive === "get" || eqn.primitive === "masked_load") return "reads";
  if (eqn.primitive === "swap" || eqn.primitive === "masked_swap") return read ? "reads, writes" : "writes";
  return eqn.primitive === "addupdate" ? "adds" : "";
}
