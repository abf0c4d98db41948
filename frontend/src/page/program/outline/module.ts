// The outline of a lowered module, as the graph shows it: the ops of its main function, callees inside of their calls. Keys are paths of
// ops; a region of an op that has several is `op3:0`, an argument of the function `|a0`.

import { mainFunction, rootsOf } from "../../../drawing/graph/ops/context.ts";
import type { Function as Func, Module, Op, Program, Region } from "../../../model/types.ts";
import type { Level, Target } from "../../state/types.ts";
import { opPath, opTitle } from "../crumbs.ts";
import { eqnOf, parentOf } from "../instances.ts";
import { moduleAt, moduleIndex, opsOf } from "../links.ts";
import { type Inside, type Item, indexIn, type Outline, ofThese, someOf } from "./items.ts";

export function moduleOutline(program: Program, level: Level): Outline | null {
  const module = moduleAt(program, level);
  const main = module === undefined ? undefined : mainFunction(module);
  if (module === undefined || main === undefined) return null;
  const roots = rootsOf(module);
  const ops = shownOps(main.region);
  const args = main.region.blocks[0]?.args ?? main.args;
  const root: Item = {
    key: "",
    kind: "program",
    role: null,
    line:
      roots.length > 1
        ? { title: module.name || "module", name: "", type: "", note: some(roots.length, "function") }
        : { title: `@${main.name}`, name: "", type: "", note: `${some(args.length, "argument")}, ${some(ops.length, "op")}` },
    target: null,
    inside: roots.length > 1 ? functionsIn(module, roots) : insideOf(module, ops, "", args),
  };
  const known = moduleIndex(module).ops;
  const last = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
  return {
    root,
    parentOf(key) {
      if (key === "") return null;
      if (key.includes("|")) return key.slice(0, key.lastIndexOf("|"));
      if (/:\d+$/.test(key)) return key.replace(/:\d+$/, "");
      const around = parentOf(key) ?? "";
      const regions = known.get(last(around))?.regions ?? [];
      if (regions.length < 2) return around;
      return `${around}:${regions.findIndex((region) => region.blocks.some((block) => block.ops.some((op) => op.id === last(key))))}`;
    },
    keyOf(target) {
      if (target.kind === "value") return /^\|/.test(target.key) && args.includes(target.key.slice(1)) ? target.key : null;
      const id = target.kind === "op" ? target.id : target.kind === "eqn" ? opsOf(program, level, eqnOf(target.path))[0] : undefined;
      return id === undefined ? null : calledPath(program, module, id);
    },
  };
}

/** The instance of an op that is meant: the one that was pointed at, else the first. */
export function pathOfOp(program: Program, level: Level, target: Extract<Target, { kind: "op" }>): string | null {
  const module = level === "jaxpr" ? undefined : program.modules[level];
  if (module === undefined || !moduleIndex(module).ops.has(target.id)) return null;
  return target.path ?? calledPath(program, module, target.id);
}

/** The path of an op from the main function: through the first call that leads to its function. Null where nothing calls it. */
export function calledPath(program: Program, module: Module, id: string): string | null {
  const { ops, parents } = moduleIndex(module);
  let path = opPath(program, id);
  const seen = new Set<string>();
  while (path !== null) {
    let top = path.slice(0, path.indexOf("/") < 0 ? undefined : path.indexOf("/"));
    for (let at = parents.get(top); at !== undefined; at = parents.get(at)) top = at;
    const holder = module.functions.find((each) => each.region.blocks.some((block) => indexIn(block.ops, top) >= 0));
    if (holder === undefined || seen.has(holder.name)) return null;
    const roots = rootsOf(module);
    if (roots.includes(holder)) return roots.length > 1 ? `${holder.id}/${path}` : path;
    seen.add(holder.name);
    const call: Op | undefined = [...ops.values()].find((op) => op.callee === holder.name);
    const way: string | null = call === undefined ? null : opPath(program, call.id);
    path = way === null ? null : `${way}/${path}`;
  }
  return null;
}

