/**
 * Where everything stands along the flow: tops and bottoms of the rows of every level, with the two lanes of a level aligned at
 * their twins and, inside of a pair of twins, their inner twins.
 *
 * Level coordinates: s grows with the flow of the forward lane; the backward lane runs against it.
 */
import type { LevelNode } from "../graph/level.ts";
import type { Lane, LevelBox, Part } from "./box.ts";
import { groupsOf } from "./measure.ts";
import { type Anchor, naturalHeight, placeAligned, placeStack, risingAnchors, type Stack } from "./rows.ts";
import { SIZE } from "./sizes.ts";
import { assignTracks, channelHeight, type Track } from "./tracks.ts";

export interface Plan {
  height: number;
  /** Per lane and rank, in level coordinates. */
  top: Float64Array[];
  bottom: Float64Array[];
  /** Height of each node without its chip zones. */
  heights: Float64Array;
  inside: (Plan | null)[];
  tracks: readonly Track[];
  /** Per lane and rank: tracks in the channel on the far side (along s) of the row. */
  channels: Int32Array[];
}

type InnerPairs = readonly (readonly [string, string])[];

/** A level by itself, at least `height` tall. */
export function planLevel(box: LevelBox, least = 0): Plan {
  const height = Math.max(least, titleLength(box));
  const draft = draftOf(box, new Map());
  if (box.lanes.length === 1) {
    const placed = placeStack(draft.stacks[0]!, Math.max(height, naturalHeight(draft.stacks[0]!)));
    return finish(box, draft, [placed.top], placed.height);
  }
  const [forward, backward] = draft.stacks as [Stack, Stack];
  const [a, b] = placeAligned(forward, backward, draft.anchors, height, !box.framed);
  return finish(box, draft, [a.top, reversed(b.top)], a.height);
}

/** Left to right a frame is at least as long as its title. */
function titleLength({ direction, title }: LevelBox): number {
  return direction === "LR" && title !== null && title.text !== "" ? title.w + SIZE.framePad : 0;
}

/** Two levels side by side on the screen, the second upside down, with the rows of their inner twins aligned. */
function planPair(a: LevelBox, b: LevelBox, inner: InnerPairs, least: number): [Plan, Plan] {
  const height = Math.max(least, titleLength(a), titleLength(b));
  const pairs = innerAnchors(a, b, inner);
  const forced: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  for (const { forward, backward, rest } of pairs) {
    const tall = pairHeight(a.parts[forward]!, b.parts[backward]!, rest);
    forced[0].set(forward, tall);
    forced[1].set(backward, tall);
  }
  const draftA = draftOf(a, forced[0]);
  const draftB = draftOf(b, forced[1]);
  if (a.lanes.length > 1 || b.lanes.length > 1) {
    const tall = Math.max(height, planLevel(a).height, planLevel(b).height);
    return [planLevel(a, tall), planLevel(b, tall)];
  }
  const flip = flipped(draftB.stacks[0]!);
  const last = flip.heights.length - 1;
  const anchors = pairs.map(({ forward, backward }): Anchor => [a.parts[forward]!.rank, last - b.parts[backward]!.rank]);
  const [pa, pb] = placeAligned(draftA.stacks[0]!, flip, anchors, height);
  // In b's own coordinates the first row comes first again.
  const topB = pb.top.map((top, r) => pb.height - top - flip.heights[r]!).reverse();
  for (const { forward, backward, rest } of pairs) {
    const tall = Math.max(draftA.heights[forward]!, draftB.heights[backward]!);
    const [f, g] = planPair(a.parts[forward]!.inside!, b.parts[backward]!.inside!, rest, tall);
    draftA.inside[forward] = f;
    draftB.inside[backward] = g;
  }
  return [finish(a, draftA, [pa.top], pa.height), finish(b, draftB, [topB], pb.height)];
}

/** What the two open frames of a pair need in common. */
function pairHeight(a: Part, b: Part, inner: InnerPairs): number {
  if (!a.inside || !b.inside) return 0;
  return planPair(a.inside, b.inside, inner, 0)[0].height;
}

interface InnerPair {
  forward: number;
  backward: number;
  rest: InnerPairs;
}

