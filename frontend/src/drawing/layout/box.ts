/**
 * One level laid out across the flow: every node measured, every open body laid out inside its node, one or two lanes. What stands
 * where along the flow is decided afterwards (plan.ts).
 */

import { type Feed, type Level, type LevelNode, outersOf } from "../graph/level.ts";
import type { Direction } from "../scene.ts";
import { shorten, textWidth } from "../text.ts";
import { layoutFlow, SPACING_DOWN } from "./engine.ts";
import { chipWidth, chipWidths, groupsOf, type Measured, measureClosed, measureOp, measurePill, sharedChip, stubStyle } from "./measure.ts";
import { rankNodes } from "./rank.ts";
import { SIZE, STRIP_MOST } from "./sizes.ts";
import { stepsOf } from "./steps.ts";
import { cutFarEdges, localIndex, type Ranked, splitFeeds, untagged } from "./stubs.ts";
import type { FlowEdge, FlowGraph, FlowLayout } from "./types.ts";

export interface Part extends Measured {
  lead: number;
  /** Left edge within the level. */
  x: number;
  lane: 0 | 1;
  rank: number;
  inside: LevelBox | null;
  feeds: Feed[];
  /** Per result: the text of the tag that marks it as the source of stubs, or "". */
  tags: string[];
}

export interface LaneEdge {
  source: number;
  sourcePort: number;
  target: number;
  targetPort: number;
  /** x at each rank between, in the level's coordinates. */
  bends: readonly number[];
}

export interface Lane {
  back: boolean;
  x: number;
  width: number;
  ranks: number;
  edges: LaneEdge[];
  flow: FlowLayout;
}

/** A wire between the lanes: `cross` from forward to backward, `return` from the backward lane to a result of the body. */
export interface Crossing {
  kind: "cross" | "return";
  source: number;
  sourcePort: number;
  target: number;
  targetPort: number;
}

export interface Rail {
  side: "left" | "right";
  /** Width of the flank, and how many tracks run in it. */
  width: number;
  tracks: number;
}

export interface LevelBox {
  level: Level;
  direction: Direction;
  up: boolean;
  framed: boolean;
  width: number;
  parts: Part[];
  lanes: Lane[];
  crossings: Crossing[];
  /** Title of the frame, set in the row that is on top on the screen; left to right in a band of its own, above everything. */
  title: FrameTitle | null;
  rail: Rail | null;
  /** x of the return tracks in the right flank. */
  returns: number[];
  /** x of the tracks between the lanes. */
  gutter: { x: number; w: number };
}

/** With the lines under it; `h` is the height of both. */
export interface FrameTitle {
  text: string;
  notes: readonly string[];
  x: number;
  w: number;
  h: number;
}

/** Of the enclosing equation: its title, the loops it draws, and the chips on its ports. */
export interface Enclosing {
  node: LevelNode;
  feeds: readonly Feed[];
}

/** A carry over more tracks than this shares one thick rail. */
export const RAIL_TRACKS = 3;

