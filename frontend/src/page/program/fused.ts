// Which equations XLA fused into one loop: those whose instructions stand in the computation that one fusion calls. Pure.
import type { Module, Op, Program } from "../../model/types.ts";
import { eqnIndex } from "./instances.ts";
import { eqnsOf, moduleIndex } from "./links.ts";

export interface Fusion {
  /** The instruction that calls the fused computation. */
  readonly op: Op;
  /** The equations of its instructions, in the order of the program. */
  readonly eqns: readonly string[];
}

const known = new WeakMap<Module, readonly Fusion[]>();

/** Every fusion of the compiled program, in the order of the text. */
export function fusionsOf(program: Program): readonly Fusion[] {
  const module = program.modules.hlo;
  if (module === undefined || program.links.hlo === undefined) return [];
  let found = known.get(module);
  if (found === undefined) {
    const order = new Map([...eqnIndex(program).keys()].map((id, at) => [id, at] as const));
    const inside = new Map<string, readonly string[]>();
    for (const { name, region } of module.functions) {
      const eqns = new Set<string>();
      for (const id of idsOf(region.blocks)) for (const eqn of own(program, id)) eqns.add(eqn);
      inside.set(
        name,
        [...eqns].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
      );
    }
    found = [...moduleIndex(module).ops.values()].flatMap((op) => {
      const eqns = op.name === "fusion" && op.callee !== null ? inside.get(op.callee) : undefined;
      return eqns === undefined ? [] : [{ op, eqns }];
    });
    known.set(module, found);
  }
  return found;
}

/** The fusions that an equation went into together with others. */
export function fusedWith(program: Program, eqn: string): readonly Fusion[] {
  return fusionsOf(program).filter(({ eqns }) => eqns.length > 1 && eqns.includes(eqn));
}

/** A scan that a value is sliced out of for its body owns the slice; it was not fused into its own body. */
function own(program: Program, op: string): readonly string[] {
  return eqnsOf(program, op).filter((eqn) => (eqnIndex(program).get(eqn)?.eqn.nested.length ?? 0) === 0);
}

function* idsOf(blocks: readonly { readonly ops: readonly Op[] }[]): Generator<string> {
  for (const { ops } of blocks) {
    for (const op of ops) {
      yield op.id;
      for (const region of op.regions) yield* idsOf(region.blocks);
    }
  }
}
