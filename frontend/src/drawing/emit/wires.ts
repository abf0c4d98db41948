/** Wires of one level: within the lanes, between them, and back to the results of the body. */

import { type Bundle, emitBundles } from "../furniture/bundles.ts";
import { spoken, wireRoleOf } from "../graph/ports.ts";
import type { LaneEdge, LevelBox } from "../layout/box.ts";
import type { Plan } from "../layout/plan.ts";
import { SIZE } from "../layout/sizes.ts";
import { channelHeight, isResidual } from "../layout/tracks.ts";
import type { Wire } from "../scene.ts";
import { inY, outY, type Place } from "./nodes.ts";
import { Path } from "./path.ts";
import { along, portKey, type Sink, type View } from "./sink.ts";

const CORNER = 7;
/** From a row to the first track of its channel. */
const TRACK_START = 7;
/** From the lowest track to a pill that the wire enters from it. */
const ARROW_ROOM = 13;

export function emitWires(sink: Sink, box: LevelBox, plan: Plan, places: readonly Place[], view: View): void {
  box.lanes.forEach((lane, l) => {
    const top = plan.top[l]!;
    const bottom = plan.bottom[l]!;
    const channel = plan.channels[l]!;
    const shared = sharedBends(box, lane.edges);
    for (const [e, edge] of lane.edges.entries()) {
      let trunk: string | null = null;
      const { path, source } = start(sink, box, places, edge.source, edge.sourcePort);
      const target = box.parts[edge.target]!;
      let r = box.parts[edge.source]!.rank;
      const goal = [...edge.bends, places[edge.target]!.box.x - view.x + target.ins[edge.targetPort]!];
      for (const x of goal) {
        // The channel lies behind a row in the direction of s: after it on the way down, before it on the way up.
        const leave = lane.back ? top[r]! : bottom[r]! + channelHeight(channel[r]!);
        const arrive = lane.back ? bottom[r + 1]! + channelHeight(channel[r + 1]!) : top[r + 1]!;
        path.vertical(along(view, leave)).sway(view.x + x, along(view, arrive));
        r++;
        if (r < target.rank) path.vertical(along(view, lane.back ? top[r]! : bottom[r]!));
        if (r - box.parts[edge.source]!.rank === shared[e]) trunk = path.d;
      }
      path.vertical(inY(places[edge.target]!));
      add(sink, box, "flow", source, edge, path, trunk);
    }
  });
  const bundles = new Map<string, Cabled>();
  box.crossings.forEach((crossing, i) => {
    const track = plan.tracks[i]!;
    const { path, source } = start(sink, box, places, crossing.source, crossing.sourcePort);
    const place = places[crossing.target]!;
    const tx = place.box.x + box.parts[crossing.target]!.ins[crossing.targetPort]!;
    const sx = path.startX;
    const from = box.parts[crossing.source]!;
    const to = box.parts[crossing.target]!;
    const at = (lane: 0 | 1, rank: number, t: number): number => along(view, plan.bottom[lane]![rank]! + TRACK_START + t * SIZE.track);
    let run: Run | null = null;
    if (crossing.kind === "cross") {
      const level = Math.abs(at(0, from.rank, track.source) - at(1, to.rank, track.target)) < SIZE.track / 2;
      const y2 = at(1, to.rank, track.target);
      const y1 = level ? y2 : at(0, from.rank, track.source);
      run = { from: sx, to: tx, at: y1 };
      if (track.gutter < 0 || level) path.corners(CORNER, sx, y1, tx, y1, tx, inY(place));
      else {
        const gx = gutterX(view, box, track.gutter);
        run.to = gx;
        path.corners(CORNER, sx, y1, gx, y1, gx, y2, tx, y2, tx, inY(place));
      }
    } else {
      const gx = view.x + box.returns[track.gutter]!;
      const y1 = along(view, plan.top[1]![from.rank]! - TRACK_START - track.source * SIZE.track);
      const y2 = along(view, plan.top[0]![to.rank]! - ARROW_ROOM - track.target * SIZE.track);
      path.corners(CORNER, sx, y1, gx, y1, gx, y2, tx, y2, tx, inY(place));
    }
    const wire = add(sink, box, "cross", source, crossing, path);
    if (run === null) return;
    const bundle = note(bundles, box, crossing, run, wire);
    if (bundle === null || !track.shared) return;
    bundle.thick = true;
    const straight = run.to === tx;
    const leaves = straight ? run.at : at(1, to.rank, track.target);
    bundle.cable ??= { from: sx, to: tx, at: run.at, leaves, gutter: straight ? -1 : track.gutter };
    bundle.cable.from = Math.min(bundle.cable.from, sx);
    bundle.cable.to = Math.max(bundle.cable.to, tx);
  });
  for (const { cable, wires } of bundles.values()) if (cable !== null) share(wires, cableOf(sink, view, box, cable));
  emitBundles(sink, box, places, view, [...bundles.values()]);
}

/** What the residuals between two twins share, from the first that comes to the last that leaves. */
function cableOf(sink: Sink, view: View, box: LevelBox, { from, to, at, leaves, gutter }: Cable): string {
  const path = new Path(sink.direction, from, at);
  if (gutter < 0) return path.corners(CORNER, to, at).d;
  const across = gutterX(view, box, gutter);
  return path.corners(CORNER, across, at, across, leaves, to, leaves).d;
}