export function layoutLevel(level: Level, up: boolean, enclosing: Enclosing | null, direction: Direction = "TB"): LevelBox {
  const framed = enclosing !== null;
  const two = level.twoLanes;
  const lane = level.nodes.map((node): 0 | 1 => (two && node.back && !(framed && node.kind === "output") ? 1 : 0));
  const { feeds, crossings, edges, tags } = splitFeeds(level, lane);
  const lanes: (0 | 1)[] = two ? [0, 1] : [0];
  const members = lanes.map((l) => level.nodes.map((_, v) => v).filter((v) => lane[v] === l));
  const steps = two ? stepsOf(level.nodes.length, level.pairs, edges[0]!, edges[1]!) : null;
  const ranks = members.map((list, l) => {
    const rows = up ? [...(level.rows ?? [])].reverse() : (level.rows ?? []);
    const together = steps === null ? rows : l === 0 ? steps.forward : steps.backward;
    return rankLane(level, list, edges[l]!, framed, together);
  });
  cutFarEdges(level, feeds, edges, members, ranks, tags);
  const seats = seatsOf(level);
  const parts = level.nodes.map((node, v) =>
    measurePart(direction, node, seats[v], up !== (lane[v] === 1), feeds[v]!, tags[v]!, enclosing, lane[v]!),
  );
  levelStrips(level, parts, framed || direction === "LR");

  const title = enclosing ? titleOf(enclosing.node) : null;
  const rail = enclosing ? railFor(level, enclosing.node) : null;
  // Between frames of one height the wires run below both; only the others turn in the gutter.
  const paired = new Set(level.pairs.map(({ forward, backward }) => `${forward} ${backward}`));
  const turning = crossings.filter(({ kind, source, target }) => kind === "cross" && !paired.has(`${source} ${target}`)).length;
  const band = bandOf(direction, title);
  const left = framed ? SIZE.framePad + band + (rail?.side === "left" ? rail.width : 0) : 0;
  let x = left;
  let titleX = left;
  const placed = lanes.map((l): Lane => {
    const withTitle = l === 0 && title && direction === "TB" ? title : null;
    const { flow, offset } = runEngine(direction, level, members[l]!, edges[l]!, ranks[l]!, parts, withTitle?.w ?? 0, up, framed);
    if (withTitle) titleX = x;
    const laneX = x;
    members[l]!.forEach((v, i) => {
      parts[v]!.x = laneX + flow.x[i + offset]! + parts[v]!.lead;
      parts[v]!.rank = flow.rank[i + offset]!;
    });
    const laneEdges = edges[l]!.map(({ source, sourcePort, target, targetPort }, e): LaneEdge => {
      const own = flow.bends[e]!;
      const bends = own.length === 0 || laneX === 0 ? own : own.map((bend) => bend + laneX);
      return { source, sourcePort, target, targetPort, bends };
    });
    x += flow.width + (l === 0 && two ? SIZE.gutter + SIZE.track * turning : 0);
    return { back: l === 1, x: laneX, width: flow.width, ranks: flow.ranks, edges: laneEdges, flow };
  });
  const first = placed[0]!;
  const gutter = { x: first.x + first.width, w: two ? SIZE.gutter + SIZE.track * turning : 0 };
  const returning = crossings.filter((crossing) => crossing.kind === "return");
  const returns = returning.map((_, i) => x + SIZE.framePad + i * SIZE.track);
  if (returning.length > 0) x += SIZE.framePad + returning.length * SIZE.track;
  const width = x + (framed ? SIZE.framePad + (rail?.side === "right" ? rail.width : 0) : 0);
  return {
    level,
    direction,
    up,
    framed,
    width,
    parts,
    lanes: placed,
    crossings,
    title: title ? { ...title, x: titleX } : null,
    rail,
    returns,
    gutter,
  };
}

/** The band of the title in a picture that flows to the right. */
export function bandOf(direction: Direction, title: FrameTitle | null): number {
  return direction === "LR" && title !== null && title.text !== "" ? title.h : 0;
}

/** Pills of one strip stand level, also when a literal sits on one of them; `equal` ones are equally long. */
function levelStrips(level: Level, parts: readonly Part[], equal: boolean): void {
  const outputs = level.outputs.map(({ node }) => parts[node]!);
  const head = Math.max(0, ...outputs.map((part) => part.head));
  for (const part of outputs) part.head = head;
  if (!equal) return;
  for (const strip of [level.inputs.map(({ node }) => parts[node]!), outputs]) {
    const tall = Math.max(0, ...strip.map((part) => part.h));
    for (const part of strip) part.h = tall;
  }
}

function titleOf(node: LevelNode): FrameTitle {
  const text = node.call?.title ?? "";
  const notes = text === "" ? [] : (node.call?.notes ?? []).map((line) => shorten(line, "note", SIZE.noteMost));
  const fold = node.call?.toggle ? SIZE.fold : 0;
  const wide = Math.max(textWidth(text, "title"), ...notes.map((line) => textWidth(line, "note")));
  return { text, notes, x: 0, w: text === "" ? 0 : fold + wide + SIZE.titleGap, h: SIZE.pillShort + notes.length * SIZE.pillLine };
}

/** The flank on which the loop crosses fewer of the other wires. */
function railFor(level: Level, node: LevelNode): Rail | null {
  const loops = node.call?.loops ?? [];
  if (loops.length === 0) return null;
  const ins = loops.map(([, input]) => input);
  const outs = loops.map(([output]) => output);
  // The condition stands left and leads the loop there.
  if (node.call?.kind === "while" && loops.length > 0) return railOf("left", loops.length);
  const leftCost = Math.min(...ins) + Math.min(...outs);
  const rightCost = level.inputs.length - 1 - Math.max(...ins) + (level.outputs.length - 1 - Math.max(...outs));
  return railOf(leftCost <= rightCost ? "left" : "right", loops.length);
}

