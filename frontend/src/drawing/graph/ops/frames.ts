/** What the frame of an op is called, and the lines under its title. */
import type { Function as Func, Op } from "../../../model/types.ts";
import type { Context } from "./context.ts";
import { meaningOf } from "./helpers.ts";
import { keyOf, shortName } from "./names.ts";
import { opNote, titleOf } from "./notes.ts";
import { rowOf } from "./table.ts";

/** `while ×6`, `call score`, `where` for JAX's own `@_where`. */
export function frameTitle(op: Op, functions: ReadonlyMap<string, Func>): string {
  if (keyOf(op.name) === "fusion") return fusionTitle(op, functions);
  const own = titleOf(op);
  if (own !== "") return own;
  const name = shortName(op.name);
  if (op.trips != null) return `${name} \u00d7${op.trips}`;
  if (op.callee === null || !functions.has(op.callee)) return name;
  const call = keyOf(op.name) === "call";
  return (call ? meaningOf(op.callee, functions) : null) ?? `${name} ${op.callee}`;
}

const MOST = 3;
/** What every fusion has a lot of and what says nothing about what it computes. */
const QUIET = new Set(
  "constant bitcast copy broadcast reshape convert tuple get_tuple_element return slice iota transpose select compare".split(" "),
);

/** `fusion add, tanh`: by what it computes; only by its kind where that is nothing but moving numbers. */
function fusionTitle(op: Op, functions: ReadonlyMap<string, Func>): string {
  const ops = functions.get(op.callee ?? "")?.region.blocks[0]?.ops ?? [];
  const names = [...new Set(ops.map(({ name }) => name))];
  const telling = names.filter((name) => !QUIET.has(keyOf(name)));
  const said = telling.length > 0 ? telling : names.filter((name) => !/^(constant|return)$/.test(name));
  return said.length === 0 ? titleOf(op) : `fusion ${said.slice(0, MOST).join(", ")}${said.length > MOST ? ", \u2026" : ""}`;
}

export function frameNotes(op: Op, ctx: Context): string[] {
  const key = keyOf(op.name);
  if (key === "while") return loopNotes(op, ctx);
  if (key === "call") return op.callee !== null && meaningOf(op.callee, ctx.functions) !== null ? [`@${op.callee}`] : [];
  if (key === "composite") return [op.callee === null ? "" : `@${op.callee}`, opNote(op, null)].filter((line) => line !== "");
  if (key === "manual_computation") return manualNotes(op);
  return rowOf(op).elements ? [opNote(op, null)].filter((line) => line !== "") : [];
}

function loopNotes(op: Op, { module }: Context): string[] {
  const carried = op.results.map((id) => module.values[id]);
  // A file of before this was on the wire has none that are derived.
  if (carried.some((value) => value?.derived === true)) return ["roles derived from the text"];
  return carried.some((value) => value?.role === "counter") ? ["of a scan"] : [];
}

/** The axes that its body sees as devices of its own. */
function manualNotes(op: Op): string[] {
  const axes = [...(op.attributes.manual_axes ?? "").matchAll(/"([^"]+)"/g)].map((match) => match[1]!);
  return (axes.length > 0 ? [`axes ${axes.join(", ")}`] : []).slice(0, MOST);
}
