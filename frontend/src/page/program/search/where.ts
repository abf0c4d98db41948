// Where a found thing stands, in words: the bodies around it from the outside in.
import type { Module, Program } from "../../../model/types.ts";
import { eqnIndex, eqnOf } from "../instances.ts";
import { moduleIndex, opName } from "../links.ts";
import { titleOf } from "../titles.ts";
import type { Entry } from "./entries.ts";

/** `scan ×8 reverse`, `cond true`: a body is named where its equation has several. Empty at the top. */
export function trailOf(program: Program, module: Module | null, entry: Entry): string[] {
  const bar = entry.key.lastIndexOf("|");
  const path = bar < 0 ? entry.key.slice(0, Math.max(0, entry.key.lastIndexOf("/"))) : entry.key.slice(0, bar);
  if (path === "") return [];
  return path.split("/").map((segment) => (module === null ? ofEqn(program, segment) : ofOp(module, segment)));
}

function ofEqn(program: Program, segment: string): string {
  const eqn = eqnIndex(program).get(eqnOf(segment))?.eqn;
  if (eqn === undefined) return "?";
  const titled = titleOf(eqn);
  if (eqn.nested.length < 2) return titled;
  const colon = segment.indexOf(":");
  return `${titled} ${eqn.nested[colon < 0 ? 0 : Number(segment.slice(colon + 1))]?.label ?? ""}`.trim();
}

function ofOp(module: Module, id: string): string {
  const op = moduleIndex(module).ops.get(id);
  if (op === undefined) return "?";
  return op.callee === null ? opName(op) : `@${op.callee}`;
}
