// An op of a lowered module, or a value of it, in words and rows: for the inspector. Pure.
import { insideOf, rootsOf } from "../../drawing/graph/ops/context.ts";
import { meaningOf } from "../../drawing/graph/ops/helpers.ts";
import { functionsByName, isReturn, keyOf } from "../../drawing/graph/ops/names.ts";
import { attributeText } from "../../drawing/graph/ops/notes.ts";
import { wordsOf } from "../../drawing/graph/ops/words.ts";
import type { Module, Op, Span } from "../../model/types.ts";
import type { Sentence } from "../explain/words.ts";
import { opTitle } from "./crumbs.ts";
import { moduleIndex } from "./links.ts";

export interface ValueRow {
  readonly id: string;
  readonly role: string;
  /** The role was read off the text of the module. */
  readonly derived: boolean;
  readonly name: string;
  readonly type: string;
}

export interface OpFacts {
  readonly op: Op;
  /** Its instance path. */
  readonly path: string;
  readonly title: string;
  /** The ops around it, outermost first: path and name. */
  readonly around: readonly { readonly path: string; readonly title: string }[];
  readonly sentences: readonly Sentence[];
  readonly takes: readonly ValueRow[];
  readonly gives: readonly ValueRow[];
  /** Name, as a person reads it, and as MLIR prints it where that is more. */
  readonly attributes: readonly { readonly name: string; readonly text: string; readonly printed: string }[];
  readonly location: string | null;
  readonly span: Span | null;
}

export function opFacts(module: Module, path: string): OpFacts | null {
  const { ops } = moduleIndex(module);
  const ids = path.split("/");
  const op = ops.get(ids[ids.length - 1] ?? "");
  if (op === undefined) return null;
  const around = ids.slice(0, -1).flatMap((id, i) => {
    const outer = ops.get(id);
    const at = ids.slice(0, i + 1).join("/");
    if (outer !== undefined) return [{ path: at, title: opTitle(outer) }];
    const root = module.functions.find((each) => each.id === id);
    return root === undefined ? [] : [{ path: at, title: `@${root.name}` }];
  });
  return {
    op,
    path,
    title: `${op.name}${op.callee === null ? "" : ` @${op.callee}`}`,
    around,
    sentences: sentencesOf(module, op),
    takes: op.operands.map(({ value, role }, i) => {
      const row = valueRow(module, value, role);
      // What a loop is given has its role from the loop.
      const carried = keyOf(op.name) === "while" && module.values[op.results[i] ?? ""]?.derived === true;
      return { ...row, derived: role !== null && (row.derived || carried) };
    }),
    gives: op.results.map((id) => valueRow(module, id, module.values[id]?.role ?? null)),
    attributes: Object.entries(op.attributes).map(([name, printed]) => ({ name, text: attributeText(name, printed), printed })),
    location: op.location ?? null,
    span: op.span,
  };
}

export function valueRow(module: Module, id: string, role: string | null): ValueRow {
  const value = module.values[id];
  const derived = role !== null && value?.derived === true;
  return { id, role: role ?? "", derived, name: value?.label ?? value?.name ?? "?", type: value?.type ?? "" };
}

function sentencesOf(module: Module, op: Op): Sentence[] {
  const functions = functionsByName(module);
  const found: Sentence[] = [];
  if (op.trips != null) found.push([`Runs ${op.trips.toLocaleString("en")} time${op.trips === 1 ? "" : "s"}, as its counter says.`]);
  if (keyOf(op.name) === "while" && op.results.some((id) => module.values[id]?.derived === true)) {
    found.push([
      "No equation says what it carries, so the roles are derived from the text: ",
      { code: "const" },
      " is handed on unchanged, ",
      { code: "xs" },
      " is read in slices at the counter, ",
      { code: "ys" },
      " is written in slices at the counter; everything else is ",
      { code: "carry" },
      ".",
    ]);
  }
  const meaning = op.callee === null || keyOf(op.name) !== "call" ? null : meaningOf(op.callee, functions);
  if (meaning !== null) found.push([{ code: `@${op.callee}` }, " is a function that JAX makes: ", { code: meaning }, "."]);
  const words = wordsOf(op, functions);
  if (words !== null) found.push([words.length === 1 ? "Its region computes " : "Its regions compute ", { code: words.join(", ") }, "."]);
  const blocks = insideOf(op, functions).reduce((most, region) => Math.max(most, region.blocks.length), 0);
  if (blocks > 1) found.push([`Its region has ${blocks} blocks; branches lead from one to another.`]);
  return found;
}

export interface ModuleValueFacts {
  readonly row: ValueRow;
  /** Paths of ops; null for an argument. */
  readonly maker: string | null;
  readonly readers: readonly string[];
  readonly returned: boolean;
}

/** Of a value where it stands: `<path of its block>|m5`. */
export function moduleValueFacts(module: Module, key: string): ModuleValueFacts | null {
  const bar = key.lastIndexOf("|");
  const id = key.slice(bar + 1);
  const path = key.slice(0, Math.max(0, bar));
  const value = module.values[id];
  if (value === undefined) return null;
  const { ops, parents } = moduleIndex(module);
  const last = path.slice(path.lastIndexOf("/") + 1);
  const under = (op: Op): string => {
    const way = [op.id];
    for (let at = parents.get(op.id); at !== undefined && at !== last; at = parents.get(at)) way.unshift(at);
    return [...(path === "" ? [] : [path]), ...way].join("/");
  };
  const all = [...ops.values()];
  const maker = all.find((op) => op.results.includes(id));
  const reading = all.filter((op) => op.operands.some((operand) => operand.value === id));
  const isEnd = (op: Op): boolean => isReturn(op.name) || (op.successors ?? []).length > 0;
  return {
    row: valueRow(module, id, value.role),
    maker: maker === undefined ? null : under(maker),
    readers: reading.filter((op) => !isEnd(op)).map(under),
    returned: reading.some(isEnd),
  };
}

export interface ModuleSummary {
  readonly counts: string;
  readonly inputs: readonly { readonly name: string; readonly aval: string }[];
  readonly outputs: readonly { readonly name: string; readonly aval: string }[];
  /** Ops by name, the most frequent first. */
  readonly ops: readonly (readonly [name: string, count: number])[];
}

/** What a module is as a whole, for when nothing of it is selected. */
export function moduleSummary(module: Module): ModuleSummary {
  const tally = new Map<string, number>();
  const { ops } = moduleIndex(module);
  // HLO has roots where MLIR has returns: the `return` of a computation is ours, and no instruction of the module.
  const hlo = module.dialect === "hlo";
  let size = 0;
  for (const { name } of ops.values()) {
    if (hlo && isReturn(name)) continue;
    tally.set(name, (tally.get(name) ?? 0) + 1);
    size++;
  }
  const roots = rootsOf(module);
  const [main] = roots.length === 1 ? roots : [];
  const ends = main?.region.blocks.flatMap((block) => block.ops.filter(({ name }) => isReturn(name))) ?? [];
  const named = (id: string): { name: string; aval: string } => {
    const { name, type } = valueRow(module, id, null);
    return { name, aval: type };
  };
  const counted = (n: number, noun: string): string => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  return {
    counts: `${counted(module.functions.length, hlo ? "computation" : "function")}, ${counted(size, "op")}`,
    inputs: (main?.region.blocks[0]?.args ?? []).map(named),
    outputs: (ends[ends.length - 1]?.operands ?? []).map(({ value }) => named(value)),
    ops: [...tally].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
  };
}
