/** What the levels of a module are made from, and where a module begins. */
import type { Function as Func, Module, Op, Region } from "../../../model/types.ts";
import type { Grouping } from "../../scene.ts";
import type { Feed, PortInfo } from "../level.ts";
import type { OpPlaces } from "../written.ts";
import { functionsByName } from "./names.ts";

export interface Context {
  module: Module;
  open: ReadonlySet<string>;
  by?: Grouping | undefined;
  places?: OpPlaces | undefined;
  functions: ReadonlyMap<string, Func>;
  used: ReadonlySet<string>;
}

export interface Pill {
  /** The value inside, or "" for a pill that only explains (`= 0`). */
  id: string;
  port: PortInfo;
  outer: number;
}

/** What a block of a frame is seated in. */
export interface Seat {
  pills: readonly Pill[];
  /** How each result looks; null is one that is not shown. */
  results: readonly ({ port: PortInfo; outer: number } | null)[];
  /** What it reads from outside that need not be a pill: literals. */
  outer: ReadonlyMap<string, Feed>;
  /** What leaves it beside its results, because another block reads it. */
  leaves?: readonly Pill[];
}

export function contextOf(module: Module, open: ReadonlySet<string>, by?: Grouping, places?: OpPlaces): Context {
  return { module, open, by, places, functions: functionsByName(module), used: usedValues(module) };
}

const used = new WeakMap<Module, ReadonlySet<string>>();

function usedValues(module: Module): ReadonlySet<string> {
  let known = used.get(module);
  if (known === undefined) {
    const found = new Set<string>();
    for (const op of everyOp(module)) for (const operand of op.operands) found.add(operand.value);
    known = found;
    used.set(module, known);
  }
  return known;
}

/** Every op of a module, at every depth, in program order. */
export function* everyOp(module: Module): Generator<Op> {
  function* walk(region: Region): Generator<Op> {
    for (const block of region.blocks) {
      for (const op of block.ops) {
        yield op;
        for (const inner of op.regions) yield* walk(inner);
      }
    }
  }
  yield* walk({ label: "", blocks: [{ args: [], ops: module.ops }] });
  for (const each of module.functions) yield* walk(each.region);
}

export function mainFunction(module: Module): Func | undefined {
  return module.functions.find((each) => each.name === "main") ?? rootsOf(module)[0];
}

const roots = new WeakMap<Module, readonly Func[]>();

/** Functions that no other calls, the main one first: each is a program of its own. */
export function rootsOf(module: Module): readonly Func[] {
  let known = roots.get(module);
  if (known === undefined) {
    // HLO says which it begins with; the others are applied by name.
    const entry = module.functions.filter(({ attributes }) => attributes.entry === "true");
    const called = new Set<string>();
    for (const op of everyOp(module)) {
      if (op.callee !== null) called.add(op.callee);
      for (const text of Object.values(op.attributes)) {
        if (text.includes("@")) for (const match of text.matchAll(/@([\w.$-]+)/g)) called.add(match[1]!);
      }
    }
    const free = module.functions.filter(({ name }) => name !== "main" && !called.has(name));
    const main = module.functions.filter(({ name }) => name === "main");
    known = entry.length > 0 ? entry : main.length + free.length > 0 ? [...main, ...free] : module.functions.slice(0, 1);
    roots.set(module, known);
  }
  return known;
}

/** The regions that are drawn inside of an op: those of its callee, or its own. */
export function insideOf(op: Op, functions: ReadonlyMap<string, Func>): readonly Region[] {
  const callee = op.callee === null ? undefined : functions.get(op.callee);
  return callee === undefined ? op.regions : [callee.region];
}

/** Values read inside of the regions but made outside, in order of first use. */
export function freeValues(regions: readonly Region[]): string[] {
  const made = new Set<string>();
  const free = new Set<string>();
  const take = (region: Region): void => {
    for (const block of region.blocks) {
      for (const id of block.args) made.add(id);
      for (const op of block.ops) for (const id of op.results) made.add(id);
      for (const op of block.ops) op.regions.forEach(take);
    }
  };
  const read = (region: Region): void => {
    for (const block of region.blocks) {
      for (const op of block.ops) {
        for (const { value } of op.operands) if (!made.has(value)) free.add(value);
        op.regions.forEach(read);
      }
    }
  };
  regions.forEach(take);
  regions.forEach(read);
  return [...free];
}
