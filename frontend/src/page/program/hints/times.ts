// In which circumstances an equation was traced, in the words of the page: branch, loop, backward, computed again, batched. Pure.
import type { Eqn, Program } from "../../../model/types.ts";
import { ancestorsOf, eqnIndex, eqnOf } from "../instances.ts";

export type Pass = "forward" | "backward" | "recomputed";

export interface Circumstances {
  readonly pass: Pass;
  /** A batch axis is among its dimensions. */
  readonly batched: boolean;
  /** Outermost first: `scan ×8`, `cond, true`. */
  readonly around: readonly string[];
}

/** As JAX calls the scope of what a checkpoint computes again. */
const RECOMPUTED = "rematted_computation";

export function circumstances(program: Program, path: string): Circumstances {
  const index = eqnIndex(program);
  const segments = [...ancestorsOf(path), path];
  let pass: Pass = "forward";
  let batched = false;
  const around: string[] = [];
  for (const [depth, at] of segments.entries()) {
    const eqn = index.get(eqnOf(at))?.eqn;
    if (eqn === undefined) continue;
    for (const { kind, name } of eqn.stack) {
      if (kind === "transform" && name === "vmap") batched = true;
      if (kind === "transform" && name === "transpose") pass = "backward";
      else if (kind === "scope" && name === RECOMPUTED) pass = "recomputed";
    }
    if (depth < segments.length - 1) around.push(...bodyWords(eqn, at));
  }
  return { pass, batched, around };
}

/** Bodies that run once, as they stand, go without saying. */
function bodyWords(eqn: Eqn, segment: string): string[] {
  const colon = segment.lastIndexOf(":");
  const call = eqn.nested[colon > segment.lastIndexOf("/") ? Number(segment.slice(colon + 1)) : 0];
  if (eqn.primitive === "cond") return [`branch ${call?.label ?? ""}`.trim()];
  if (eqn.primitive === "while") return [`while ${call?.label ?? ""}`.trim()];
  if (eqn.trips !== null) return [`${eqn.primitive} ×${eqn.trips}`];
  return [];
}
