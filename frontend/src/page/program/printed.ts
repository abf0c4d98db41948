// The printed text of a level with the range of every equation or op in it.
import type { Module, Program } from "../../model/types.ts";
import type { Level } from "../state/types.ts";
import { moduleIndex } from "./links.ts";

export interface Printed {
  readonly text: string;
  readonly ranges: ReadonlyMap<string, readonly [number, number]>;
}

const NOTHING: Printed = { text: "", ranges: new Map() };
const known = new WeakMap<object, Printed>();

export function printedOf(program: Program | null, level: Level): Printed {
  if (program === null) return NOTHING;
  // What came in parts has no spans in its ops: the text itself says where they stand.
  if (level !== "jaxpr" && program.texts[level] === undefined) {
    const module = program.modules[level];
    return module === undefined ? NOTHING : once(module, () => ofModule(module));
  }
  const text = program.texts[level];
  return text === undefined ? NOTHING : once(text, () => ({ text: text.text, ranges: new Map(Object.entries(text.spans)) }));
}

function ofModule(module: Module): Printed {
  const ranges = new Map<string, readonly [number, number]>();
  for (const op of moduleIndex(module).ops.values()) if (op.text_span !== null) ranges.set(op.id, op.text_span);
  return { text: module.text, ranges };
}

function once(key: object, make: () => Printed): Printed {
  let printed = known.get(key);
  if (printed === undefined) {
    printed = make();
    known.set(key, printed);
  }
  return printed;
}
