/**
 * A region of several blocks: a card for each, and an edge wherever a branch hands a value on. A block that several lead to has a port for
 * each of them; what a branch back hands on is said on the pill.
 */
import type { Block, Op, Region } from "../../../model/types.ts";
import { type CallInfo, type Feed, inputNode, type Level, type LevelNode, outputNode, type PortInfo } from "../level.ts";
import { blockLevel } from "../module.ts";
import { valuePort } from "../opports.ts";
import { type Context, freeValues, type Pill, type Seat } from "./context.ts";
import { literalOf } from "./literals.ts";
import { isReturn } from "./names.ts";

/** What one branch hands to one block. */
interface Edge {
  from: number;
  to: number;
  /** Positions among the operands of the branch. */
  operands: readonly number[];
}

export function blocksLevel(ctx: Context, region: Region, path: string, tag: string, seat: Seat): Level {
  const { blocks } = region;
  const edges = blocks.flatMap((block, from) => edgesOf(block, from, blocks));
  const nodes: LevelNode[] = [];
  const made = new Map<string, Feed>(seat.outer);
  const inputs = seat.pills.map(({ id, port, outer }, i) => {
    nodes.push(inputNode(`${path}${tag}|${id || `select${i}`}`, { ...port, used: id === "" || ctx.used.has(id) }));
    if (id !== "") made.set(id, { kind: "node", node: i, port: 0 });
    return { node: i, outer };
  });
  const cards = new Map<number, number>();
  const shared = sharedValues(blocks);
  for (const { ops } of blocks) {
    for (const op of ops) {
      const literal = literalOf(ctx, op, path, (id) => made.get(id) ?? { kind: "none" });
      if (literal !== null) made.set(op.results[0]!, literal);
    }
  }
  const into: Feed[][] = [];
  blocks.forEach((block, b) => {
    const card = cardOf(ctx, path, tag, block, b, edges, made, cards, shared);
    cards.set(b, nodes.length);
    nodes.push(card.node);
    for (const [id, port] of card.gives) made.set(id, { kind: "node", node: nodes.length - 1, port });
    const end = endOf(block);
    if (end === undefined || (end.successors ?? []).length > 0) return;
    end.operands.forEach((_, i) => {
      const feeds = into[i] ?? [];
      feeds.push({ kind: "node", node: nodes.length - 1, port: i });
      into[i] = feeds;
    });
  });
  const last = blocks
    .map(endOf)
    .filter((end) => end !== undefined && (end.successors ?? []).length === 0)
    .at(-1);
  const outputs = into.flatMap((feeds, i) => {
    const seated = seat.results[i];
    if (seated === null) return [];
    const own = valuePort(ctx.module, last?.operands[i]?.value ?? "", null, path);
    const port = seated ? { ...seated.port, name: own.name, letter: own.letter, type: own.type, value: own.value } : own;
    nodes.push({ ...outputNode(`${path}${tag}|out${i}`, port, feeds[0]!), feeds, ins: feeds.map(() => port) });
    return [{ node: nodes.length - 1, outer: seated?.outer ?? -1 }];
  });
  return { nodes, inputs, outputs, pairs: [], twoLanes: false };
}

/** What ends a block: a branch, or what hands on the results of the region. */
function endOf(block: Block): Op | undefined {
  const last = block.ops[block.ops.length - 1];
  return last !== undefined && (isReturn(last.name) || (last.successors ?? []).length > 0) ? last : undefined;
}

/** The operands of a branch are its own (a condition), then those of each block that it goes to. */
function edgesOf(block: Block, from: number, blocks: readonly Block[]): Edge[] {
  const end = endOf(block);
  if (end === undefined) return [];
  const successors = end.successors ?? [];
  const taken = successors.map((to) => blocks[to]?.args.length ?? 0);
  let next = end.operands.length - taken.reduce((sum, count) => sum + count, 0);
  return successors.map((to, i): Edge => {
    const operands = Array.from({ length: taken[i]! }, (_, k) => next + k);
    next += taken[i]!;
    return { from, to, operands };
  });
}

/** Values of one block that another reads. */
function sharedValues(blocks: readonly Block[]): Set<string> {
  return new Set(blocks.flatMap((block) => freeValues([{ label: "", blocks: [block] }])));
}