function innerAnchors(a: LevelBox, b: LevelBox, inner: InnerPairs): InnerPair[] {
  const found = new Map<string, InnerPair & { rest: (readonly [string, string])[] }>();
  const nodeAt = (box: LevelBox, path: string): number => box.level.nodes.findIndex((node) => holds(node, path));
  for (const [f, g] of inner) {
    const forward = nodeAt(a, f);
    const backward = nodeAt(b, g);
    if (!a.parts[forward]?.inside || !b.parts[backward]?.inside) continue;
    const key = `${forward} ${backward}`;
    const pair = found.get(key) ?? { forward, backward, rest: [] };
    // The key of a group does not say what is in it.
    const { eqn } = a.level.nodes[forward]!;
    if (eqn === null) pair.rest = [...inner];
    else if (eqn !== f) pair.rest.push([f, g]);
    found.set(key, pair);
  }
  return [...found.values()];
}

/** Of several bodies of one equation the one that the path leads through. */
function holds({ key, eqn, call }: LevelNode, path: string): boolean {
  if (key === path) return true;
  if (call?.kind === "body") return path.startsWith(`${key.replace(/#\d+$/, "")}/`);
  return eqn !== null && (eqn === path || path.startsWith(`${eqn}/`));
}

interface Draft {
  stacks: Stack[];
  anchors: Anchor[];
  heights: Float64Array;
  inside: (Plan | null)[];
  tracks: Plan["tracks"];
  /** Pairs whose frames fill their row. */
  joined: { forward: number; backward: number; inner: InnerPairs }[];
  rowHeights: Float64Array[];
  channels: Int32Array[];
}

/** Row heights and gaps of a level; forced heights are those of frames that are planned together with a twin elsewhere. */
function draftOf(box: LevelBox, forced: ReadonlyMap<number, number>): Draft {
  const heights = new Float64Array(box.parts.length);
  const inside: (Plan | null)[] = box.parts.map(() => null);
  const joined: Draft["joined"] = [];
  const paired = new Set<number>();
  for (const { forward, backward, inner } of box.level.pairs) {
    const a = box.parts[forward]!;
    const b = box.parts[backward]!;
    if (a.lane === b.lane) continue;
    shareZones(a, b);
    if (!a.inside || !b.inside || paired.has(forward) || paired.has(backward)) continue;
    paired.add(forward);
    paired.add(backward);
    const tall = pairHeight(a, b, inner);
    heights[forward] = tall;
    heights[backward] = tall;
    joined.push({ forward, backward, inner });
  }
  box.parts.forEach((part, v) => {
    if (paired.has(v)) return;
    if (part.inside) {
      const plan = planLevel(part.inside, forced.get(v) ?? 0);
      inside[v] = plan;
      heights[v] = plan.height;
    } else heights[v] = part.h;
  });
  const rowHeights = box.lanes.map((lane) => new Float64Array(lane.ranks));
  box.parts.forEach((part, v) => {
    const rows = rowHeights[part.lane]!;
    rows[part.rank] = Math.max(rows[part.rank]!, part.head + heights[v]! + part.tail);
  });
  if (box.title && box.direction === "TB") {
    const row = box.up ? box.lanes[0]!.ranks - 1 : 0;
    rowHeights[0]![row] = Math.max(rowHeights[0]![row]!, box.title.h);
  }
  const anchors = anchorsOf(box);
  for (const [f, b] of anchors) {
    const i = box.lanes[1]!.ranks - 1 - b;
    const tall = Math.max(rowHeights[0]![f]!, rowHeights[1]![i]!);
    rowHeights[0]![f] = tall;
    rowHeights[1]![i] = tall;
  }
  const { tracks, channels } = assignTracks(box, anchors);
  const stacks = box.lanes.map((lane, l) => stackOf(box, lane, rowHeights[l]!, channels[l]!, rowHeights));
  return { stacks, anchors, heights, inside, tracks, joined, rowHeights, channels };
}

/** Chips above or below one frame of a pair push the other down or up as well, so that the frames themselves are level. */
function shareZones(a: Part, b: Part): void {
  const above = Math.max(a.head, b.tail);
  const below = Math.max(a.tail, b.head);
  a.head = above;
  b.tail = above;
  a.tail = below;
  b.head = below;
}

/** Row of the forward lane and visual row (counted along s) of the backward lane. */
function anchorsOf(box: LevelBox): Anchor[] {
  const second = box.lanes[1];
  if (!second) return [];
  const anchors = box.level.pairs
    .filter(({ forward, backward }) => box.parts[forward]!.lane !== box.parts[backward]!.lane)
    .map(({ forward, backward }): Anchor => [box.parts[forward]!.rank, second.ranks - 1 - box.parts[backward]!.rank]);
  return risingAnchors(anchors);
}

