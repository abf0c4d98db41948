/**
 * Operations of ops with everything inside of them: the callee of a call, a loop's regions times its trips, the costliest branch, a
 * reducer's body for each element. What is not known is told beside the number, never put into it.
 */
import type { Block, Module, Op, Region } from "../../../model/types.ts";
import { insideOf } from "../../graph/ops/context.ts";
import { functionsByName, keyOf, plainText } from "../../graph/ops/names.ts";
import { sizeOf } from "../bytes.ts";
import { numbers } from "../contract.ts";
import { most, NONE, sum, type Work } from "../work.ts";
import { opFlops, values } from "./flops.ts";
import { typeOf } from "./types.ts";

const DEEPEST = 64;

/** How often the body of a reducer runs. */
const TIMES: Record<string, (module: Module, op: Op) => number | null> = {
  reduce: (module, op) => less(operand(module, op, 0), result(module, op)),
  reduce_window: (module, op) => {
    const made = result(module, op);
    return made === null ? null : made * (numbers(values(op.attributes.window_dimensions)).reduce((size, n) => size * n, 1) - 1);
  },
  select_and_scatter: (module, op) => operand(module, op, 0),
  map: result,
  scatter: (module, op) => operand(module, op, op.operands.length - op.results.length),
  sort: (module, op) => {
    const shape = typeOf(module, op.operands[0]?.value)?.shape;
    const size = operand(module, op, 0);
    const along = shape?.[Number(op.attributes.dimension?.split(" ")[0] ?? (shape?.length ?? 0) - 1)];
    return size === null || typeof along !== "number" || along === 0 ? null : size * Math.ceil(Math.log2(along));
  },
};

function operand(module: Module, op: Op, index: number): number | null {
  const type = typeOf(module, op.operands[index]?.value);
  return type === null ? null : sizeOf(type.shape);
}

function result(module: Module, op: Op): number | null {
  const type = typeOf(module, op.results[0]);
  return type === null ? null : sizeOf(type.shape);
}

function less(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(0, a - b);
}

const known = new WeakMap<Module, Map<Region, Work>>();

/** One run of a region. */
export function regionWork(module: Module, region: Region, depth = 0): Work {
  const regions = known.get(module) ?? new Map<Region, Work>();
  known.set(module, regions);
  const found = regions.get(region);
  if (found !== undefined) return found;
  const ops = region.blocks.flatMap((block: Block) => block.ops);
  const once = depth > DEEPEST ? NONE : sum(ops.map((op) => opWork(module, op, depth + 1)));
  // What several blocks do depends on which are run: each is counted once, and that is told.
  const work = region.blocks.length > 1 && once.flops > 0 ? { ...once, perTurn: true } : once;
  regions.set(region, work);
  return work;
}

export function opWork(module: Module, op: Op, depth = 0): Work {
  const key = keyOf(op.name);
  const regions = insideOf(op, functionsOf(module));
  if (regions.length === 0) {
    const flops = opFlops(module, op);
    return flops === null ? unknown(op) : { ...NONE, flops };
  }
  const run = regions.map((region) => regionWork(module, region, depth));
  const times = TIMES[key];
  if (times !== undefined) {
    const count = times(module, op);
    return count === null ? unknown(op) : { ...NONE, flops: count * sum(run).flops };
  }
  if (key === "case" || key === "if" || key === "conditional") return most(run);
  const once = sum(run);
  if (key !== "while") return key === "all_reduce" || key === "reduce_scatter" ? unknown(op) : once;
  return op.trips == null ? { ...once, perTurn: once.flops > 0 || once.perTurn } : { ...once, flops: once.flops * op.trips };
}

const functions = new WeakMap<Module, ReturnType<typeof functionsByName>>();

export function functionsOf(module: Module): ReturnType<typeof functionsByName> {
  const found = functions.get(module) ?? functionsByName(module);
  functions.set(module, found);
  return found;
}

function unknown(op: Op): Work {
  const target = plainText(op.attributes.call_target_name ?? op.attributes.custom_call_target);
  return { ...NONE, uncounted: new Set([keyOf(op.name) === "custom_call" && target !== "" ? target : op.name]) };
}
