// The way to an equation or op, outermost first: program, equations, the body of one that has several. Pure.
import type { Eqn, Op, Program } from "../../model/types.ts";
import type { Level } from "../state/types.ts";
import { ancestorsOf, paramOf, placeOf } from "./instances.ts";
import { levelOfOp, moduleAt, moduleIndex } from "./links.ts";

export interface Crumb {
  readonly text: string;
  /** What it stands for: an instance path, an op's path, or null for the program. */
  readonly path: string | null;
  /** It holds others: it can be shown alone. */
  readonly holds: boolean;
}

/** `jit(f)`, `scan ×8`, `cond`. */
export function eqnTitle(eqn: Eqn): string {
  const name = paramOf(eqn, "name");
  if (eqn.trips !== null && eqn.nested.length > 0) return `${eqn.primitive} ×${eqn.trips}`;
  return name !== null && name !== "" && name !== "None" && name !== eqn.primitive && eqn.nested.length > 0
    ? `${eqn.primitive}(${name})`
    : eqn.primitive;
}

export function crumbsOf(program: Program, level: Level, path: string | null): Crumb[] {
  const top: Crumb = { text: program.name, path: null, holds: true };
  if (path === null) return [top];
  return [top, ...(level === "jaxpr" ? eqnCrumbs(program, path) : opCrumbs(program, level, path))];
}

function eqnCrumbs(program: Program, path: string): Crumb[] {
  return [...ancestorsOf(path), path].flatMap((at): Crumb[] => {
    const place = placeOf(program, at);
    if (place === null) return [];
    const { eqn } = place;
    const own = at.replace(/:\d+$/, "");
    const crumbs: Crumb[] = [{ text: eqnTitle(eqn), path: own, holds: eqn.nested.length > 0 }];
    // Which of several bodies the next one stands in; the path says it as `e3:1`.
    const inner = path.slice(own.length);
    const body = /^(?::(\d+))?\//.exec(inner);
    const call = body === null ? undefined : eqn.nested[Number(body[1] ?? 0)];
    if (eqn.nested.length > 1 && call !== undefined) crumbs.push({ text: call.label, path: own, holds: false });
    return crumbs;
  });
}

function opCrumbs(program: Program, level: Level, path: string): Crumb[] {
  const module = moduleAt(program, level);
  if (module === undefined) return [];
  const { ops } = moduleIndex(module);
  return [...ancestorsOf(path), path].flatMap((at): Crumb[] => {
    const op = ops.get(at.slice(at.lastIndexOf("/") + 1));
    // A module of several functions that nothing calls: the path begins with one.
    const root = op === undefined ? module.functions.find(({ id }) => id === at) : undefined;
    if (root !== undefined) return [{ text: `@${root.name}`, path: at, holds: true }];
    return op === undefined ? [] : [{ text: opTitle(op), path: at, holds: op.regions.length > 0 || op.callee !== null }];
  });
}

export function opTitle(op: Op): string {
  const name = op.name.slice(op.name.indexOf(".") + 1);
  return op.callee === null ? name : `${name} @${op.callee}`;
}

/** The path of an op through the regions that hold it, as far as its function goes. */
export function opPath(program: Program, id: string): string | null {
  const module = program.modules[levelOfOp(id)];
  if (module === undefined) return null;
  const { ops, parents } = moduleIndex(module);
  if (!ops.has(id)) return module.functions.some((each) => each.id === id) ? id : null;
  const way = [id];
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) way.unshift(at);
  return way.join("/");
}

/** Letters are as wide as one another in the type of the crumbs; each has an arrow before it. */
const LETTER = 7.3;
const BETWEEN = 26;
const MOST_LETTERS = 24;
const MENU = 30;

/** How many crumbs after the first go into a menu, so that the rest fit: the last one is always there, cut off if it must be. */
export function hiddenCrumbs(crumbs: readonly Crumb[], width: number): number {
  const wide = ({ text }: Crumb): number => Math.min(text.length, MOST_LETTERS) * LETTER + BETWEEN;
  let all = crumbs.reduce((sum, crumb) => sum + wide(crumb), 0);
  let hidden = 0;
  while (all + (hidden > 0 ? MENU : 0) > width && hidden < crumbs.length - 2) {
    hidden += 1;
    const crumb = crumbs[hidden];
    all -= crumb === undefined ? 0 : wide(crumb);
  }
  return hidden;
}
