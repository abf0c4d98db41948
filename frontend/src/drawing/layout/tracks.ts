/** The wires between the lanes: in which track of the channels and of the gutter each of them runs. */
import { wireRoleOf } from "../graph/ports.ts";
import type { Crossing, LevelBox } from "./box.ts";
import type { Anchor } from "./rows.ts";
import { RESIDUAL_TRACKS, SIZE } from "./sizes.ts";

/** In the channel under its source row, in that under its target row, and in the gutter (-1: straight). */
export interface Track {
  source: number;
  target: number;
  gutter: number;
  /** Many residuals of one pair of twins run in it. */
  shared: boolean;
}

const CHANNEL_PAD = 10;
/** Tracks that a shared one takes: it is thick, and its plate wants to be in the middle of it. */
const THICK = 2;

/** Space that a channel of `count` tracks adds to its gap. */
export function channelHeight(count: number): number {
  return count === 0 ? 0 : CHANNEL_PAD + count * SIZE.track;
}

/** Whether a crossing is what a forward pass keeps for its twin. */
export function isResidual({ level, parts }: LevelBox, { source, sourcePort, target, targetPort }: Omit<Crossing, "kind">): boolean {
  if (parts[target]!.lane !== 1 || !level.pairs.some(({ forward, backward }) => forward === source && backward === target)) return false;
  return wireRoleOf(level.nodes[source]!.outs[sourcePort]!, level.nodes[target]!.ins[targetPort]!, true) === "residual";
}

/** Per crossing: the twins whose residuals it is one of, where those are too many to be followed one by one; else "". */
function bundlesOf(box: LevelBox): string[] {
  const of = box.crossings.map((c) => (c.kind === "cross" && isResidual(box, c) ? `${c.source} ${c.target}` : ""));
  const count = new Map<string, number>();
  for (const key of of) count.set(key, (count.get(key) ?? 0) + 1);
  return of.map((key) => (count.get(key)! > RESIDUAL_TRACKS ? key : ""));
}

interface Tracks {
  tracks: Track[];
  /** Per lane: number of tracks under each row, counted along s. */
  channels: Int32Array[];
}

/**
 * Horizontal runs of the wires between the lanes, so ordered that they nest: the source nearest to the gutter turns first. Many residuals of
 * one pair of twins have one run.
 */
export function assignTracks(box: LevelBox, anchors: readonly Anchor[]): Tracks {
  const channels = box.lanes.map((lane) => new Int32Array(Math.max(1, lane.ranks)));
  const tracks = box.crossings.map((): Track => ({ source: -1, target: -1, gutter: -1, shared: false }));
  const shared = new Map(anchors.map(([f, b]) => [f, b]));
  const second = box.lanes[1];
  if (!second) return { tracks, channels };
  const rowOf = (c: Crossing): [number, number] => [box.parts[c.source]!.rank, second.ranks - 1 - box.parts[c.target]!.rank];
  const sourceX = (c: Crossing): number => box.parts[c.source]!.x + box.parts[c.source]!.outs[c.sourcePort]!;
  const targetX = (c: Crossing): number => box.parts[c.target]!.x + box.parts[c.target]!.ins[c.targetPort]!;
  const cross = box.crossings.map((c, i) => ({ c, i })).filter(({ c }) => c.kind === "cross");
  let gutter = 0;
  const bundle = bundlesOf(box);
  /** The first of a bundle finds the track. */
  const first = new Map<string, Track>();
  for (const { c, i } of [...cross].sort((p, q) => sourceX(q.c) - sourceX(p.c) || p.i - q.i)) {
    const [from, to] = rowOf(c);
    const known = first.get(bundle[i]!);
    const track = known?.source ?? channels[0]![from]! + (bundle[i] === "" ? 0 : (THICK - 1) / 2);
    tracks[i]!.source = track;
    if (bundle[i] !== "") {
      tracks[i]!.shared = true;
      if (known === undefined) first.set(bundle[i]!, tracks[i]!);
    }
    if (known === undefined) channels[0]![from]! += bundle[i] === "" ? 1 : THICK;
    if (shared.get(from) === to) {
      tracks[i]!.target = track;
      channels[1]![to] = Math.max(channels[1]![to]!, channels[0]![from]!);
    }
  }
  for (const { c, i } of [...cross].sort((p, q) => targetX(p.c) - targetX(q.c) || p.i - q.i)) {
    const to = rowOf(c)[1];
    if (tracks[i]!.target >= 0) continue;
    const known = first.get(bundle[i]!);
    if (known === undefined || known.target < 0) {
      tracks[i]!.target = channels[1]![to]! + (bundle[i] === "" ? 0 : (THICK - 1) / 2);
      channels[1]![to]! += bundle[i] === "" ? 1 : THICK;
      tracks[i]!.gutter = gutter++;
    } else Object.assign(tracks[i]!, { target: known.target, gutter: known.gutter });
    if (known !== undefined) Object.assign(known, { target: tracks[i]!.target, gutter: tracks[i]!.gutter });
  }
  // Both sides of an anchor keep the same height.
  for (const [f, b] of anchors) {
    const count = Math.max(channels[0]![f]!, channels[1]![b]!);
    channels[0]![f] = count;
    channels[1]![b] = count;
  }
  let back = 0;
  box.crossings.forEach((c, i) => {
    if (c.kind === "return") tracks[i] = { source: back, target: back, gutter: back++, shared: false };
  });
  return { tracks, channels };
}