function stackOf(box: LevelBox, lane: Lane, rows: Float64Array, channels: Int32Array, all: readonly Float64Array[]): Stack {
  const gaps = rankGaps(box, lane);
  const pads = padsOf(box);
  const returns = box.crossings.filter((c) => c.kind === "return").length;
  let stack: Stack = { heights: [...rows], gaps, before: pads.before, after: pads.after };
  if (lane.back) stack = flipped(stack);
  const n = stack.heights.length;
  const withChannels = stack.gaps.map((gap, r) => gap + channelHeight(channels[r]!));
  let after = pads.after + (n > 0 ? channelHeight(channels[n - 1]!) : 0);
  let before = pads.before;
  if (lane.back) {
    before += channelHeight(returns);
    // The results of the body stand under both lanes.
    const forward = all[0]!;
    if (box.framed) after += forward[forward.length - 1]! + SIZE.rankGap + channelHeight(returns);
  } else if (n > 1 && returns > 0) withChannels[n - 2]! += channelHeight(returns);
  return { heights: stack.heights, gaps: withChannels, before, after };
}

function flipped(stack: Stack): Stack {
  const n = stack.heights.length;
  return {
    heights: [...stack.heights].reverse(),
    gaps: [...stack.gaps.slice(0, Math.max(0, n - 1))].reverse(),
    before: stack.after,
    after: stack.before,
  };
}

function reversed(values: Float64Array): Float64Array {
  return values.slice().reverse();
}

/** Wide moves get more height, so that wires stay steep enough to follow. */
function rankGaps(box: LevelBox, lane: Lane): number[] {
  const reach = new Float64Array(Math.max(1, lane.ranks));
  for (const edge of lane.edges) {
    const source = box.parts[edge.source]!;
    const target = box.parts[edge.target]!;
    let x = source.x + source.outs[edge.sourcePort]!;
    let r = source.rank;
    for (const bend of edge.bends) {
      reach[r] = Math.max(reach[r]!, Math.abs(bend - x));
      x = bend;
      r++;
    }
    reach[r] = Math.max(reach[r]!, Math.abs(target.x + target.ins[edge.targetPort]! - x));
  }
  return Array.from({ length: Math.max(0, lane.ranks) }, (_, r) => rankGap(reach[r]!));
}

/** From row to row, where the widest move of a wire is `reach`. */
export function rankGap(reach: number): number {
  return Math.min(SIZE.rankGapMost, SIZE.rankGap + 0.09 * Math.max(0, reach - 40));
}

export interface Pads {
  before: number;
  after: number;
  /** Caption zones between the tracks of the loop and the pills. */
  captionBefore: number;
  captionAfter: number;
}

/** The strips of a frame: edge, tracks of the loop, captions. */
export function padsOf(box: LevelBox): Pads {
  if (!box.framed) return { before: 0, after: 0, captionBefore: 0, captionAfter: 0 };
  const port = (node: LevelNode) => node.outs[0] ?? node.ins[0]!;
  // Left to right they stand between the pills.
  const captioned = (seats: readonly { node: number }[]): number =>
    box.direction === "TB" && groupsOf(seats.map((seat) => port(box.level.nodes[seat.node]!))).some((group) => group.name !== "")
      ? SIZE.caption
      : 0;
  const captionBefore = captioned(box.level.inputs);
  const captionAfter = captioned(box.level.outputs);
  const tracks = box.rail ? box.rail.tracks * SIZE.track + 4 : 0;
  return {
    before: Math.max(SIZE.frameLeast, SIZE.frameEdge + tracks + captionBefore),
    after: Math.max(SIZE.frameLeast, SIZE.frameEdge + tracks + captionAfter),
    captionBefore,
    captionAfter,
  };
}

function finish(box: LevelBox, draft: Draft, tops: Float64Array[], height: number): Plan {
  const bottoms = tops.map((top, l) => top.map((s, r) => s + draft.rowHeights[l]![r]!));
  for (const { forward, backward, inner } of draft.joined) {
    const a = box.parts[forward]!;
    const b = box.parts[backward]!;
    const fill = Math.max(draft.heights[forward]!, draft.rowHeights[0]![a.rank]! - a.head - a.tail);
    const [p, q] = planPair(a.inside!, b.inside!, inner, fill);
    draft.inside[forward] = p;
    draft.inside[backward] = q;
    draft.heights[forward] = p.height;
    draft.heights[backward] = q.height;
  }
  return {
    height,
    top: tops,
    bottom: bottoms,
    heights: draft.heights,
    inside: draft.inside,
    tracks: draft.tracks,
    channels: draft.channels.map((c, l) => (box.lanes[l]!.back ? c.slice().reverse() : c)),
  };
}
