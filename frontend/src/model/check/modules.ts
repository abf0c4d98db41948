// Whether a module is true to itself, as the gate asks it (visualizer/sandbox/_integrity.py).
import type { Module, Region } from "../types.ts";

export const DEEPEST = 200;

/** The ids of its ops; null where the module cannot be walked. */
export function opsOf(module: Module): ReadonlySet<string> | null {
  if (module.packed !== null) return null;
  const ops = new Set<string>();
  const { values } = module;
  const there = (names: readonly string[]): boolean => names.every((name) => Object.hasOwn(values, name));
  const waiting: { readonly region: Region; readonly depth: number }[] = [];
  for (const { args, region } of module.functions) {
    if (!there(args)) return null;
    waiting.push({ region, depth: 0 });
  }
  for (const op of module.ops) {
    ops.add(op.id);
    for (const region of op.regions) waiting.push({ region, depth: 1 });
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { region, depth } = next;
    if (depth > DEEPEST) return null;
    for (const block of region.blocks) {
      if (!there(block.args)) return null;
      for (const op of block.ops) {
        if (ops.has(op.id) || !op.operands.every(({ value }) => Object.hasOwn(values, value)) || !there(op.results)) return null;
        ops.add(op.id);
        for (const inner of op.regions) waiting.push({ region: inner, depth: depth + 1 });
      }
    }
  }
  return ops;
}
