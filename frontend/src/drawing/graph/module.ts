/**
 * A lowered module as levels, in the grammar of jaxprs: a call holds its callee, a while is a loop with two cards, a case has a card
 * for each branch, constants are literals in their consumers. What a region reads from outside becomes an operand of its op.
 */
import type { Block, Function as Func, Module, Op, Region } from "../../model/types.ts";
import type { Grouping } from "../scene.ts";
import { foldLevel } from "./fold/index.ts";
import { childPath } from "./folds.ts";
import { type CallInfo, type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "./level.ts";
import { functionsByName, isFoldable, mainFunction } from "./opfolds.ts";
import { constantText, opHint, opNote, shortName, valuePort } from "./opports.ts";
import type { OpPlaces } from "./written.ts";

export interface Context {
  module: Module;
  open: ReadonlySet<string>;
  by?: Grouping | undefined;
  places?: OpPlaces | undefined;
  functions: Map<string, Func>;
  used: Set<string>;
}

interface Pill {
  /** The value inside, or "" for a pill that only explains (`= 0`). */
  id: string;
  port: PortInfo;
  outer: number;
}

const EMPTY: Level = { nodes: [], inputs: [], outputs: [], pairs: [], twoLanes: false };

export function moduleLevel(module: Module, open: ReadonlySet<string>, by?: Grouping, places?: OpPlaces): Level {
  const main = mainFunction(module);
  const block = main?.region.blocks[0];
  if (!main || !block) return EMPTY;
  const ctx = contextOf(module, open, by, places);
  const pills = block.args.map((id): Pill => ({ id, port: valuePort(module, id, null, ""), outer: -1 }));
  return blockLevel(ctx, block, "", "", pills, [], new Map());
}

/** The inside of an equation that calls a module as it is (`call_exported`): `at` is its path, `ins` and `outs` are its ports. */
export function embeddedLevel(
  module: Module,
  open: ReadonlySet<string>,
  at: string,
  ins: readonly PortInfo[],
  outs: readonly PortInfo[],
): Level | null {
  const block = mainFunction(module)?.region.blocks[0];
  if (!block) return null;
  const ctx = contextOf(module, open);
  // A module of symbolic shapes takes their sizes before the operands.
  const first = block.args.length - ins.length;
  const pills = block.args.map((id, i): Pill => ({ id, port: inner(ctx, id, ins[i - first], at), outer: i < first ? -1 : i - first }));
  return blockLevel(
    ctx,
    block,
    at,
    "",
    pills,
    outs.map((port, outer) => ({ port, outer })),
    new Map(),
  );
}

export function contextOf(module: Module, open: ReadonlySet<string>, by?: Grouping, places?: OpPlaces): Context {
  return { module, open, by, places, functions: functionsByName(module), used: usedValues(module) };
}

function usedValues(module: Module): Set<string> {
  const used = new Set<string>();
  const walk = (region: Region): void => {
    for (const block of region.blocks) {
      for (const op of block.ops) {
        for (const operand of op.operands) used.add(operand.value);
        op.regions.forEach(walk);
      }
    }
  };
  for (const each of module.functions) walk(each.region);
  return used;
}

function isReturn(op: Op): boolean {
  return /\.(return|yield)$/.test(op.name);
}

/** `results` says how each result looks, and is null for one that is not shown. `outer` holds what the block reads from outside and need not be
 * a pill (literals). `tag` tells the regions of one op apart. */
function blockLevel(
  ctx: Context,
  block: Block,
  path: string,
  tag: string,
  pills: readonly Pill[],
  results: readonly ({ port: PortInfo; outer: number } | null)[],
  outer: ReadonlyMap<string, Feed>,
): Level {
  const nodes: LevelNode[] = [];
  const feeds = new Map<string, Feed>(outer);
  const inputs = pills.map(({ id, port, outer: seat }, i) => {
    const used = id === "" || ctx.used.has(id);
    nodes.push(inputNode(`${path}${tag}|${id || `select${i}`}`, { ...port, used }));
    if (id !== "") feeds.set(id, { kind: "node", node: i, port: 0 });
    return { node: i, outer: seat };
  });
  const feedOf = (id: string): Feed => feeds.get(id) ?? { kind: "none" };
  let returned: Op | undefined;
  for (const op of block.ops) {
    if (isReturn(op)) {
      returned = op;
      continue;
    }
    const literal = literalOf(ctx, op, path, feedOf);
    if (literal) {
      feeds.set(op.results[0]!, literal);
      continue;
    }
    nodes.push(opNode(ctx, op, path, feedOf));
    op.results.forEach((id, port) => {
      feeds.set(id, { kind: "node", node: nodes.length - 1, port });
    });
  }
  const outputs = (returned?.operands ?? []).flatMap(({ value }, i) => {
    const seated = results[i];
    if (seated === null) return [];
    const own = valuePort(ctx.module, value, null, path);
    const port = seated ? { ...seated.port, name: own.name, letter: own.letter, type: own.type, value: own.value } : own;
    const feed = feedOf(value);
    // A loop hands on what it does not change: a chip says so without a wire around the whole body.
    const same = feed.kind === "node" && feed.node === i && port.group !== "" && tag !== "";
    const through: Feed = same
      ? { kind: "stub", node: i, port: 0, text: nodes[i]!.title, letter: nodes[i]!.outs[0]!.letter, hint: "unchanged" }
      : feed;
    nodes.push(outputNode(`${path}${tag}|out${i}`, port, through));
    return [{ node: nodes.length - 1, outer: seated?.outer ?? -1 }];
  });
  return foldLevel({ nodes, inputs, outputs, pairs: [], twoLanes: false }, `${path}${tag}`, { open: ctx.open, by: ctx.by, unit: "op" });
}

/** A constant, or a scalar constant that is broadcast. */
export function literalOf(ctx: Context, op: Op, path: string, feedOf: (id: string) => Feed): Feed | null {
  const [result] = op.results;
  if (result === undefined) return null;
  const about = { eqn: childPath(path, op.id), value: `${path}|${result}` };
  const type = ctx.module.values[result]?.type ?? "";
  const text = constantText(op);
  if (text !== null) {
    return { kind: "literal", text: `${text}${shape(type)}`, hint: `${op.attributes.value ?? ""}\n${type}`, ...about };
  }
  if (shortName(op.name) !== "broadcast_in_dim" || op.operands.length !== 1) return null;
  const of = feedOf(op.operands[0]!.value);
  if (of.kind !== "literal" || of.text.includes(" ")) return null;
  return {
    kind: "literal",
    text: `${of.text}${shape(type)}`,
    hint: `${of.hint}\nbroadcast to ${type}`,
    ...about,
  };
}

/** `tensor<2x3xf32>` -> ` [2,3]`; a scalar has none. */
function shape(type: string): string {
  const dims = type.match(/^tensor<((?:[\d?]+x)+)/)?.[1];
  return dims ? ` [${dims.slice(0, -1).replace(/x/g, ",")}]` : "";
}

export function opNode(ctx: Context, op: Op, path: string, feedOf: (id: string) => Feed): LevelNode {
  const at = childPath(path, op.id);
  const foldable = isFoldable(op, ctx.functions);
  const ins = op.operands.map(({ value, role }) => valuePort(ctx.module, value, role, path));
  const feeds = op.operands.map(({ value }) => feedOf(value));
  const literals = new Map<string, Feed>();
  const captured: string[] = [];
  for (const id of foldable && op.callee === null ? freeValues(op.regions) : []) {
    const feed = feedOf(id);
    if (feed.kind === "literal") literals.set(id, feed);
    else if (feed.kind !== "none") captured.push(id);
  }
  for (const id of captured) {
    ins.push({ ...valuePort(ctx.module, id, null, path), group: "captured" });
    feeds.push(feedOf(id));
  }
  const outs = op.results.map((id) => {
    const port = valuePort(ctx.module, id, ctx.module.values[id]?.role ?? null, path);
    return { ...port, used: ctx.used.has(id) };
  });
  const call = foldable ? callOf(ctx, op, path, at, ins, outs, captured, literals) : null;
  const types = outs.map((port) => port.type);
  const place = ctx.places?.get(op.id);
  const label = op.results.length === 1 ? (ctx.module.values[op.results[0]!]?.label ?? "") : "";
  return {
    kind: call ? "call" : "op",
    key: at,
    eqn: at,
    title: call ? call.title : shortName(op.name),
    note: call ? "" : opNote(op),
    label,
    type: types.length > 2 ? `${types[0]} +${types.length - 1}` : types.join(" "),
    hint: opHint(op),
    ins,
    feeds,
    outs,
    call,
    back: false,
    scope: place?.scope ?? [],
    ...(place && { written: place.written }),
    twin: null,
  };
}

/** Values read inside of the regions but made outside, in order of first use. */
function freeValues(regions: readonly Region[]): string[] {
  const made = new Set<string>();
  const free = new Set<string>();
  const walk = (region: Region): void => {
    for (const block of region.blocks) {
      for (const id of block.args) made.add(id);
      for (const op of block.ops) {
        for (const { value } of op.operands) if (!made.has(value)) free.add(value);
        op.regions.forEach(walk);
        for (const id of op.results) made.add(id);
      }
    }
  };
  regions.forEach(walk);
  return [...free];
}

function callOf(
  ctx: Context,
  op: Op,
  path: string,
  at: string,
  ins: readonly PortInfo[],
  outs: readonly PortInfo[],
  captured: readonly string[],
  literals: ReadonlyMap<string, Feed>,
): CallInfo {
  const name = shortName(op.name);
  const kind = name === "while" ? "while" : name === "case" || name === "if" ? "cond" : "call";
  const callee = op.callee === null ? undefined : ctx.functions.get(op.callee);
  const regions = callee ? [callee.region] : op.regions;
  const count = regions.reduce((sum, region) => sum + region.blocks.reduce((n, block) => n + block.ops.length, 0), 0);
  const title = callee ? `call ${callee.name}` : name;
  const open = ctx.open.has(at);
  const info: CallInfo = {
    kind,
    title,
    open,
    notes: kind === "while" && ins.some(({ group }) => group === "counter") ? ["of a scan"] : [],
    toggle: at,
    inside: null,
    loops: [],
    hint: `${count} op${count === 1 ? "" : "s"} inside`,
    fold: null,
  };
  if (!open) return info;
  const body = callee?.region.blocks[0];
  if (body) {
    const pills = body.args.map((id, i): Pill => ({ id, port: inner(ctx, id, ins[i], at), outer: i }));
    const results = outs.map((port, i) => ({ port, outer: i }));
    return { ...info, inside: blockLevel(ctx, body, at, "", pills, results, new Map()) };
  }
  const inside = regionsLevel(ctx, op, path, at, kind, ins, outs, captured, literals);
  const same = kind === "while" ? unchanged(op) : new Set<number>();
  const loops = kind === "while" ? inside.outputs.flatMap(({ outer }, i): [number, number][] => (same.has(outer) ? [] : [[i, outer]])) : [];
  return { ...info, inside, loops };
}

/** A binder keeps its own name; role and caption are those of the operand that it is bound to. */
function inner(ctx: Context, id: string, outer: PortInfo | undefined, path: string): PortInfo {
  const own = valuePort(ctx.module, id, null, path);
  const named = own.letter && outer ? outer : own;
  return outer ? { ...own, name: named.name, letter: named.letter, role: outer.role, group: outer.group } : { ...own, group: "inner" };
}

/** What the body of a while hands on as it is: it is the same in every step, and nothing loops. */
function unchanged(op: Op): Set<number> {
  const body = op.regions[op.regions.length - 1]?.blocks[0];
  const returned = body?.ops.find(isReturn);
  if (!body || !returned) return new Set();
  return new Set(returned.operands.flatMap(({ value }, i) => (value === body.args[i] ? [i] : [])));
}

function regionsLevel(
  ctx: Context,
  op: Op,
  path: string,
  at: string,
  kind: CallInfo["kind"],
  ins: readonly PortInfo[],
  outs: readonly PortInfo[],
  captured: readonly string[],
  literals: ReadonlyMap<string, Feed>,
): Level {
  const nodes: LevelNode[] = ins.map((port, i) => inputNode(`${at}|operand${i}`, port));
  const inputs = ins.map((_, i) => ({ node: i, outer: i }));
  const into: Feed[][] = outs.map(() => []);
  // What is the same in every step is no result of the loop, unless somebody reads it there.
  const same = kind === "while" ? unchanged(op) : new Set<number>();
  const hidden = new Set([...same].filter((i) => outs[i]?.used === false));
  const shown = outs.flatMap((_, i) => (hidden.has(i) ? [] : [i]));
  op.regions.forEach((region, k) => {
    const block = region.blocks[0];
    if (!block) return;
    const node = regionCard(ctx, op, region, block, k, path, at, kind, ins, captured, literals, hidden);
    nodes.push(node);
    if (kind === "while" && k === 0) return;
    // A comparator (sort) answers a question; the results of its op leave the card beside it.
    const own = node.outs.length;
    const first = kind === "call" && own !== outs.length ? own : 0;
    if (first > 0 && k > 0) return;
    if (first > 0) node.outs.push(...outs);
    shown.forEach((i, at) => {
      into[i]!.push({ kind: "node", node: nodes.length - 1, port: first + at });
    });
  });
  const outputs = shown.map((i) => {
    const port = outs[i]!;
    const feeds: Feed[] = into[i]!.length > 0 ? into[i]! : [{ kind: "none" }];
    const looped = kind === "while" && ctx.used.size > 0;
    const node = outputNode(`${at}|result${i}`, { ...port, used: port.used || looped }, feeds[0]!);
    node.ins = feeds.map(() => node.ins[0]!);
    node.feeds = feeds;
    nodes.push(node);
    return { node: nodes.length - 1, outer: i };
  });
  return { nodes, inputs, outputs, pairs: [], twoLanes: false, inOrder: true };
}

function regionCard(
  ctx: Context,
  op: Op,
  region: Region,
  block: Block,
  k: number,
  path: string,
  at: string,
  kind: CallInfo["kind"],
  ins: readonly PortInfo[],
  captured: readonly string[],
  literals: ReadonlyMap<string, Feed>,
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
  if (kind === "cond") {
    const name = shortName(op.name) === "if" ? (k === 0 ? "true" : "false") : `= ${k}`;
    connect("", { ...ins[0]!, group: "when", name, letter: false, type: "", value: null }, 0);
  }
  block.args.forEach((id, i) => {
    // Only the operands of a while are those of its regions; reducers and comparators get elements.
    if (kind === "while") connect(id, inner(ctx, id, ins[i], at), i);
    else pills.push({ id, port: inner(ctx, id, undefined, at), outer: -1 });
  });
  const own = new Set(freeValues([region]));
  captured.forEach((id, c) => {
    if (own.has(id)) connect(id, { ...valuePort(ctx.module, id, null, path), group: "captured" }, op.operands.length + c);
  });
  const returned = block.ops.find(isReturn);
  const predicate = kind === "while" && k === 0;
  const outs: PortInfo[] = [];
  const results = (returned?.operands ?? []).map(({ value }, i) => {
    if (!predicate && hidden.has(i)) return null;
    const role = kind === "while" && k > 0 ? (ctx.module.values[op.results[i] ?? ""]?.role ?? null) : null;
    const port = valuePort(ctx.module, value, role, at);
    outs.push(predicate ? { ...port, group: "predicate" } : port);
    return { port: outs[outs.length - 1]!, outer: outs.length - 1 };
  });
  const inside = blockLevel(ctx, block, at, `:${k}`, pills, results, literals);
  const info: CallInfo = { kind: "body", title: region.label, open: true, toggle: null, inside, loops: [], hint: "", fold: null };
  const words = { title: region.label, note: "", label: "", type: "", hint: `${region.label} of ${op.name}` };
  return { kind: "call", key: `${at}#${k}`, eqn: at, ...words, scope: [], ins: ports, feeds, outs, call: info, back: false, twin: null };
}