function railOf(side: Rail["side"], loops: number): Rail {
  const tracks = loops > RAIL_TRACKS ? 1 : loops;
  return { side, tracks, width: SIZE.railLabel + SIZE.track * tracks };
}

function rankLane(
  level: Level,
  members: readonly number[],
  edges: readonly FlowEdge[],
  framed: boolean,
  steps: readonly (readonly number[])[],
): Ranked {
  const local = localIndex(level.nodes.length, members, 0);
  const nodes = members.map((v) => {
    const node = level.nodes[v]!;
    return unplaced(node.outs.length, pinOf(level, node, framed), node.call !== null);
  });
  const together = steps.map((step) => step.map((v) => local[v]!));
  return rankNodes({ nodes, edges: localEdges(edges, local) }, together);
}

const NOWHERE: readonly number[] = [];
const UNPLACED = new Map<string, FlowGraph["nodes"][number]>();

/** A node before it is measured: there are few kinds of them, however many nodes. */
function unplaced(outs: number, pin: "first" | "last" | null, body: boolean): FlowGraph["nodes"][number] {
  const key = `${outs}${pin ?? ""}${body ? "b" : ""}`;
  let known = UNPLACED.get(key);
  if (known === undefined) {
    known = { w: 0, ins: NOWHERE, outs: zeros(outs), pin, body };
    UNPLACED.set(key, known);
  }
  return known;
}

const ZEROS: (readonly number[])[] = [];

/** Ranks go by how many there are, not by where they stand. */
function zeros(count: number): readonly number[] {
  ZEROS[count] ??= new Array<number>(count).fill(0);
  return ZEROS[count];
}

/** Arguments and results of a body stand in strips; so do those of the program while there are few, else each is near its use. */
function pinOf(level: Level, node: LevelNode, framed: boolean): "first" | "last" | null {
  if (node.kind === "input") return framed || level.inputs.length <= STRIP_MOST ? "first" : null;
  if (node.kind === "output") return framed || level.outputs.length <= STRIP_MOST ? "last" : null;
  return null;
}

function localEdges(edges: readonly FlowEdge[], local: Int32Array): readonly FlowEdge[] {
  // One lane and no title: every node has its own number.
  if (local.every((at, v) => at === v)) return edges;
  return edges.map(({ source, sourcePort, target, targetPort }) => ({
    source: local[source]!,
    sourcePort,
    target: local[target]!,
    targetPort,
  }));
}

interface Seat {
  outer: number;
  /** First of its group in the strip. */
  first: boolean;
}

/** Per node: where a pill sits in its strip. */
function seatsOf(level: Level): (Seat | undefined)[] {
  const seats: (Seat | undefined)[] = new Array(level.nodes.length).fill(undefined);
  for (const strip of [level.inputs, level.outputs]) {
    const groups = groupsOf(strip.map(({ node }) => level.nodes[node]!.outs[0] ?? level.nodes[node]!.ins[0]!));
    const firsts = new Set(groups.map((group) => group.from));
    strip.forEach(({ node, outer }, i) => {
      seats[node] = { outer, first: firsts.has(i) };
    });
  }
  return seats;
}

function measurePart(
  direction: Direction,
  node: LevelNode,
  seat: Seat | undefined,
  up: boolean,
  feeds: Feed[],
  tags: string[],
  enclosing: Enclosing | null,
  lane: 0 | 1,
): Part {
  const tagWidths =
    tags === untagged(tags.length)
      ? zeros(tags.length)
      : tags.map((text, i) => (text === "" ? 0 : chipWidth(text, stubStyle(node.outs[i]?.letter ?? false))));
  if (node.kind === "input" || node.kind === "output") {
    const outers = node.seats ?? (seat && seat.outer >= 0 ? [seat.outer] : []);
    const chip = node.kind === "input" && enclosing ? sharedChip(outers.flatMap((outer) => enclosing.feeds[outer] ?? [])) : null;
    return partOf(
      measurePill(direction, node, feeds, chip ? chipAcross(direction, chip) : 0, enclosing !== null && (seat?.first ?? false)),
      null,
      lane,
      feeds,
      tags,
    );
  }
  const inner = node.call?.open ? node.call.inside : null;
  if (!inner) {
    const measured = (node.kind === "call" ? measureClosed : measureOp)(direction, node, feeds, tagWidths);
    return partOf(measured, null, lane, feeds, tags);
  }
  const inside = layoutLevel(inner, up, { node, feeds }, direction);
  const around = measureOp(direction, node, feeds, tagWidths);
  const portX = (seats: Level["inputs"], count: number): number[] => {
    const at = Array.from({ length: count }, (_, i) => (inside.width * (i + 1)) / (count + 1));
    for (const seat of seats) {
      const pill = inside.parts[seat.node]!;
      for (const outer of outersOf(inner, seat)) at[outer] = pill.x + pill.w / 2;
    }
    return at;
  };
  const ins = portX(inner.inputs, node.ins.length);
  const outs = portX(inner.outputs, node.outs.length);
  return partOf({ w: inside.width, h: 0, ins, outs, head: around.head, tail: around.tail }, inside, lane, feeds, tags);
}