interface Card {
  node: LevelNode;
  /** Values that later blocks read, and the ports that they leave by. */
  gives: [string, number][];
}

function cardOf(
  ctx: Context,
  path: string,
  tag: string,
  block: Block,
  b: number,
  edges: readonly Edge[],
  made: ReadonlyMap<string, Feed>,
  cards: ReadonlyMap<number, number>,
  shared: ReadonlySet<string>,
): Card {
  const title = `^bb${b}`;
  const ports: PortInfo[] = [];
  const feeds: Feed[] = [];
  const pills: Pill[] = [];
  const literals = new Map<string, Feed>();
  const coming = edges.filter(({ to }) => to === b);
  const seats = new Map<string, number[]>();
  block.args.forEach((id, i) => {
    const port = valuePort(ctx.module, id, null, path);
    // The first block takes what the region takes.
    const froms = b === 0 && made.has(id) ? [made.get(id)!] : coming.flatMap((edge) => branched(edge, i, cards));
    const back = coming.filter(({ from }) => !cards.has(from)).map(({ from }) => `next from ^bb${from}`);
    seats.set(
      id,
      froms.map((feed) => {
        ports.push({ ...port, group: "argument" });
        feeds.push(feed);
        return ports.length - 1;
      }),
    );
    pills.push({ id, port: { ...port, group: "argument", notes: back }, outer: seats.get(id)![0] ?? -1 });
  });
  for (const id of freeValues([{ label: "", blocks: [block] }])) {
    const feed = made.get(id);
    if (feed === undefined) continue;
    if (feed.kind === "literal") literals.set(id, feed);
    else {
      const port = { ...valuePort(ctx.module, id, null, path), group: "captured" };
      pills.push({ id, port, outer: ports.length });
      ports.push(port);
      feeds.push(feed);
    }
  }
  const end = endOf(block);
  const goals = edges.filter(({ from }) => from === b);
  const outs = (end?.operands ?? []).map(({ value }, i): PortInfo => {
    const goal = goals.find(({ operands }) => operands.includes(i));
    const group = goal === undefined ? (goals.length > 0 ? "predicate" : "result") : `to ^bb${goal.to}`;
    return { ...valuePort(ctx.module, value, null, path), group };
  });
  const results = outs.map((port, outer) => ({ port, outer }));
  const own = [...block.args, ...block.ops.flatMap((op) => (literals.has(op.results[0] ?? "") ? [] : op.results))];
  const leaves = own
    .filter((id) => shared.has(id) && made.get(id)?.kind !== "literal")
    .map((id, i): Pill => ({ id, port: { ...valuePort(ctx.module, id, null, path), group: "shared" }, outer: outs.length + i }));
  outs.push(...leaves.map(({ port }) => port));
  const inside = blockLevel(ctx, block, path, `${tag}:b${b}`, { pills, results, outer: literals, leaves });
  const level = withSeats(inside, seats, `${path}${tag}:b${b}|`);
  const gives = leaves.map(({ id, outer }): [string, number] => [id, outer]);
  const info: CallInfo = { kind: "body", title, open: true, toggle: null, inside: level, loops: [], hint: "", fold: null };
  const words = { title, note: "", label: "", type: "", hint: `block ${b}` };
  const key = `${path}${tag}#b${b}`;
  return {
    node: { kind: "call", key, eqn: null, ...words, scope: [], ins: ports, feeds, outs, call: info, back: false, twin: null },
    gives,
  };
}

/** What a branch from above hands to an argument. */
function branched(edge: Edge, arg: number, cards: ReadonlyMap<number, number>): Feed[] {
  const card = cards.get(edge.from);
  return card === undefined ? [] : [{ kind: "node", node: card, port: edge.operands[arg] ?? 0 }];
}

/** An argument that several branches hand a value to is one pill under several ports. */
function withSeats(level: Level, seats: ReadonlyMap<string, readonly number[]>, before: string): Level {
  const nodes = level.nodes.map((node): LevelNode => {
    const ports = node.kind === "input" && node.key.startsWith(before) ? seats.get(node.key.slice(before.length)) : undefined;
    return ports === undefined || ports.length < 2 ? node : { ...node, seats: ports };
  });
  return { ...level, nodes };
}
