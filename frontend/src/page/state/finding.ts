// What the person looks for, follows and has pinned: how it changes. Pure.
import type { Program } from "../../model/types.ts";
import { placeOf } from "../program/instances.ts";
import type { Target } from "./types.ts";

export interface Finding {
  readonly open: boolean;
  readonly query: string;
  /** Which of the hits it stands at, null before the first step. */
  readonly at: number | null;
}

export const NOT_FINDING: Finding = { open: false, query: "", at: null };

/** Upstream: what it depends on. Downstream: what it feeds. */
export type Way = "up" | "down" | "both" | "path";

/** `from` and `to` are instance paths of equations, or keys of values (with a bar). A path has no end before one is chosen. */
export interface Following {
  readonly way: Way;
  readonly from: string;
  readonly to: string | null;
}

/** A changed query begins before the first hit again. */
export function found(before: Finding, change: Partial<Finding>): Finding {
  const next = { ...before, ...change };
  return next.query !== before.query && change.at === undefined ? { ...next, at: null } : next;
}

/** The key of what can be followed from a selection: an equation or a value, nothing else. */
export function followable(target: Target | null): string | null {
  return target?.kind === "eqn" ? target.path : target?.kind === "value" ? target.key : null;
}

/** What is followed stays over a new answer while both of its ends are still the same equation. */
export function stillFollowed(before: Program, after: Program, following: Following | null): Following | null {
  if (following === null) return null;
  const same = (key: string | null): boolean =>
    key === null || (!key.includes("|") && placeOf(before, key)?.eqn.primitive === placeOf(after, key)?.eqn.primitive);
  return same(following.from) && same(following.to) ? following : null;
}

/** What a key does: follow what is selected; the same again lets go; a path is begun, then ended at something else. */
export function followed(before: Following | null, way: Way, key: string): Following | null {
  if (way === "path") {
    if (before?.way !== "path" || before.to !== null) return { way, from: key, to: null };
    return before.from === key ? null : { ...before, to: key };
  }
  return before?.way === way && before.from === key ? null : { way, from: key, to: null };
}
