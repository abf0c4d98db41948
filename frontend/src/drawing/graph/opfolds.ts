/** Which ops of a module can be opened, and which are open at first. */
import type { Function as Func, Module, Op } from "../../model/types.ts";
import { entry } from "./fold/items.ts";
import { childPath } from "./folds.ts";
import { insideOf, rootsOf } from "./ops/context.ts";
import { isBody, meaningOf } from "./ops/helpers.ts";
import { functionsByName, isReturn, keyOf } from "./ops/names.ts";
import { rowOf } from "./ops/table.ts";
import { wordsOf } from "./ops/words.ts";

const MOST = 20_000;
const OPENED_OPS = 160;
const DEEPEST = 64;
/** More functions than these are looked through before one is opened. */
const MOST_ROOTS = 8;
/** A word of one op needs no look inside; what takes more ops to say can be opened. */
const PLAIN = 2;

export function isFoldable(op: Op, functions: ReadonlyMap<string, Func>): boolean {
  const regions = insideOf(op, functions);
  if (!regions.some(({ blocks }) => blocks.some(({ ops }) => ops.length > 0))) return false;
  return wordsOf(op, functions) === null || regions.some(({ blocks }) => blocks.some(({ ops }) => ops.length > PLAIN));
}

interface Found {
  path: string;
  /** Null for a function that nothing calls. */
  op: Op | null;
  size: number;
}

function* foldables(module: Module): Generator<Found> {
  const functions = functionsByName(module);
  const roots = rootsOf(module);
  const queue: [string, Op, number][] = [];
  const add = (path: string, ops: readonly Op[], depth: number): void => {
    for (const op of ops) if (!isReturn(op.name)) queue.push([path, op, depth]);
  };
  let count = 0;
  if (roots.length === 0) add("", module.ops, 0);
  for (const { id, region } of roots) {
    const path = roots.length > 1 ? id : "";
    const ops = region.blocks.flatMap((block) => block.ops);
    if (path !== "") yield { path, op: null, size: ops.length };
    add(path, ops, 0);
  }
  for (const [path, op, depth] of queue) {
    if (!isFoldable(op, functions)) continue;
    const at = childPath(path, op.id);
    const inside = insideOf(op, functions).flatMap((region) => region.blocks.flatMap((block) => block.ops));
    if (depth < DEEPEST) add(at, inside, depth + 1);
    yield { path: at, op, size: inside.length };
    if (++count >= MOST) return;
  }
}

const known = new WeakMap<Module, readonly string[]>();

/** Everything that can be opened. */
export function foldableOps(module: Module): readonly string[] {
  return entry(known, module, () => Array.from(foldables(module), (found) => found.path));
}

/** Loops, branches and the bodies of the person's own functions, as long as they fit; JAX's small helpers stay closed. */
export function initialOpenOps(module: Module): Set<string> {
  const open = new Set<string>();
  const functions = functionsByName(module);
  const roots = rootsOf(module);
  const many = roots.length > MOST_ROOTS;
  const only = onlyOp(module);
  let shown = roots.length > 1 ? roots.length : (roots[0]?.region.blocks.reduce((sum, block) => sum + block.ops.length, 0) ?? 0);
  for (const { path, op, size } of foldables(module)) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent !== "" && !open.has(parent)) continue;
    // The title of a fusion says what it does: within a loop or a call that is enough, or the loop is not seen for its fusions.
    const fused = op !== null && parent !== "" && keyOf(op.name) === "fusion";
    if (op === null ? many : (fused || isQuiet(op, functions)) && op !== only) continue;
    if (shown + size > OPENED_OPS) continue;
    shown += size;
    open.add(path);
  }
  return open;
}

function isQuiet(op: Op, functions: ReadonlyMap<string, Func>): boolean {
  if (rowOf(op).elements && wordsOf(op, functions) !== null) return true;
  if (keyOf(op.name) === "fusion") return isWrapped(op, functions);
  if (keyOf(op.name) !== "call" || op.callee === null || isBody(op.callee)) return false;
  return op.callee.startsWith("_") || meaningOf(op.callee, functions) !== null;
}

/** A fusion of one op: XLA wraps it so, and its title says it all. */
function isWrapped(op: Op, functions: ReadonlyMap<string, Func>): boolean {
  const ops = insideOf(op, functions).flatMap(({ blocks }) => blocks.flatMap((block) => block.ops));
  return ops.filter(({ name }) => !isReturn(name) && keyOf(name) !== "constant").length <= 1;
}

/** The only op of the main function that is more than a constant, or null: a picture of one closed box says nothing. */
function onlyOp(module: Module): Op | null {
  const roots = rootsOf(module);
  const ops = roots.length === 1 ? roots[0]!.region.blocks.flatMap((block) => block.ops) : [];
  const found = ops.filter((each) => !isReturn(each.name) && keyOf(each.name) !== "constant");
  return found.length === 1 ? found[0]! : null;
}
