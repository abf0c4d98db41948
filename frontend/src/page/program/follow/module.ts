// The values of a lowered module in their places, and one step from value to value: through calls, loops, branches, blocks, and what regions
// read from outside. Pure; exact where a region hands on the results of its op, and where it does not (reducers, comparators) a result
// depends on every operand and on all that the region reads.
import { insideOf, rootsOf } from "../../../drawing/graph/ops/context.ts";
import { functionsByName, isReturn, keyOf } from "../../../drawing/graph/ops/names.ts";
import { rowOf } from "../../../drawing/graph/ops/table.ts";
import type { Block, Module, Op, Program, Region } from "../../../model/types.ts";
import type { Level } from "../../state/types.ts";
import { moduleIndex } from "../links.ts";
import { splitKey, under, valueAt } from "./places.ts";
import type { Wires } from "./wires.ts";
import { nowhere, type Step } from "./wiring.ts";

/** A block where it stands: in a region of an op, or in a function. */
interface Home {
  readonly region: Region;
  readonly block: Block;
  readonly at: number;
  /** The op whose region it is, or null at the top of a function. */
  readonly op: Op | null;
  /** Which of its regions. */
  readonly index: number;
  /** The function that it stands in. */
  readonly function: string;
}

interface Uses {
  /** Where a value is made: as argument `arg` of its block, or by an op. */
  readonly made: ReadonlyMap<
    string,
    { readonly home: Home; readonly maker: { readonly op: Op; readonly index: number } | null; readonly arg: number }
  >;
  readonly readers: ReadonlyMap<string, readonly { readonly op: Op; readonly index: number }[]>;
  readonly homes: ReadonlyMap<string, Home>;
}

const known = new WeakMap<Module, Uses>();

function usesOf(module: Module): Uses {
  const found = known.get(module);
  if (found !== undefined) return found;
  const made = new Map<string, { home: Home; maker: { op: Op; index: number } | null; arg: number }>();
  const readers = new Map<string, { op: Op; index: number }[]>();
  const homes = new Map<string, Home>();
  const walk = (region: Region, op: Op | null, index: number, name: string): void => {
    for (const [at, block] of region.blocks.entries()) {
      const home: Home = { region, block, at, op, index, function: name };
      for (const [arg, id] of block.args.entries()) made.set(id, { home, maker: null, arg });
      for (const inner of block.ops) {
        homes.set(inner.id, home);
        for (const [i, id] of inner.results.entries()) made.set(id, { home, maker: { op: inner, index: i }, arg: -1 });
        for (const [i, { value }] of inner.operands.entries()) {
          const list = readers.get(value);
          if (list === undefined) readers.set(value, [{ op: inner, index: i }]);
          else list.push({ op: inner, index: i });
        }
        for (const [i, each] of inner.regions.entries()) walk(each, inner, i, name);
      }
    }
  };
  for (const { name, region } of module.functions) walk(region, null, 0, name);
  const uses = { made, readers, homes };
  known.set(module, uses);
  return uses;
}

export function moduleWires(module: Module): Wires {
  const wiring = new Wiring(module);
  return {
    of: module,
    *prepare() {
      usesOf(module);
      yield;
    },
    upstream: (key) => wiring.upstream(key),
    downstream: (key) => wiring.downstream(key),
    starts: (path, way) => wiring.starts(path, way),
    holds: (path) => ({ others: wiring.inside(path).length > 0, away: false }),
    inputs() {
      const roots = rootsOf(module);
      return roots.flatMap(({ id, region }) => (region.blocks[0]?.args ?? []).map((arg) => valueAt(roots.length > 1 ? id : "", arg)));
    },
  };
}

/** What can be followed at a level that is a module; null where there is none. */
export function wiresOf(program: Program, level: Level): Wires | null {
  const module = level === "jaxpr" ? undefined : program.modules[level];
  return module === undefined ? null : moduleWires(module);
}

class Wiring {
  readonly #module: Module;
  readonly #functions: ReturnType<typeof functionsByName>;
  readonly #uses: Uses;

  constructor(module: Module) {
    this.#module = module;
    this.#functions = functionsByName(module);
    this.#uses = usesOf(module);
  }

