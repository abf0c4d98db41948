/**
 * Bytes that are live while each op runs, in the order of the module: what its block was given, what was made before and is still read
 * (also by a region further down), what it makes, and the most that its regions hold at a time. As written: before XLA changes anything.
 */
import type { Block, Module, Op, Region } from "../../../model/types.ts";
import { freeValues, insideOf } from "../../graph/ops/context.ts";
import { isReturn, keyOf } from "../../graph/ops/names.ts";
import { bytesOfValue } from "./types.ts";
import { functionsOf } from "./work.ts";

export interface Live {
  /** By op id: bytes live while it runs, its regions without. */
  readonly during: ReadonlyMap<string, number>;
  readonly inputs: number;
  /** The most at a time, regions and inputs included, and the op it is at. */
  readonly peak: number;
  readonly at: Op | null;
}

const NONE: Live = { during: new Map(), inputs: 0, peak: 0, at: null };
const DEEPEST = 64;
const known = new WeakMap<Module, Map<Region, Live>>();

export function regionLive(module: Module, region: Region, depth = 0): Live {
  const regions = known.get(module) ?? new Map<Region, Live>();
  known.set(module, regions);
  const found = regions.get(region);
  if (found !== undefined) return found;
  const blocks = depth > DEEPEST ? [] : region.blocks.map((block) => blockLive(module, block, depth));
  const top = blocks.reduce<Live>((most, live) => (live.peak > most.peak ? live : most), NONE);
  const during = new Map(blocks.flatMap((live) => [...live.during]));
  const live = blocks.length === 1 ? blocks[0]! : { ...top, during, inputs: blocks[0]?.inputs ?? 0 };
  regions.set(region, live);
  return live;
}

function blockLive(module: Module, block: Block, depth: number): Live {
  const size = (id: string): number => bytesOfValue(module, id) ?? 0;
  const reads = block.ops.map((op) => [...op.operands.map(({ value }) => value), ...(op.regions.length > 0 ? freeValues(op.regions) : [])]);
  const last = new Map<string, number>();
  reads.forEach((ids, i) => {
    for (const id of ids) last.set(id, i);
  });
  const made = new Set<string>();
  const inputs = block.args.reduce((total, id) => total + size(id), 0);
  const during = new Map<string, number>();
  let now = inputs;
  let peak = inputs;
  let at: Op | null = null;
  block.ops.forEach((op, i) => {
    if (isReturn(op.name)) return;
    for (const id of op.results) {
      now += size(id);
      made.add(id);
    }
    during.set(op.id, now);
    const most = now + heldInside(module, op, depth + 1);
    if (most > peak || at === null) {
      peak = Math.max(peak, most);
      at = op;
    }
    for (const id of new Set([...op.results, ...reads[i]!])) if (made.has(id) && (last.get(id) ?? i) === i) now -= size(id);
  });
  return { during, inputs, peak, at };
}

/** What its regions hold beyond what it has already: their arguments are its operands, their results in the end its results. */
export function heldInside(module: Module, op: Op, depth = 0): number {
  let most = 0;
  for (const region of insideOf(op, functionsOf(module))) {
    const { peak, inputs } = regionLive(module, region, depth);
    most = Math.max(most, peak - inputs);
  }
  if (keyOf(op.name) === "while") return most;
  const made = op.results.reduce((total, id) => total + (bytesOfValue(module, id) ?? 0), 0);
  return Math.max(0, most - made);
}
