// The ops of an equation by name, each name once. Pure.
import type { Program } from "../../model/types.ts";
import type { Level } from "../state/types.ts";
import { moduleAt, moduleIndex, opName, opsOf } from "./links.ts";

export interface NamedOps {
  readonly name: string;
  readonly ids: readonly string[];
}

/** In the order of the first op of each name, without the prefix of the dialect; empty for a level that was not lowered. */
export function namedOps(program: Program, level: Level, eqn: string): NamedOps[] {
  const module = moduleAt(program, level);
  if (module === undefined) return [];
  const index = moduleIndex(module).ops;
  const named = new Map<string, string[]>();
  for (const id of opsOf(program, level, eqn)) {
    const op = index.get(id);
    const name = op === undefined ? id : opName(op);
    const ids = named.get(name);
    if (ids === undefined) named.set(name, [id]);
    else ids.push(id);
  }
  return [...named].map(([name, ids]) => ({ name, ids }));
}
