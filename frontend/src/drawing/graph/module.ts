/**
 * A lowered module as levels, in the grammar of jaxprs: a call holds its callee, a while is a loop with two cards, a case has a card
 * for each branch, constants are literals in their consumers. What a region reads from outside becomes an operand of its op.
 */
import type { Block, Function as Func, Module, Op, Region } from "../../model/types.ts";
import type { Grouping } from "../scene.ts";
import { textWidth } from "../text.ts";
import { bundleBinders, nameLeaves } from "./binders.ts";
import { foldLevel } from "./fold/index.ts";
import { counted, entry } from "./fold/items.ts";
import { childPath } from "./folds.ts";
import { type CallInfo, type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "./level.ts";
import { type Closed, Levels } from "./opened.ts";
import { isFoldable } from "./opfolds.ts";
import { opHint, valuePort } from "./opports.ts";
import { blocksLevel } from "./ops/blocks.ts";
import { type Context, contextOf, freeValues, insideOf, mainFunction, type Pill, rootsOf, type Seat } from "./ops/context.ts";
import { binder, callOf } from "./ops/inside.ts";
import { literalOf } from "./ops/literals.ts";
import { handsOn, isReturn, keyOf, shortName } from "./ops/names.ts";
import { opNote, shardings, titleOf } from "./ops/notes.ts";
import { wordsOf } from "./ops/words.ts";
import type { OpPlaces } from "./written.ts";

const NO_SEAT: Pick<Seat, "results" | "outer"> = { results: [], outer: new Map() };

/** The main function; of a module with several that nothing calls, each in a frame. */
export function moduleLevel(module: Module, open: ReadonlySet<string>, by?: Grouping, places?: OpPlaces): Level {
  const ctx = contextOf(module, open, by, places);
  const roots = rootsOf(module);
  if (roots.length > 1) {
    const nodes = roots.map((func) => functionNode(ctx, func));
    return shelved(foldLevel({ nodes, inputs: [], outputs: [], pairs: [], twoLanes: false }, "", { open, by, unit: "function" }));
  }
  const region = roots[0]?.region ?? { label: "", blocks: [{ args: [], ops: module.ops }] };
  return nameLeaves(regionLevel(ctx, region, "", "", { pills: pillsOf(ctx, region, ""), ...NO_SEAT }));
}

const COLUMNS = 6;
/** About how much room the box of a closed function takes beside its title, and from one row to the next. */
const BESIDE = 60;
const ROW = 62;

/** Functions that have nothing to do with one another stand in rows, as words do in a text: together about as wide as high. */
function shelved(level: Level): Level {
  const columns = Math.min(COLUMNS, Math.ceil(Math.sqrt(level.nodes.length)));
  const widths = level.nodes.map(({ title, call }) => (call?.open ? 0 : textWidth(title, "title") + BESIDE));
  const wide = Math.max(...widths, Math.sqrt(ROW * widths.reduce((sum, width) => sum + width, 0)));
  const rows: number[][] = [[]];
  let left = wide;
  widths.forEach((width, v) => {
    const row = rows.at(-1)!;
    if (row.length > 0 && (row.length === columns || width > left)) {
      rows.push([v]);
      left = wide - width;
    } else {
      row.push(v);
      left -= width;
    }
  });
  const nodes = level.nodes.map((node): LevelNode => {
    const inside = node.call?.fold && node.call.inside ? shelved(node.call.inside) : null;
    return inside && node.call ? { ...node, call: { ...node.call, inside } } : node;
  });
  return { ...level, nodes, rows, inOrder: true };
}

function pillsOf({ module }: Context, region: Region, path: string): Pill[] {
  return (region.blocks[0]?.args ?? []).map((id): Pill => ({ id, port: valuePort(module, id, null, path), outer: -1 }));
}

/** A function that nothing calls, with what it takes and gives. */
export function functionLevel(ctx: Context, { id, region }: Func): Level {
  return regionLevel(ctx, region, id, "", { pills: pillsOf(ctx, region, id), ...NO_SEAT });
}

function functionNode(ctx: Context, func: Func): LevelNode {
  const { id, name, region, args } = func;
  const open = ctx.open.has(id);
  const inside = open ? functionLevel(ctx, func) : null;
  const ops = region.blocks.reduce((sum, block) => sum + block.ops.filter((op) => !isReturn(op.name)).length, 0);
  const hint = `${counted(ops)} op${ops === 1 ? "" : "s"} inside`;
  const title = `@${name}`;
  const call: CallInfo = { kind: "call", title, open, toggle: id, inside, loops: [], hint, fold: null };
  const words = { title, note: "", label: "", type: "", hint: `function of ${args.length} argument${args.length === 1 ? "" : "s"}` };
  return { kind: "call", key: id, eqn: id, ...words, scope: [], ins: [], feeds: [], outs: [], call, back: false, twin: null };
}

/** The inside of an equation that calls a module as it is (`call_exported`): `at` is its path, `ins` and `outs` are its ports. */
export function embeddedLevel(
  module: Module,
  open: ReadonlySet<string>,
  at: string,
  ins: readonly PortInfo[],
  outs: readonly PortInfo[],
): Level | null {
  const region = mainFunction(module)?.region;
  const block = region?.blocks[0];
  if (!region || !block) return null;
  const ctx = contextOf(module, open);
  // A module of symbolic shapes takes their sizes before the operands.
  const first = block.args.length - ins.length;
  const pills = block.args.map((id, i): Pill => ({ id, port: binder(ctx, id, ins[i - first], at), outer: i < first ? -1 : i - first }));
  return regionLevel(ctx, region, at, "", { pills, results: outs.map((port, outer) => ({ port, outer })), outer: new Map() });
}

/** `tag` tells the regions of one op apart. */
export function regionLevel(ctx: Context, region: Region, path: string, tag: string, seat: Seat): Level {
  const [block] = region.blocks;
  if (block === undefined) return { nodes: [], inputs: [], outputs: [], pairs: [], twoLanes: false };
  return region.blocks.length > 1 ? blocksLevel(ctx, region, path, tag, seat) : blockLevel(ctx, block, path, tag, seat);
}

/** Blocks of fewer ops are made anew in no time. */
const REMEMBERED = 32;
const levels = new WeakMap<Block, Levels<Context>>();

export function blockLevel(ctx: Context, block: Block, path: string, tag: string, seat: Seat): Level {
  const make = (closed: Context): Closed<Context> => flatLevel(closed, block, path, tag, seat);
  const flat =
    block.ops.length < REMEMBERED
      ? make(ctx).level
      : entry(levels, block, () => new Levels<Context>()).level(ctx, path, tag, [ctx.places, told(seat)], make);
  return foldLevel(flat, `${path}${tag}`, { open: ctx.open, by: ctx.by, unit: "op" });
}

/** How a block is seated, in words that can be compared. */
function told({ pills, results, outer, leaves }: Seat): string {
  return JSON.stringify([pills, results, [...outer], leaves]);
}

function flatLevel(ctx: Context, block: Block, path: string, tag: string, { pills, results, outer, leaves = [] }: Seat): Closed<Context> {
  const calls = new Map<string, (ctx: Context) => CallInfo>();
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
    if (isReturn(op.name) || (op.successors ?? []).length > 0) {
      returned = op;
      continue;
    }
    if (handsOn(op)) {
      op.results.forEach((id, i) => {
        feeds.set(id, feedOf(op.operands[i]!.value));
      });
      continue;
    }
    const literal = literalOf(ctx, op, path, feedOf);
    if (literal) {
      feeds.set(op.results[0]!, literal);
      continue;
    }
    const { node, call } = standing(ctx, op, path, feedOf);
    if (call !== null) calls.set(node.key, call);
    nodes.push(node);
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
    const same = feed.kind === "node" && feed.node === i && port.group !== "" && /^:\d+$/.test(tag);
    const through: Feed = same
      ? { kind: "stub", node: i, port: 0, text: nodes[i]!.title, letter: nodes[i]!.outs[0]!.letter, hint: "unchanged" }
      : feed;
    nodes.push(outputNode(`${path}${tag}|out${i}`, port, through));
    return [{ node: nodes.length - 1, outer: seated?.outer ?? -1 }];
  });
  for (const { id, port, outer: seat } of leaves) {
    nodes.push(outputNode(`${path}${tag}|leaves${id}`, port, feedOf(id)));
    outputs.push({ node: nodes.length - 1, outer: seat });
  }
  const seated = path !== "" || tag !== "";
  const body = seated ? bundleBinders({ nodes, inputs, outputs }, `${path}${tag}`, ctx.open) : { nodes, inputs, outputs };
  return { level: { ...body, pairs: [], twoLanes: false }, calls };
}

