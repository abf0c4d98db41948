/** A planned level onto the screen, and everything inside of it. */
import { onScreen } from "../axes.ts";
import { emitRail } from "../furniture/rail.ts";
import { emitCaptions, emitStems, emitTitle } from "../furniture/strip.ts";
import type { LevelNode } from "../graph/level.ts";
import type { LevelBox, Part } from "../layout/box.ts";
import type { Plan } from "../layout/plan.ts";
import { emitClosed, emitOp, emitPill, emitPorts, type Place } from "./nodes.ts";
import { along, type Sink, type View } from "./sink.ts";
import { emitWires } from "./wires.ts";

/** `eqn` is the equation whose body this is, or null for the program itself. */
export function emitLevel(sink: Sink, box: LevelBox, plan: Plan, view: View, eqn: string | null): Place[] {
  const places = box.parts.map((part, v) => placeOf(box, plan, view, part, v));
  // Frames first: what comes later is drawn on top.
  box.level.nodes.forEach((node, v) => {
    const part = box.parts[v]!;
    if (part.inside) emitFrame(sink, node, part, part.inside, plan.inside[v]!, places[v]!, view.depth + 1);
  });
  emitWires(sink, box, plan, places, view);
  box.level.nodes.forEach((node, v) => {
    const part = box.parts[v]!;
    const place = places[v]!;
    if (node.kind === "input" || node.kind === "output") emitPill(sink, node, part, place, eqn, box.framed);
    else if (part.inside) emitPorts(sink, node, part, place);
    else if (node.kind === "call") emitClosed(sink, node, part, place);
    else emitOp(sink, node, part, place);
  });
  return places;
}

function placeOf(box: LevelBox, plan: Plan, view: View, part: Part, v: number): Place {
  const back = box.lanes[part.lane]!.back;
  const h = plan.heights[v]!;
  const top = plan.top[part.lane]![part.rank]!;
  const bottom = plan.bottom[part.lane]![part.rank]!;
  const s0 = back ? bottom - part.head - h : top + part.head;
  const y = Math.min(along(view, s0), along(view, s0 + h));
  const place = { x: view.x + part.x, y, w: part.w, h };
  return { box: place, screen: onScreen(box.direction, place), up: view.up !== back };
}

function emitFrame(sink: Sink, node: LevelNode, part: Part, inside: LevelBox, plan: Plan, place: Place, depth: number): void {
  const { box, screen, up } = place;
  const call = node.call!;
  const view: View = { x: box.x, y: box.y, height: box.h, up, depth };
  const frame = {
    key: node.key,
    box: screen,
    eqn: node.eqn,
    value: null,
    hint: node.hint,
    kind: call.kind,
    title: node.title,
    toggle: call.toggle,
    depth,
    up,
    twin: node.twin,
    fold: emitTitle(sink, node, inside, plan, view),
  };
  sink.frames.push(frame);
  const places = emitLevel(sink, inside, plan, view, node.eqn);
  emitStems(sink, node, part, place, inside, places);
  emitCaptions(sink, node.key, inside, places, view);
  emitRail(sink, node, inside, places, view);
}
