// Which equations, ops and places of the paste belong together, in every direction. Exact links come from the model; nothing is guessed here.
import type { Module, Op, Program, Span } from "../../model/types.ts";
import type { Level, ModuleLevel } from "../state/types.ts";

export interface ModuleIndex {
  readonly ops: ReadonlyMap<string, Op>;
  /** The op that encloses each op, or nothing for those at the top of a function. */
  readonly parents: ReadonlyMap<string, string>;
}

const moduleIndexes = new WeakMap<Module, ModuleIndex>();

export function moduleIndex(module: Module): ModuleIndex {
  const known = moduleIndexes.get(module);
  if (known !== undefined) return known;
  const ops = new Map<string, Op>();
  const parents = new Map<string, string>();
  const walk = (list: readonly Op[], parent: string | null): void => {
    for (const op of list) {
      ops.set(op.id, op);
      if (parent !== null) parents.set(op.id, parent);
      for (const region of op.regions) for (const block of region.blocks) walk(block.ops, op.id);
    }
  };
  walk(module.ops, null);
  for (const { region } of module.functions) for (const block of region.blocks) walk(block.ops, null);
  const index = { ops, parents };
  moduleIndexes.set(module, index);
  return index;
}

/** The module of a level; nothing for the jaxpr, and for a level that is not there. */
export function moduleAt(program: Program | null, level: Level): Module | undefined {
  return level === "jaxpr" ? undefined : program?.modules[level];
}

/** Which level an op is of: the ids of HLO begin with a letter of their own. */
export function levelOfOp(id: string): ModuleLevel {
  return id.startsWith("h") ? "hlo" : "stablehlo";
}

/** The op of an id, whichever level it is of. */
export function opOf(program: Program, id: string): Op | undefined {
  const module = program.modules[levelOfOp(id)];
  return module === undefined ? undefined : moduleIndex(module).ops.get(id);
}

const LEVELS: readonly ModuleLevel[] = ["stablehlo", "hlo"];

/** The ids of the ops that an equation became, at every level that is there. */
export function allOpsOf(program: Program, eqn: string): readonly string[] {
  return LEVELS.flatMap((level) => opsOf(program, level, eqn));
}

/** An operation's name without the prefix of the dialect that its level is of. */
export function opName(op: Op): string {
  return op.name.replace(/^stablehlo\./, "");
}

const reverses = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

/** The ids of the ops that an equation was lowered to; empty when it is gone. */
export function opsOf(program: Program, level: Level, eqn: string): readonly string[] {
  return level === "jaxpr" ? [] : (program.links[level]?.[eqn] ?? []);
}

/** The ids of the equations that an op came from; where the op itself has none, those of the op that encloses it. */
export function eqnsOf(program: Program, op: string): readonly string[] {
  const level = levelOfOp(op);
  const links = program.links[level];
  if (links === undefined) return [];
  let reverse = reverses.get(links);
  if (reverse === undefined) {
    const found = new Map<string, string[]>();
    for (const [eqn, ops] of Object.entries(links)) {
      for (const id of ops) {
        const list = found.get(id);
        if (list === undefined) found.set(id, [eqn]);
        else list.push(eqn);
      }
    }
    reverse = found;
    reverses.set(links, reverse);
  }
  const module = program.modules[level];
  const parents = module === undefined ? undefined : moduleIndex(module).parents;
  for (let at: string | undefined = op; at !== undefined; at = parents?.get(at)) {
    const found = reverse.get(at);
    if (found !== undefined) return found;
  }
  return [];
}

/** True when the module is there, its links too, and the equation has no op in it. */
export function isGone(program: Program, level: Level, eqn: string): boolean {
  if (level === "jaxpr") return false;
  const links = program.links[level];
  return links !== undefined && program.modules[level] !== undefined && Object.keys(links).length > 0 && (links[eqn] ?? []).length === 0;
}

/** The op of a pasted module at a place of the paste: the narrowest that holds it, and those that stand there with it. */
export function opsAt(program: Program, line: number, col: number): readonly string[] {
  let found: Op[] = [];
  for (const module of Object.values(program.modules)) {
    for (const op of moduleIndex(module).ops.values()) {
      if (op.span === null || !spanHolds(op.span, line, col)) continue;
      const best = found[0]?.span ?? null;
      if (best === null || isNarrower(op.span, best)) found = [op];
      else if (!isNarrower(best, op.span)) found.push(op);
    }
  }
  return found.map(({ id }) => id);
}

export function spanHolds(span: Span, line: number, col: number): boolean {
  if (line < span.line || line > span.end_line) return false;
  if (line === span.line && col < span.col) return false;
  return line !== span.end_line || col < span.end_col || (span.line === span.end_line && span.col === span.end_col && col === span.col);
}

/** Whether one span is smaller than another that overlaps it. */
export function isNarrower(a: Span, b: Span): boolean {
  const lines = a.end_line - a.line - (b.end_line - b.line);
  if (lines !== 0) return lines < 0;
  return a.line === a.end_line && a.end_col - a.col < b.end_col - b.col;
}

/** The narrowest of `[id, [start, end]]` that holds `at`, or null. */
export function rangeAt(ranges: Iterable<readonly [string, readonly [number, number]]>, at: number): string | null {
  let found: string | null = null;
  let size = Number.POSITIVE_INFINITY;
  for (const [id, [start, end]] of ranges) {
    if (at < start || at >= end || end - start >= size) continue;
    found = id;
    size = end - start;
  }
  return found;
}