  inside(path: string): readonly Region[] {
    const op = this.#op(path);
    return op === undefined ? [] : insideOf(op, this.#functions);
  }

  starts(path: string, way: "up" | "down"): string[] {
    const op = this.#op(path);
    if (op === undefined) return [];
    const around = outer(path);
    return way === "down" ? op.results.map((id) => valueAt(around, id)) : this.#reads(op, around);
  }

  /** What a value is made from. */
  upstream(key: string): Step {
    const { path, id } = splitKey(key);
    const step = nowhere();
    const made = this.#uses.made.get(id);
    if (made === undefined) return step;
    if (made.maker !== null) this.#through(step, made.maker.op, path, made.maker.index);
    else this.#enter(step, made.home, path, made.arg);
    return step;
  }

  #through(step: Step, op: Op, path: string, result: number): void {
    const at = under(path, op.id);
    step.eqns.add(at);
    const regions = insideOf(op, this.#functions);
    const row = rowOf(op);
    const hands = regions.length > 0 && (op.callee !== null || row.gives === "results");
    if (!hands || row.elements) {
      for (const read of this.#reads(op, path)) step.values.add(read);
      for (const region of row.elements ? op.regions : []) for (const { id } of endings(region)) step.values.add(this.#place(id, at));
      return;
    }
    step.outlets.add(`${at}|result${result}`);
    regions.forEach((region, k) => {
      const predicate = row.frame === "while" && k === 0;
      for (const { id, index } of endings(region)) {
        if (!predicate && index !== result) continue;
        step.outlets.add(`${at}${row.plain ? "" : `:${k}`}|out${index}`);
        step.values.add(this.#place(id, at));
      }
    });
    // A loop that does not run gives what it was given; a branch is chosen by the index.
    const given = row.frame === "while" ? op.operands[result] : row.frame === "cond" ? op.operands[0] : undefined;
    if (given !== undefined) step.values.add(this.#place(given.value, path));
  }

  /** From an argument of a block to what it is bound to. */
  #enter(step: Step, home: Home, path: string, arg: number): void {
    if (home.at > 0) {
      for (const [b, block] of home.region.blocks.entries()) {
        const value = handed(home.region, b, home.at, arg);
        if (value === null) continue;
        step.values.add(this.#place(value, path));
        // What the branch asks decides it, too.
        for (const asked of questions(block, home.region)) step.values.add(this.#place(asked, path));
      }
      return;
    }
    const op = path === "" ? undefined : this.#op(path);
    // The root function of a module of several stands in a path of its own.
    if (op === undefined) return;
    step.eqns.add(path);
    const around = outer(path);
    const row = rowOf(op);
    const region = home.op === null ? 0 : home.index;
    const from = row.binds(op, region, arg);
    if (from !== null && op.operands[from] !== undefined) step.values.add(this.#place(op.operands[from].value, around));
    else if (row.frame !== "cond") for (const read of this.#reads(op, around)) step.values.add(read);
    if (row.frame !== "while") return;
    const body = op.regions[op.regions.length - 1]!;
    for (const { id, index } of endings(body)) {
      if (index !== arg) continue;
      step.outlets.add(`${path}:${op.regions.length - 1}|out${index}`);
      step.values.add(this.#place(id, path));
    }
    // A step after the first is only there because the condition was true.
    if (op.regions.length > 1) for (const { id } of endings(op.regions[0]!)) step.values.add(this.#place(id, path));
  }

  /** What is made from a value. */
  downstream(key: string): Step {
    const { path, id } = splitKey(key);
    const step = nowhere();
    const made = this.#uses.made.get(id);
    for (const { op, index } of this.#uses.readers.get(id) ?? []) {
      const at = this.#pathTo(op, made?.home.op ?? null, path);
      if (at === null) continue;
      // Regions in which it is read have pills for it.
      for (let inner = at; inner !== path && inner.length > path.length; inner = outer(inner)) step.eqns.add(inner);
      if (isReturn(op.name) || (op.successors ?? []).length > 0) this.#leave(step, op, at, index);
      else this.#into(step, op, at, index);
    }
    return step;
  }

  /** Into an op that reads a value as its operand. */
  #into(step: Step, op: Op, around: string, operand: number): void {
    const at = under(around, op.id);
    step.eqns.add(at);
    const row = rowOf(op);
    let bound = false;
    insideOf(op, this.#functions).forEach((region, k) => {
      (region.blocks[0]?.args ?? []).forEach((arg, i) => {
        const from = row.binds(op, k, i);
        // What an unknown op hands to its regions may be any of its operands.
        if (from !== operand && (from !== null || row.frame === "cond")) return;
        bound = true;
        step.values.add(valueAt(at, arg));
      });
    });
    if (row.frame === "while") this.#result(step, op, around, operand);
    else if (row.elements || (row.frame === "cond" ? operand === 0 : !bound)) this.#results(step, op, around);
  }

  /** Out of a block by what ends it. */
  #leave(step: Step, end: Op, path: string, index: number): void {
    const home = this.#uses.homes.get(end.id);
    if (home === undefined) return;
    const successors = end.successors ?? [];
    if (successors.length > 0) {
      const reached = successors.flatMap((to) => {
        const args = home.region.blocks[to]?.args ?? [];
        return args.filter((_, arg) => handedAt(home.region, home.at, to, arg) === index);
      });
      // What a branch asks decides what every block after it does.
      const all = reached.length > 0 ? reached : successors.flatMap((to) => home.region.blocks[to]?.args ?? []);
      for (const arg of all) step.values.add(valueAt(path, arg));
      return;
    }
    const op = path === "" ? undefined : this.#op(path);
    const row = op === undefined ? null : rowOf(op);
    step.outlets.add(`${path}${home.op === null || row?.plain === true ? "" : `:${home.index}`}|out${index}`);
    if (op === undefined || row === null) return;
    const around = outer(path);
    step.eqns.add(path);
    if (row.elements) {
      this.#results(step, op, around);
      return;
    }
    if (row.frame === "while") {
      const next = home.index === 0 ? op.results.map((_, i) => i) : [index];
      for (const i of next) {
        for (const region of op.regions) {
          const arg = region.blocks[0]?.args[i];
          if (arg !== undefined) step.values.add(valueAt(path, arg));
        }
        this.#result(step, op, around, i);
      }
      return;
    }
    this.#result(step, op, around, index);
  }

  #results(step: Step, op: Op, around: string): void {
    for (const i of op.results.keys()) this.#result(step, op, around, i);
  }

  #result(step: Step, op: Op, around: string, index: number): void {
    const id = op.results[index];
    if (id === undefined) return;
    step.values.add(valueAt(around, id));
    if (insideOf(op, this.#functions).length > 0) step.outlets.add(`${under(around, op.id)}|result${index}`);
  }

  /** The operands of an op, in their places. */
  #reads(op: Op, path: string): string[] {
    return op.operands.map(({ value }) => this.#place(value, path));
  }

  /** Where a value that is read at a path is made: there, or in what that stands in. */
  #place(id: string, path: string): string {
    const home = this.#uses.made.get(id)?.home;
    let at = path;
    while (at !== "" && home !== undefined) {
      const op = this.#op(at);
      // In a callee, or the function of a module of several, nothing comes from further out.
      if (op === undefined || (op.callee !== null && home.op === null)) break;
      if (op.id === home.op?.id) break;
      at = outer(at);
    }
    return valueAt(at, id);
  }

  /** The path of the block that an op stands in, from that of the op that encloses the value it reads. */
  #pathTo(op: Op, from: Op | null, path: string): string | null {
    const { parents } = moduleIndex(this.#module);
    const way: string[] = [];
    for (let at = parents.get(op.id); at !== from?.id; at = parents.get(at)) {
      if (at === undefined) return null;
      way.unshift(at);
    }
    return way.reduce(under, path);
  }

  #op(path: string): Op | undefined {
    return moduleIndex(this.#module).ops.get(path.slice(path.lastIndexOf("/") + 1));
  }
}

function outer(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** What a region hands on: the operands of what ends those of its blocks that lead to no other. */
function endings(region: Region): { id: string; index: number }[] {
  return region.blocks.flatMap(({ ops }) =>
    ops.flatMap((op) => (isReturn(op.name) ? op.operands.map(({ value }, index) => ({ id: value, index })) : [])),
  );
}

/** The operand that a block's branch hands to an argument of another, or null. */
function handedAt(region: Region, from: number, to: number, arg: number): number | null {
  const ops = region.blocks[from]?.ops ?? [];
  const end = ops[ops.length - 1];
  const successors = end?.successors ?? [];
  if (end === undefined || !successors.includes(to)) return null;
  const counts = successors.map((block) => region.blocks[block]?.args.length ?? 0);
  const first = end.operands.length - counts.reduce((sum, count) => sum + count, 0);
  return first + counts.slice(0, successors.indexOf(to)).reduce((sum, count) => sum + count, 0) + arg;
}

/** The operands of a branch that it keeps for itself. */
function questions(block: Block, region: Region): string[] {
  const end = block.ops[block.ops.length - 1];
  const taken = (end?.successors ?? []).reduce((sum, to) => sum + (region.blocks[to]?.args.length ?? 0), 0);
  return end === undefined ? [] : end.operands.slice(0, end.operands.length - taken).map(({ value }) => value);
}

function handed(region: Region, from: number, to: number, arg: number): string | null {
  const at = handedAt(region, from, to, arg);
  const ops = region.blocks[from]?.ops ?? [];
  return at === null ? null : (ops[ops.length - 1]?.operands[at]?.value ?? null);
}

/** `while %3`, the name of a value. */
export function endInModule(module: Module, key: string): string {
  const nameOf = (id: string): string => module.values[id]?.label ?? module.values[id]?.name ?? "?";
  if (key.includes("|")) return nameOf(splitKey(key).id);
  const op = moduleIndex(module).ops.get(key.slice(key.lastIndexOf("/") + 1));
  if (op === undefined) return "?";
  return op.results.length === 1 ? `${keyOf(op.name)} ${nameOf(op.results[0]!)}` : keyOf(op.name);
}
