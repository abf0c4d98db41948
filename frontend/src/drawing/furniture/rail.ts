/** The carry's way back to the next step: from the result pills along the flank of the frame to the binder pills. */
import { inY, outY, type Place } from "../emit/nodes.ts";
import { Path } from "../emit/path.ts";
import { addText, portKey, type Sink, showRole, type View } from "../emit/sink.ts";
import { pushWire } from "../emit/wires.ts";
import type { LevelNode } from "../graph/level.ts";
import type { LevelBox } from "../layout/box.ts";
import { SIZE } from "../layout/sizes.ts";
import { textWidth } from "../text.ts";

const CORNER = 8;
/** Beside the wire to the outside, which takes the middle of the pill. */
const BESIDE = 10;

export function emitRail(sink: Sink, frame: LevelNode, inside: LevelBox, places: readonly Place[], view: View): void {
  const rail = inside.rail;
  const loops = frame.call?.loops ?? [];
  if (!rail || loops.length === 0) return;
  const left = rail.side === "left";
  const outward = view.up ? -1 : 1;
  const flankX = (t: number): number => {
    const step = SIZE.framePad / 2 + SIZE.railLabel / 2 + (rail.tracks - 1 - t) * SIZE.track;
    return left ? view.x + step : view.x + inside.width - step;
  };
  const startEdge = view.up ? view.y + view.height : view.y;
  const endEdge = view.up ? view.y : view.y + view.height;
  const offset = (t: number): number => SIZE.frameEdge + 3 + (rail.tracks - 1 - t) * SIZE.track;
  // Nested: the pill nearest to the flank has the innermost track.
  const byNearness = loops
    .map((loop) => ({ loop, x: places[inside.level.inputs[loop[1]]!.node]!.box.x }))
    .sort((p, q) => (left ? p.x - q.x : q.x - p.x));
  let lowest = 0;
  let highest = 0;
  let wire: string | null = null;
  let value: string | null = null;
  byNearness.forEach(({ loop: [out, input] }, order) => {
    const t = Math.min(order, rail.tracks - 1);
    const result = inside.level.outputs[out]!.node;
    const binder = inside.level.inputs[input]!.node;
    const from = places[result]!;
    const to = places[binder]!;
    const aside = left ? -BESIDE : BESIDE;
    const x1 = from.box.x + from.box.w / 2 + aside;
    const x2 = to.box.x + to.box.w / 2 + aside;
    const y1 = endEdge - outward * offset(t);
    const y2 = startEdge + outward * offset(t);
    const x = flankX(t);
    const path = new Path(x1, outY(from)).corners(CORNER, x1, y1, x, y1, x, y2, x2, y2, x2, inY(to));
    const info = inside.level.nodes[binder]!.outs[0]!;
    const key = portKey(inside.level.nodes[result]!.key, "out", 0);
    pushWire(
      sink,
      showRole(info) === "plain" ? "carry" : info.role,
      "loop",
      key,
      portKey(inside.level.nodes[binder]!.key, "in", 0),
      info.value,
      "next step",
      path,
    );
    if (loops.length === 1) {
      wire = sink.wires[sink.wires.length - 1]!.key;
      value = info.value;
    }
    lowest = y1;
    highest = y2;
  });
  const text = loops.length > rail.tracks ? `next step \u00d7${loops.length}` : "next step";
  const middle = (lowest + highest) / 2;
  const x = (flankX(0) + flankX(rail.tracks - 1)) / 2;
  if (Math.abs(lowest - highest) < textWidth(text, "caption") + 24) return;
  addText(sink, `${frame.key}.next`, text, "caption", x, middle, {
    anchor: "middle",
    rotate: left ? -90 : 90,
    role: "carry",
    owner: frame.key,
    wire,
    value,
  });
}