const shown = new WeakMap<Region, readonly Op[]>();

/** The ops that the graph draws, made once for each region: what ends a block is a wire. */
function shownOps(region: Region): readonly Op[] {
  let found = shown.get(region);
  if (found === undefined) {
    found = region.blocks.flatMap((block) => block.ops).filter((op) => !/\.(return|yield)$/.test(op.name));
    shown.set(region, found);
  }
  return found;
}

function insideOf(module: Module, ops: readonly Op[], path: string, args: readonly string[] = []): Inside {
  return {
    count: args.length + ops.length,
    left: null,
    at(index) {
      const arg = args[index];
      if (arg !== undefined) return argumentItem(module, arg, path);
      const op = ops[index - args.length];
      return op === undefined ? null : opItem(module, op, path === "" ? op.id : `${path}/${op.id}`);
    },
    indexOf(key) {
      if (key.includes("|")) return args.indexOf(key.slice(key.lastIndexOf("|") + 1));
      const at = indexIn(ops, key.slice(key.lastIndexOf("/") + 1));
      return at < 0 ? -1 : args.length + at;
    },
  };
}

/** Functions that nothing calls, each an item of its own. */
function functionsIn(module: Module, roots: readonly Func[]): Inside {
  return {
    count: roots.length,
    left: null,
    at(index) {
      const func = roots[index];
      if (func === undefined) return null;
      const ops = shownOps(func.region);
      const args = func.region.blocks[0]?.args ?? [];
      return {
        key: func.id,
        kind: "body",
        role: null,
        line: { title: `@${func.name}`, name: "", type: "", note: `${some(args.length, "argument")}, ${some(ops.length, "op")}` },
        target: null,
        inside: insideOf(module, ops, func.id, args),
      };
    },
    indexOf: (key) => roots.findIndex(({ id }) => id === key),
  };
}

function opItem(module: Module, op: Op, path: string): Item {
  const value = (id: string): Module["values"][string] | undefined => module.values[id];
  const reads = op.operands.map((operand) => value(operand.value)?.label ?? value(operand.value)?.name ?? "?");
  return {
    key: path,
    kind: "eqn",
    role: null,
    line: {
      title: opTitle(op),
      name: someOf(op.results.map((id) => value(id)?.label ?? value(id)?.name ?? "?")),
      type: someOf(
        op.results.map((id) => value(id)?.type ?? ""),
        2,
      ),
      note: ofThese(reads),
    },
    target: { kind: "op", id: op.id },
    inside: bodiesOf(module, op, path),
  };
}

function bodiesOf(module: Module, op: Op, path: string): Inside | null {
  const callee = op.callee === null ? undefined : module.functions.find((each) => each.name === op.callee);
  const regions = (callee === undefined ? op.regions : [callee.region]).filter((region) => region.blocks.length > 0);
  const [first] = regions;
  if (first === undefined) return null;
  if (regions.length === 1) return insideOf(module, shownOps(first), path);
  return {
    count: regions.length,
    left: null,
    at(index) {
      const region = regions[index];
      if (region === undefined) return null;
      const ops = shownOps(region);
      return {
        key: `${path}:${index}`,
        kind: "body",
        role: null,
        line: { title: region.label === "" ? `region ${index}` : region.label, name: "", type: "", note: some(ops.length, "op") },
        target: { kind: "op", id: op.id },
        inside: insideOf(module, ops, path),
      };
    },
    indexOf: (key) => Number(/:(\d+)$/.exec(key)?.[1] ?? -1),
  };
}

function argumentItem(module: Module, id: string, path: string): Item {
  const value = module.values[id];
  const line = { title: value?.label ?? value?.name ?? "?", name: "", type: value?.type ?? "", note: value?.role ?? "argument" };
  const key = `${path}|${id}`;
  return { key, kind: "value", role: value?.role ?? "input", line, target: { kind: "value", key }, inside: null };
}

function some(n: number, noun: string): string {
  return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}
