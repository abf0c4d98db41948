/**
 * What an op holds: its callee, or its regions. A callee and a single body stand in the frame as they are; a loop, branches and reducers
 * have a strip of the operands, a card for each region, and the results.
 */
import type { Block, Op, Region } from "../../../model/types.ts";
import { bundleBinders } from "../binders.ts";
import { counted as thousands } from "../fold/items.ts";
import { type CallInfo, type Feed, inputNode, type Level, type LevelNode, loopsOf, outputNode, type PortInfo } from "../level.ts";
import { regionLevel } from "../module.ts";
import { valuePort } from "../opports.ts";
import { type Context, freeValues, insideOf, type Pill } from "./context.ts";
import { frameNotes, frameTitle } from "./frames.ts";
import { handsOn, isReturn } from "./names.ts";
import { opNote } from "./notes.ts";
import { type Row, rowOf } from "./table.ts";
import { wordsOf } from "./words.ts";

/** An op where it stands, with what reaches it. */
export interface Standing {
  op: Op;
  path: string;
  at: string;
  ins: readonly PortInfo[];
  outs: readonly PortInfo[];
  /** What its regions read from outside: those that are ports after the operands, and those that need none. */
  captured: readonly string[];
  literals: ReadonlyMap<string, Feed>;
}

export function callOf(ctx: Context, standing: Standing): CallInfo {
  const { op, at } = standing;
  const row = rowOf(op);
  const regions = insideOf(op, ctx.functions);
  const open = ctx.open.has(at);
  const words = wordsOf(op, ctx.functions);
  const info: CallInfo = {
    kind: row.frame,
    title: frameTitle(op, ctx.functions),
    open,
    notes: frameNotes(op, ctx),
    toggle: at,
    inside: null,
    loops: [],
    hint: words === null ? `${countedIn(regions)} inside` : opNote(op, words),
    trips: op.trips ?? null,
    fold: null,
  };
  if (!open) return info;
  if (row.plain && regions.length === 1) return { ...info, inside: bodyOf(ctx, standing, row, regions[0]!) };
  const inside = cardsOf(ctx, standing, row, regions);
  const same = row.frame === "while" ? unchanged(op) : new Set<number>();
  const looped = standing.outs.flatMap((_, i): [string, string][] => (same.has(i) ? [] : [[`${at}|result${i}`, `${at}|operand${i}`]]));
  return { ...info, inside, loops: row.frame === "while" ? loopsOf(inside, looped) : [] };
}

/** As the box of a function says it. */
export function countedIn(regions: readonly Region[]): string {
  let count = 0;
  for (const { blocks } of regions) for (const { ops } of blocks) for (const { name } of ops) if (!isReturn(name)) count++;
  return `${thousands(count)} op${count === 1 ? "" : "s"}`;
}

function bodyOf(ctx: Context, { op, path, at, ins, outs, captured, literals }: Standing, row: Row, region: Region): Level {
  const args = region.blocks[0]?.args ?? [];
  const pills = args.map((id, i): Pill => {
    const from = row.binds(op, 0, i);
    return { id, port: binder(ctx, id, from === null ? undefined : ins[from], at), outer: from !== null && ins[from] ? from : -1 };
  });
  captured.forEach((id, c) => {
    pills.push({ id, port: { ...valuePort(ctx.module, id, null, path), group: "captured" }, outer: op.operands.length + c });
  });
  return regionLevel(ctx, region, at, "", { pills, results: outs.map((port, outer) => ({ port, outer })), outer: literals });
}

/** A binder keeps its own name; role and caption are those of the operand that it is bound to. */
export function binder(ctx: Context, id: string, outer: PortInfo | undefined, path: string): PortInfo {
  const own = valuePort(ctx.module, id, null, path);
  const named = own.letter && outer ? outer : own;
  if (!outer) return { ...own, group: "inner" };
  const { role, group, notes = [] } = outer;
  return { ...own, name: named.name, letter: named.letter, role, group, notes };
}

/** What the body of a while hands on as it is: it is the same in every step, and nothing loops. */
function unchanged(op: Op): Set<number> {
  const body = op.regions[op.regions.length - 1]?.blocks[0];
  const returned = body?.ops.find(({ name }) => isReturn(name));
  if (!body || !returned) return new Set();
  const from = new Map(
    body.ops.filter(handsOn).flatMap(({ operands, results }) => results.map((id, i) => [id, operands[i]!.value] as const)),
  );
  const source = (id: string): string => {
    let at = id;
    for (let next = from.get(at); next !== undefined; next = from.get(at)) at = next;
    return at;
  };
  return new Set(returned.operands.flatMap(({ value }, i) => (source(value) === body.args[i] ? [i] : [])));
}

