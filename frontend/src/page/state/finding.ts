// What the person looks for, follows and has pinned: how it changes. Pure.
import type { Program } from "../../model/types.ts";
import { placeOf } from "../program/instances.ts";
import type { Level, Target } from "./types.ts";

export interface Finding {
  readonly open: boolean;
  readonly query: string;
  /** Which of the hits it stands at, null before the first step. */
  readonly at: number | null;
}

export const NOT_FINDING: Finding = { open: false, query: "", at: null };

/** Upstream: what it depends on. Downstream: what it feeds. */
export type Way = "up" | "down" | "both" | "path";

/** `from` and `to` are instance paths of equations or ops, or keys of values (with a bar). A path has no end before one is chosen. */
export interface Following {
  readonly way: Way;
  readonly from: string;
  readonly to: string | null;
  /** Of which level they are; of the jaxpr where it is not said. */
  readonly level?: Level;
}

/** A changed query begins before the first hit again. */
export function found(before: Finding, change: Partial<Finding>): Finding {
  const next = { ...before, ...change };
  return next.query !== before.query && change.at === undefined ? { ...next, at: null } : next;
}

/** The key of what can be followed from a selection: an equation, an op or a value, nothing else. */
export function followable(target: Target | null): string | null {
  if (target?.kind === "op") return target.path ?? target.id;
  return target?.kind === "eqn" ? target.path : target?.kind === "value" ? target.key : null;
}

/** What is followed stays over a new answer while both of its ends are still the same equation. */
export function stillFollowed(before: Program, after: Program, following: Following | null): Following | null {
  // The ids of ops are numbers in a row: they say nothing over an edit.
  if (following === null || levelFollowed(following) !== "jaxpr") return null;
  const same = (key: string | null): boolean =>
    key === null || (!key.includes("|") && placeOf(before, key)?.eqn.primitive === placeOf(after, key)?.eqn.primitive);
  return same(following.from) && same(following.to) ? following : null;
}

export function levelFollowed(following: Following | null): Level {
  return following?.level ?? "jaxpr";
}

/** What a key does: follow what is selected; the same again lets go; a path is begun, then ended at something else. */
export function followed(before: Following | null, way: Way, key: string, level: Level = "jaxpr"): Following | null {
  const own = before !== null && levelFollowed(before) === level ? before : null;
  const begun: Following = level === "jaxpr" ? { way, from: key, to: null } : { way, from: key, to: null, level };
  if (way === "path") {
    if (own?.way !== "path" || own.to !== null) return begun;
    return own.from === key ? null : { ...own, to: key };
  }
  return own?.way === way && own.from === key ? null : begun;
}
