/** The carry's way back to the next step: from the result pills along the flank of the frame to the binder pills. */
import { inY, outY, type Place } from "../emit/nodes.ts";
import { Path } from "../emit/path.ts";
import { addPort, addText, baseline, portKey, type Sink, showRole, type View } from "../emit/sink.ts";
import { pushWire, share } from "../emit/wires.ts";
import type { LevelNode } from "../graph/level.ts";
import { bandOf, type LevelBox, type Rail } from "../layout/box.ts";
import { SIZE } from "../layout/sizes.ts";
import type { Wire } from "../scene.ts";
import { textWidth } from "../text.ts";

const CORNER = 8;
/** Beside the wire to the outside, which takes the middle of the pill. */
const BESIDE = 10;
/** From the card of the condition to the line that leads its answer to the rail. */
const BELOW_CARD = 11;
/** Above and below a plate. */
const PLATE_ROOM = 24;
/** From the middle of the answer's dot to the words of a plate. */
const GATE_ROOM = 14;

export function emitRail(sink: Sink, frame: LevelNode, inside: LevelBox, places: readonly Place[], view: View): void {
  const rail = inside.rail;
  const loops = frame.call?.loops ?? [];
  if (!rail || loops.length === 0) return;
  const left = rail.side === "left";
  const outward = view.up ? -1 : 1;
  const startEdge = view.up ? view.y + view.height : view.y;
  const endEdge = view.up ? view.y : view.y + view.height;
  const offset = (t: number): number => SIZE.frameEdge + 3 + (rail.tracks - 1 - t) * SIZE.track;
  const aside = left ? -BESIDE : BESIDE;
  const middleOf = (node: number): number => places[node]!.box.x + places[node]!.box.w / 2 + aside;
  // Nested: the pill nearest to the flank has the innermost track.
  const byNearness = loops
    .map((loop) => ({ loop, x: places[inside.level.inputs[loop[1]]!.node]!.box.x }))
    .sort((p, q) => (left ? p.x - q.x : q.x - p.x));
  const made = byNearness.map(({ loop: [out, input] }, order): Wire => {
    const t = Math.min(order, rail.tracks - 1);
    const result = inside.level.outputs[out]!.node;
    const binder = inside.level.inputs[input]!.node;
    const [x1, x2, x] = [middleOf(result), middleOf(binder), flankX(inside, rail, view, t)];
    const y1 = endEdge - outward * offset(t);
    const y2 = startEdge + outward * offset(t);
    const path = new Path(sink.direction, x1, outY(places[result]!)).corners(
      CORNER,
      x1,
      y1,
      x,
      y1,
      x,
      y2,
      x2,
      y2,
      x2,
      inY(places[binder]!),
    );
    const info = inside.level.nodes[binder]!.outs[0]!;
    const key = portKey(inside.level.nodes[result]!.key, "out", 0);
    const role = showRole(info) === "plain" ? "carry" : info.role;
    return pushWire(sink, role, "loop", key, portKey(inside.level.nodes[binder]!.key, "in", 0), info.value, "next step", path);
  });
  const lowest = endEdge - outward * offset(rail.tracks - 1);
  const highest = startEdge + outward * offset(rail.tracks - 1);
  if (loops.length > rail.tracks) {
    // What they share is one thick line, from the farthest pill to the farthest pill.
    const far = (nodes: readonly number[]): number => (left ? Math.max : Math.min)(...nodes.map(middleOf));
    const from = far(loops.map(([out]) => inside.level.outputs[out]!.node));
    const to = far(loops.map(([, input]) => inside.level.inputs[input]!.node));
    const x = flankX(inside, rail, view, rail.tracks - 1);
    share(made, new Path(sink.direction, from, lowest).corners(CORNER, x, lowest, x, highest, to, highest).d);
  }
  const gate = emitGate(sink, frame, inside, rail, places, view);
  const carried = loops.reduce((sum, [, input]) => sum + (inside.level.nodes[inside.level.inputs[input]!.node]!.stands?.length ?? 1), 0);
  const count = carried > rail.tracks ? ` \u00d7${carried}` : "";
  const room = Math.abs(lowest - highest) - PLATE_ROOM;
  const text = [gate !== null ? `next step while true${count}` : "", `next step${count}`].find(
    (each) => each !== "" && textWidth(each, "caption") <= room,
  );
  if (text === undefined) return;
  const only = loops.length === 1 ? made[0]! : null;
  const x = (flankX(inside, rail, view, 0) + flankX(inside, rail, view, rail.tracks - 1)) / 2;
  const y = besideGate((lowest + highest) / 2, gate, textWidth(text, "caption") / 2 + GATE_ROOM, lowest, highest);
  const right = sink.direction === "LR";
  addText(sink, `${frame.key}.next`, text, "caption", right ? y : x, right ? baseline("caption", x) : y, {
    anchor: "middle",
    rotate: right ? 0 : left ? -90 : 90,
    plate: true,
    role: "carry",
    owner: frame.key,
    wire: only?.key ?? null,
    value: only?.value ?? null,
  });
}

/** The plate in the middle of the rail, or as near to it as leaves the answer of the condition in sight. */
function besideGate(middle: number, gate: number | null, half: number, lowest: number, highest: number): number {
  if (gate === null || Math.abs(gate - middle) >= half) return middle;
  const [least, most] = [Math.min(lowest, highest) + half, Math.max(lowest, highest) - half];
  const free = [gate - half, gate + half].filter((y) => y >= least && y <= most);
  return free.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle;
}

function flankX(inside: LevelBox, rail: Rail, view: View, t: number): number {
  const step = SIZE.framePad / 2 + SIZE.railLabel / 2 + (rail.tracks - 1 - t) * SIZE.track;
  return rail.side === "left" ? view.x + bandOf(inside.direction, inside.title) + step : view.x + inside.width - step;
}

/** The answer of the condition decides whether there is a next step: it leads to the rail. Where it meets it, or null where there is none. */
function emitGate(sink: Sink, frame: LevelNode, inside: LevelBox, rail: Rail, places: readonly Place[], view: View): number | null {
  const card = inside.level.nodes.findIndex((node) => node.kind === "call" && node.outs.some((port) => port.group === "predicate"));
  if (card < 0 || rail.side !== "left") return null;
  const node = inside.level.nodes[card]!;
  const out = node.outs.findIndex((port) => port.group === "predicate");
  const info = node.outs[out]!;
  const x1 = places[card]!.box.x + inside.parts[card]!.outs[out]!;
  const y1 = outY(places[card]!);
  const y2 = y1 + (view.up ? -BELOW_CARD : BELOW_CARD);
  const x2 = flankX(inside, rail, view, rail.tracks - 1);
  const to = addPort(
    sink,
    frame.key,
    "in",
    frame.ins.length,
    { ...info, name: "next step", hint: "true: another step; false: the loop ends" },
    x2,
    y2,
    frame.eqn,
  );
  const path = new Path(sink.direction, x1, y1).corners(CORNER, x1, y2, x2, y2);
  pushWire(sink, showRole(info), "select", portKey(node.key, "out", out), to, info.value, "true: another step; false: the loop ends", path);
  return y2;
}