function cardsOf(ctx: Context, standing: Standing, row: Row, regions: readonly Region[]): Level {
  const { op, at, ins, outs } = standing;
  const nodes: LevelNode[] = ins.map((port, i) => inputNode(`${at}|operand${i}`, port));
  const inputs = ins.map((_, i) => ({ node: i, outer: i }));
  const into: Feed[][] = outs.map(() => []);
  // What is the same in every step is no result of the loop, unless somebody reads it there.
  const same = row.frame === "while" ? unchanged(op) : new Set<number>();
  const hidden = new Set([...same].filter((i) => outs[i]?.used === false));
  const shown = outs.flatMap((_, i) => (hidden.has(i) ? [] : [i]));
  regions.forEach((region, k) => {
    const block = region.blocks[0];
    if (!block) return;
    const node = card(ctx, standing, row, region, block, k, hidden);
    nodes.push(node);
    if (row.frame === "while" && k === 0) return;
    // Reducers and comparators give answers; the results of their op leave the first card beside them.
    const own = node.outs.length;
    const beside = row.gives === "answers" || own !== shown.length ? own : 0;
    if (beside > 0 || row.gives === "answers") {
      if (into.some((feeds) => feeds.length > 0)) return;
      node.outs.push(...shown.map((i) => ({ ...outs[i]!, used: true })));
    }
    shown.forEach((i, seat) => {
      into[i]!.push({ kind: "node", node: nodes.length - 1, port: beside + seat });
    });
  });
  const outputs = shown.map((i) => {
    const port = outs[i]!;
    const feeds: Feed[] = into[i]!.length > 0 ? into[i]! : [{ kind: "none" }];
    const node = outputNode(`${at}|result${i}`, { ...port, used: port.used || row.frame === "while" }, feeds[0]!);
    node.ins = feeds.map(() => node.ins[0]!);
    node.feeds = feeds;
    nodes.push(node);
    return { node: nodes.length - 1, outer: i };
  });
  return { ...bundleBinders({ nodes, inputs, outputs }, `${at}|`, ctx.open), pairs: [], twoLanes: false, inOrder: true };
}

function card(
  ctx: Context,
  { op, path, at, ins, captured, literals }: Standing,
  row: Row,
  region: Region,
  block: Block,
  k: number,
  hidden: ReadonlySet<number>,
): LevelNode {
  const pills: Pill[] = [];
  const ports: PortInfo[] = [];
  const feeds: Feed[] = [];
  const connect = (id: string, port: PortInfo, from: number): void => {
    pills.push({ id, port, outer: ports.length });
    ports.push(port);
    feeds.push({ kind: "node", node: from, port: 0 });
  };
  if (row.frame === "cond" && ins[0]) {
    const name = /^(true|false)$/.test(region.label) ? region.label : `= ${k}`;
    connect("", { ...ins[0], group: "when", name, letter: false, type: "", value: null }, 0);
  }
  block.args.forEach((id, i) => {
    const from = row.binds(op, k, i) ?? alike(ctx, op, block, i);
    const outer = from === null ? undefined : ins[from];
    if (from === null || outer === undefined) pills.push({ id, port: binder(ctx, id, undefined, at), outer: -1 });
    else connect(id, row.elements ? { ...binder(ctx, id, undefined, at), group: "element" } : binder(ctx, id, outer, at), from);
  });
  const own = new Set(freeValues([region]));
  captured.forEach((id, c) => {
    if (own.has(id)) connect(id, { ...valuePort(ctx.module, id, null, path), group: "captured" }, op.operands.length + c);
  });
  const predicate = row.frame === "while" && k === 0;
  const outs: PortInfo[] = [];
  const results = endsOf(region).map((value, i) => {
    if (!predicate && hidden.has(i)) return null;
    const role = row.frame === "while" && !predicate ? (ctx.module.values[op.results[i] ?? ""]?.role ?? null) : null;
    const port = valuePort(ctx.module, value, role, at);
    outs.push(predicate ? { ...port, group: "predicate" } : port);
    return { port: outs[outs.length - 1]!, outer: outs.length - 1 };
  });
  const inside = regionLevel(ctx, region, at, `:${k}`, { pills, results, outer: literals });
  const info: CallInfo = { kind: "body", title: region.label, open: true, toggle: null, inside, loops: [], hint: "", fold: null };
  const words = { title: region.label, note: "", label: "", type: "", hint: `${region.label} of ${op.name}` };
  return { kind: "call", key: `${at}#${k}`, eqn: at, ...words, scope: [], ins: ports, feeds, outs, call: info, back: false, twin: null };
}

/** What a region hands on: the operands of the last op of its last block. */
function endsOf(region: Region): string[] {
  const ends = region.blocks.flatMap(({ ops }) => ops.filter(({ name }) => isReturn(name)));
  return ends[ends.length - 1]?.operands.map(({ value }) => value) ?? [];
}

/** Of an op that is in no table: where its region takes exactly the types of its operands, it takes the operands. */
function alike(ctx: Context, op: Op, block: Block, arg: number): number | null {
  const type = (id: string): string | undefined => ctx.module.values[id]?.type;
  const fits = block.args.length === op.operands.length && block.args.every((id, i) => type(id) === type(op.operands[i]!.value));
  return rowOf(op).frame === "call" && !rowOf(op).elements && fits ? arg : null;
}
