// Down to where the graph is open and what its boxes are grouped by: what can be chosen, and what fits a program.
import type { Grouping, Levels } from "../../drawing/scene.ts";
import type { Program } from "../../model/types.ts";

export type Depth = Levels["depth"];

/** The depths that can be chosen by name. */
export const DEPTHS: readonly Depth[] = [null, 0, 1, 2, 3, "all"];

/** One more round of bodies and groups; what fits on a screen is about one. */
export function deeper({ by, depth }: Levels): Levels {
  if (depth === "all" || (depth ?? 1) >= 3) return { by, depth: "all" };
  return { by, depth: (depth ?? 1) + 1 };
}

export function shallower({ by, depth }: Levels): Levels {
  return { by, depth: depth === "all" ? 3 : Math.max(0, (depth ?? 1) - 1) };
}

export function spokenDepth(depth: Depth): string {
  if (depth === null) return "As fits";
  return depth === "all" ? "All" : String(depth);
}

export interface Known {
  readonly names: boolean;
  readonly calls: boolean;
  readonly modules: boolean;
}

/** Why a grouping says nothing about a program; null where it does. */
export function missing(by: Grouping, { names, calls, modules }: Known): string | null {
  if (by === "scopes" && !names) return "This program has no name scopes";
  if (by === "calls" && !calls) return "It is not known which functions made this program";
  if (by === "modules" && !modules) return "This program has no modules";
  return null;
}

const known = new WeakMap<Program["jaxprs"], Known>();

/** What is known of a program that its boxes can be grouped by. */
export function knownOf({ jaxprs, calls }: Pick<Program, "jaxprs" | "calls">): Known {
  let found = known.get(jaxprs);
  if (found === undefined) {
    const names = Object.values(jaxprs).some(({ eqns }) =>
      eqns.some(({ stack }) => stack.some(({ kind, name }) => kind === "scope" && !name.includes("->"))),
    );
    // A file of before these were on the wire has none.
    const all = (calls as Program["calls"] | undefined) ?? [];
    found = { names, calls: all.length > 0, modules: all.some((call) => call.function.endsWith(".__call__")) };
    known.set(jaxprs, found);
  }
  return found;
}
