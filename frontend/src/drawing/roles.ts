/** Which lines occur in a drawing, for its legend: of a large one a walk over a hundred thousand wires, so it is made once and in turns. */
import { atOnce, type Slices } from "../model/slices.ts";
import type { Scene } from "./scene.ts";

export interface Roles {
  readonly found: ReadonlySet<string>;
  /** Whether a line joins the uses of a ref. */
  readonly refs: boolean;
}

/** Lines between two turns. */
const LINES = 5000;

const known = new WeakMap<Scene, Roles>();

export function rolesIn(scene: Scene): Roles {
  return known.get(scene) ?? atOnce(rolesInTurns(scene));
}

export function* rolesInTurns(scene: Scene): Slices<Roles> {
  const found = new Set<string>();
  let refs = false;
  for (const [at, { role, kind }] of scene.wires.entries()) {
    found.add(role);
    refs ||= kind === "effect";
    if (at % LINES === LINES - 1) yield;
  }
  for (const { role } of scene.chips) found.add(role);
  const roles = { found, refs };
  known.set(scene, roles);
  return roles;
}