function chipAcross(direction: Direction, chip: Feed): number {
  return direction === "TB" ? chipWidths([chip])[0]! : SIZE.chip;
}

/** Spelt out: this runs for every equation, and spreading costs ten times as much. */
function partOf(
  { w, h, ins, outs, head, tail, lead = 0 }: Measured,
  inside: LevelBox | null,
  lane: 0 | 1,
  feeds: Feed[],
  tags: string[],
): Part {
  return { w, h, ins, outs, head, tail, lead, x: 0, lane, rank: 0, inside, feeds, tags };
}

/** Nothing pulls the title, node 0, anywhere: it stands where the rest begins, as far as its row leaves room for it. */
function titleNear(flow: FlowLayout, width: number): FlowLayout {
  let least = Number.POSITIVE_INFINITY;
  let room = Number.POSITIVE_INFINITY;
  for (let v = 1; v < flow.x.length; v++) {
    least = Math.min(least, flow.x[v]!);
    if (flow.rank[v] === flow.rank[0]) room = Math.min(room, flow.x[v]!);
  }
  for (const bends of flow.bends) for (const bend of bends) least = Math.min(least, bend);
  if (!Number.isFinite(least)) return flow;
  const title = Math.min(room - width, least);
  const shift = Math.min(title, least);
  const x = flow.x.map((at) => at - shift);
  x[0] = title - shift;
  return { ...flow, x, width: Math.max(flow.width - shift, x[0] + width), bends: flow.bends.map((bends) => bends.map((at) => at - shift)) };
}

/** The title is a node without wires at the left end of its row, so that no port can come under it. */
function runEngine(
  direction: Direction,
  level: Level,
  members: readonly number[],
  edges: readonly FlowEdge[],
  { rank, ranks }: Ranked,
  parts: readonly Part[],
  titleWidth: number,
  up: boolean,
  framed: boolean,
): { flow: FlowLayout; offset: number } {
  const offset = titleWidth > 0 ? 1 : 0;
  const local = localIndex(level.nodes.length, members, offset);
  const nodes: FlowGraph["nodes"][number][] = members.map((v) => {
    const part = parts[v]!;
    const { lead } = part;
    const ports = (at: readonly number[]): readonly number[] => (lead === 0 ? at : at.map((x) => x + lead));
    return { w: lead + part.w, ins: ports(part.ins), outs: ports(part.outs), pin: pinOf(level, level.nodes[v]!, framed) };
  });
  const hasFirst = nodes.some((node) => node.pin === "first");
  const hasLast = nodes.some((node) => node.pin === "last");
  let count = ranks;
  let shifted = rank;
  if (offset > 0) {
    const lift = !up && !hasFirst ? 1 : 0;
    if (lift || (up && !hasLast)) count++;
    shifted = new Int32Array(rank.length + 1);
    shifted[0] = up ? count - 1 : 0;
    rank.forEach((r, i) => {
      shifted[i + 1] = r + lift;
    });
    nodes.unshift({ w: titleWidth, ins: [], outs: [], pin: up ? "last" : "first" });
  }
  const graph = { nodes, edges: localEdges(edges, local), inOrder: level.inOrder === true };
  const flow = layoutFlow(graph, shifted, count, direction === "LR" ? SPACING_DOWN : undefined);
  return { flow: offset > 0 ? titleNear(flow, titleWidth) : flow, offset };
}
