// Which bodies are open, by program and level, and what becomes of that when the program is edited. Pure.
import type { Program } from "../../model/types.ts";
import { type Edits, movedPath } from "../program/edits.ts";
import { eqnIndex, eqnOf } from "../program/instances.ts";
import { openKey } from "./current.ts";
import type { State, Target } from "./types.ts";

/** The bodies that were open, by what they are now. Groups of a level that have names of their own keep them. */
export function movedOpen(open: State["open"], before: Program, after: Program, edits: Edits): State["open"] {
  const now = open[openKey("jaxpr", before.id)];
  if (now === undefined) return open;
  const known = eqnIndex(before);
  const moved = [...now].flatMap((path) => (known.has(eqnOf(path)) ? (movedPath(edits, path) ?? []) : [path]));
  return { ...open, [openKey("jaxpr", after.id)]: new Set(moved) };
}

export function movedTarget(edits: Edits, target: Target | null): Target | null {
  const path = target?.kind === "eqn" ? movedPath(edits, target.path) : null;
  return path === null ? null : { kind: "eqn", path };
}
