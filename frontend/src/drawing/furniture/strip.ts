/** The strips of a frame: stems from its ports to the pills inside, captions of the groups, lines between them, the title. */

import { inY, outY, type Place } from "../emit/nodes.ts";
import { Path } from "../emit/path.ts";
import { addText, along, baseline, portKey, type Sink, showRole, type View } from "../emit/sink.ts";
import { pushWire } from "../emit/wires.ts";
import { type LevelNode, outersOf, type PortInfo } from "../graph/level.ts";
import type { LevelBox, Part } from "../layout/box.ts";
import { groupsOf } from "../layout/measure.ts";
import { type Plan, padsOf } from "../layout/plan.ts";
import { SIZE } from "../layout/sizes.ts";
import type { Box, Wire } from "../scene.ts";

/** Wires between the ports on the border of the frame and the pills behind it: they stand one exactly above the other. */
export function emitStems(sink: Sink, frame: LevelNode, outer: Part, place: Place, inside: LevelBox, places: readonly Place[]): void {
  for (const seat of inside.level.inputs) {
    const pill = inside.level.nodes[seat.node]!;
    const info = pill.outs[0]!;
    for (const port of outersOf(inside.level, seat)) {
      const feed = outer.feeds[port];
      if (!feed || feed.kind === "none") continue;
      const path = new Path(sink.direction, place.box.x + outer.ins[port]!, inY(place)).vertical(inY(places[seat.node]!));
      const from = portKey(frame.key, "in", port);
      pushWire(sink, showRole(info), kindOf(info), from, portKey(pill.key, "in", 0), info.value, info.hint, path);
    }
  }
  for (const seat of inside.level.outputs) {
    const pill = inside.level.nodes[seat.node]!;
    const info = pill.ins[0]!;
    for (const port of outersOf(inside.level, seat)) {
      if (!frame.outs[port]?.used) continue;
      const path = new Path(sink.direction, place.box.x + outer.outs[port]!, outY(places[seat.node]!)).vertical(outY(place));
      const to = portKey(frame.key, "out", port);
      pushWire(sink, showRole(info), kindOf(info), portKey(pill.key, "out", 0), to, info.value, info.hint, path);
    }
  }
}

function kindOf(info: PortInfo): Wire["kind"] {
  return info.ref && showRole(info) === "plain" ? "effect" : "flow";
}

export function emitCaptions(sink: Sink, key: string, inside: LevelBox, places: readonly Place[], view: View): void {
  const pads = padsOf(inside);
  const right = sink.direction === "LR";
  if (right || pads.captionBefore > 0) side("in", inside.level.inputs, !view.up);
  if (right || pads.captionAfter > 0) side("out", inside.level.outputs, view.up);

  function side(name: string, seats: readonly { node: number }[], above: boolean): void {
    const infos = seats.map((seat) => {
      const node = inside.level.nodes[seat.node]!;
      return node.outs[0] ?? node.ins[0]!;
    });
    const groups = groupsOf(infos);
    if (groups.every((group) => group.name === "")) return;
    groups.forEach((group, g) => {
      const first = places[seats[group.from]!.node]!.screen;
      if (right) {
        // In the space above its first pill.
        addText(sink, `${key}.${name}${g}`, group.name, "caption", first.x + 2, first.y - 4, { role: group.role, owner: key });
        const box = { x: first.x, y: first.y - SIZE.captionAbove, w: first.w, h: 0 };
        if (g > 0) sink.rules.push({ key: `${key}.${name}${g}|`, box, eqn: null, value: null, hint: "", role: null });
        return;
      }
      const y = above ? first.y - 4 : first.y + first.h + 10;
      // The loop comes in on the side of its flank; the caption of the carry keeps to the other half of the pill.
      const away = group.role === "carry" && inside.rail?.side === "left";
      const x = away ? first.x + first.w - 2 : first.x + 2;
      addText(sink, `${key}.${name}${g}`, group.name, "caption", x, y, { role: group.role, owner: key, anchor: away ? "end" : "start" });
      if (g === 0) return;
      const before = places[seats[group.from - 1]!.node]!.screen;
      const between = (before.x + before.w + first.x) / 2;
      const top = above ? first.y - SIZE.caption + 3 : first.y;
      const box = { x: between, y: top, w: 0, h: first.h + SIZE.caption - 3 };
      sink.rules.push({ key: `${key}.${name}${g}|`, box, eqn: null, value: null, hint: "", role: null });
    });
  }
}

/** In the row that is on top on the screen, at its left end, or in the band above all rows; the place of the fold triangle is returned. */
export function emitTitle(sink: Sink, frame: LevelNode, inside: LevelBox, plan: Plan, view: View): Box | null {
  if (!inside.title || inside.title.text === "") return null;
  const { notes } = inside.title;
  const { x, middle } = sink.direction === "TB" ? inRow(inside, plan, view) : { x: view.y + SIZE.framePad, middle: view.x + BAND_MIDDLE };
  const toggle = frame.call?.toggle ?? null;
  const fold = toggle === null ? null : { x, y: middle - 5, w: 10, h: 10 };
  const options = { owner: frame.key, eqn: frame.eqn };
  addText(sink, `${frame.key}.title`, inside.title.text, "title", x + (fold ? SIZE.fold : 0), baseline("title", middle), options);
  notes.forEach((line, i) => {
    const y = baseline("note", middle + 1 + SIZE.pillLine * (i + 1));
    addText(sink, `${frame.key}.note${i}`, line, "note", x + (fold ? SIZE.fold : 0), y, { ...options, dim: true });
  });
  return fold;
}

/** From the upper border to the middle of a title in a band. */
const BAND_MIDDLE = 19;

function inRow(inside: LevelBox, plan: Plan, view: View): { x: number; middle: number } {
  const { h, x, notes } = inside.title!;
  const row = inside.up ? inside.lanes[0]!.ranks - 1 : 0;
  const y1 = along(view, plan.top[0]![row]!);
  const y2 = along(view, plan.bottom[0]![row]!);
  const block = notes.length * SIZE.pillLine;
  const room = Math.min(Math.abs(y2 - y1), Math.max(h, SIZE.pillShort + 2 * SIZE.pillLine));
  return { x: view.x + x, middle: Math.min(y1, y2) + (room - block) / 2 };
}