function gutterX(view: View, { gutter }: LevelBox, track: number): number {
  return view.x + gutter.x + SIZE.gutter / 2 + track * SIZE.track;
}

/** Where a wire between the lanes goes across the flow. */
interface Run {
  from: number;
  to: number;
  at: number;
}

/** Where a track goes that many wires share. */
interface Cable extends Run {
  leaves: number;
  gutter: number;
}

type Cabled = Bundle & { cable: Cable | null };

function note(bundles: Map<string, Cabled>, box: LevelBox, ends: Ends, run: Run, wire: Wire): Cabled | null {
  const { source, target } = ends;
  if (!isResidual(box, ends)) return null;
  const key = `${source} ${target}`;
  const { from, to } = run;
  const bundle = bundles.get(key) ?? {
    forward: source,
    backward: target,
    ports: [],
    runs: [],
    from,
    to,
    wires: [],
    thick: false,
    cable: null,
  };
  bundles.set(key, bundle);
  // One result may be read twice; it is kept once.
  if (!bundle.ports.includes(ends.sourcePort)) bundle.ports.push(ends.sourcePort);
  bundle.runs.push(run.at);
  bundle.from = Math.max(bundle.from, run.from);
  bundle.to = Math.min(bundle.to, run.to);
  bundle.wires.push(wire);
  return bundle;
}

/** Per edge: how many bends it shares with wires of the same value but of another role. */
function sharedBends(box: LevelBox, edges: readonly LaneEdge[]): number[] {
  const groups = new Map<string, number[]>();
  edges.forEach((edge, e) => {
    if (edge.bends.length === 0) return;
    const key = `${edge.source} ${edge.sourcePort}`;
    const group = groups.get(key);
    if (group) group.push(e);
    else groups.set(key, [e]);
  });
  const shared = new Array<number>(edges.length).fill(0);
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const roles = group.map((e) => roleOf(box, edges[e]!, false));
    if (roles.every((role) => role === roles[0])) continue;
    group.forEach((e, i) => {
      group.forEach((f, j) => {
        if (roles[i] === roles[j]) return;
        let k = 0;
        while (k < edges[e]!.bends.length && edges[e]!.bends[k] === edges[f]!.bends[k]) k++;
        shared[e] = Math.max(shared[e]!, k);
      });
    });
  }
  return shared;
}

function start(sink: Sink, box: LevelBox, places: readonly Place[], node: number, port: number): { path: Path; source: string } {
  const place = places[node]!;
  const x = place.box.x + box.parts[node]!.outs[port]!;
  return { path: new Path(sink.direction, x, outY(place)), source: portKey(box.level.nodes[node]!.key, "out", port) };
}

interface Ends {
  source: number;
  sourcePort: number;
  target: number;
  targetPort: number;
}

function roleOf(box: LevelBox, ends: Ends, crossing: boolean): Wire["role"] {
  const source = box.level.nodes[ends.source]!.outs[ends.sourcePort]!;
  return wireRoleOf(source, box.level.nodes[ends.target]!.ins[ends.targetPort]!, crossing);
}

function add(sink: Sink, box: LevelBox, kind: Wire["kind"], from: string, ends: Ends, path: Path, trunk: string | null = null): Wire {
  const source = box.level.nodes[ends.source]!.outs[ends.sourcePort]!;
  const target = box.level.nodes[ends.target]!;
  const port = target.ins[ends.targetPort]!;
  const role = roleOf(box, ends, kind === "cross" && box.parts[ends.target]!.lane === 1);
  const hint = `${spoken(source.name, source.letter)} ${source.type}`;
  return pushWire(
    sink,
    role,
    port.group === "index" || port.group === "when" ? "select" : role === "plain" && source.ref ? "effect" : kind,
    from,
    portKey(target.key, "in", ends.targetPort),
    source.value,
    hint,
    path,
    trunk,
  );
}

export function pushWire(
  sink: Sink,
  role: Wire["role"],
  kind: Wire["kind"],
  from: string,
  to: string,
  value: string | null,
  hint: string,
  path: Path,
  trunk: string | null = null,
): Wire {
  const { d, points } = path;
  const wire: Wire = {
    key: `${from}~${to}`,
    box: bounds(points),
    eqn: null,
    value,
    hint,
    role,
    kind,
    d,
    trunk,
    cable: null,
    carries: false,
    points: [...points],
    from,
    to,
  };
  sink.wires.push(wire);
  return wire;
}

/** Each of the wires lies in the cable. It is drawn with the last, over all of them. */
export function share(wires: readonly Wire[], cable: string): void {
  for (const wire of wires) wire.cable = cable;
  const last = wires[wires.length - 1];
  if (last) last.carries = true;
}

function bounds(points: readonly number[]): Wire["box"] {
  let [x0, y0, x1, y1] = [points[0]!, points[1]!, points[0]!, points[1]!];
  for (let i = 2; i < points.length; i += 2) {
    x0 = Math.min(x0, points[i]!);
    x1 = Math.max(x1, points[i]!);
    y0 = Math.min(y0, points[i + 1]!);
    y1 = Math.max(y1, points[i + 1]!);
  }
  return { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}
