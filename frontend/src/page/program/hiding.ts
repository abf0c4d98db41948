// What has to be opened before an equation can be seen: the bodies around it, and the groups of levels too large to read.
import type { Fold } from "../../drawing/scene.ts";
import type { Drawing } from "../../viewer/index.ts";
import { ancestorsOf } from "./instances.ts";

/** Paths and group keys to open next; empty when nothing hides `path`. A closed body may hide groups that show only once it is open. */
export function hiding({ open, scene }: Pick<Drawing, "open" | "scene">, path: string): string[] {
  const around = aroundOf(path);
  const way = [...around, path];
  const groups = way.flatMap((at) => groupsAround(scene.folds, at));
  if (groups.length > 0) return groups;
  // The second body of an equation is open when the equation is.
  return around.map((ancestor) => ancestor.replace(/:\d+$/, "")).filter((ancestor) => !open.includes(ancestor));
}

/** The paths around an equation, or around a value, which stands in the body it is of. */
function aroundOf(path: string): string[] {
  const bar = path.lastIndexOf("|");
  if (bar < 0) return ancestorsOf(path);
  return bar === 0 ? [] : [...ancestorsOf(path.slice(0, bar)), path.slice(0, bar)];
}

/** The groups around an equation, outermost first. */
function groupsAround(folds: readonly Fold[], path: string): string[] {
  for (const fold of folds) {
    if (fold.eqns.includes(path)) return [fold.key];
    const inside = groupsAround(fold.inner, path);
    if (inside.length > 0) return [fold.key, ...inside];
  }
  return [];
}
