/** Which ops of a module can be opened, and which are open at first. */
import type { Function as Func, Module, Op } from "../../model/types.ts";
import { childPath } from "./folds.ts";

const MOST = 20_000;
const OPENED_OPS = 160;

/** A reducer of one op is said beside its name instead. */
export function isFoldable(op: Op, functions: ReadonlyMap<string, Func>): boolean {
  if (op.callee !== null) return functions.has(op.callee);
  if (op.regions.length === 0) return false;
  return op.regions.length > 1 || (op.regions[0]?.blocks[0]?.ops.length ?? 0) > 2;
}

export function functionsByName(module: Module): Map<string, Func> {
  return new Map(module.functions.map((each) => [each.name, each]));
}

export function mainFunction(module: Module): Func | undefined {
  return module.functions.find((each) => each.name === "main") ?? module.functions[0];
}

interface Found {
  path: string;
  op: Op;
  size: number;
}

function* foldables(module: Module): Generator<Found> {
  const functions = functionsByName(module);
  const main = mainFunction(module);
  const queue: [string, Op][] = (main?.region.blocks ?? []).flatMap((block) => block.ops.map((op): [string, Op] => ["", op]));
  for (let i = 0, count = 0; i < queue.length; i++) {
    const [path, op] = queue[i]!;
    if (!isFoldable(op, functions)) continue;
    const at = childPath(path, op.id);
    const callee = op.callee === null ? undefined : functions.get(op.callee);
    const regions = callee ? [callee.region] : op.regions;
    const inside = regions.flatMap((region) => region.blocks.flatMap((block) => block.ops));
    for (const inner of inside) queue.push([at, inner]);
    yield { path: at, op, size: inside.length };
    if (++count >= MOST) return;
  }
}

export function foldableOps(module: Module): string[] {
  return Array.from(foldables(module), (found) => found.path);
}

/** Loops, branches and the bodies of the person's own functions, as long as they fit; JAX's small helpers stay closed. */
export function initialOpenOps(module: Module): Set<string> {
  const open = new Set<string>();
  let shown = mainFunction(module)?.region.blocks[0]?.ops.length ?? 0;
  for (const { path, op, size } of foldables(module)) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent !== "" && !open.has(parent)) continue;
    if (op.callee !== null && (op.callee.startsWith("_") || /^dynamic_(update_)?index_in_dim/.test(op.callee))) continue;
    if (shown + size > OPENED_OPS) continue;
    shown += size;
    open.add(path);
  }
  return open;
}