export function opNode(ctx: Context, op: Op, path: string, feedOf: (id: string) => Feed): LevelNode {
  return standing(ctx, op, path, feedOf).node;
}

/** An op as a node, and what it holds where other bodies are open; null where it holds nothing. */
function standing(
  ctx: Context,
  op: Op,
  path: string,
  feedOf: (id: string) => Feed,
): { node: LevelNode; call: ((ctx: Context) => CallInfo) | null } {
  const at = childPath(path, op.id);
  const words = wordsOf(op, ctx.functions);
  const foldable = isFoldable(op, ctx.functions);
  const specs =
    keyOf(op.name) === "manual_computation" ? [shardings(op.attributes.in_shardings), shardings(op.attributes.out_shardings)] : [];
  const ins = op.operands.map(({ value, role }, i) => noted(valuePort(ctx.module, value, role, path), specs[0]?.[i]));
  const feeds = op.operands.map(({ value }) => feedOf(value));
  const literals = new Map<string, Feed>();
  const captured: string[] = [];
  for (const id of foldable && insideOf(op, ctx.functions) === op.regions ? freeValues(op.regions) : []) {
    const feed = feedOf(id);
    if (feed.kind === "literal") literals.set(id, feed);
    else if (feed.kind !== "none") captured.push(id);
  }
  for (const id of captured) {
    ins.push({ ...valuePort(ctx.module, id, null, path), group: "captured" });
    feeds.push(feedOf(id));
  }
  const outs = op.results.map((id, i) => {
    const port = valuePort(ctx.module, id, ctx.module.values[id]?.role ?? null, path);
    return noted({ ...port, used: ctx.used.has(id) }, specs[1]?.[i]);
  });
  const makeCall = foldable ? (open: Context) => callOf(open, { op, path, at, ins, outs, captured, literals }) : null;
  const call = makeCall?.(ctx) ?? null;
  const types = outs.map((port) => port.type);
  const place = ctx.places?.get(op.id);
  const node: LevelNode = {
    kind: call ? "call" : "op",
    key: at,
    eqn: at,
    title: call ? call.title : titleOf(op) || shortName(op.name),
    note: call ? "" : opNote(op, words),
    label: op.results.length === 1 ? (ctx.module.values[op.results[0]!]?.label ?? "") : "",
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
  return { node, call: makeCall };
}

function noted(port: PortInfo, note: string | undefined): PortInfo {
  return note === undefined ? port : { ...port, notes: [note] };
}
