/** Boxes, pills, closed calls: their text, chips and ports. */
import { extents, onScreen } from "../axes.ts";
import type { LevelNode } from "../graph/level.ts";
import { spoken } from "../graph/ports.ts";
import type { Part } from "../layout/box.ts";
import {
  captionRoom,
  chipText,
  chipWidth,
  groupsOf,
  pillName,
  pillStyle,
  pillTypes,
  sharedChip,
  stubStyle,
  textHeight,
} from "../layout/measure.ts";
import { SIZE } from "../layout/sizes.ts";
import type { Box, Node, TextStyle } from "../scene.ts";
import { shorten, textWidth } from "../text.ts";
import { addPort, addText, baseline, portKey, type Sink, showRole } from "./sink.ts";

export interface Place {
  /** Across the flow and along it. */
  box: Box;
  /** The same on the screen: what is written stands in this one. */
  screen: Box;
  /** True when values flow upwards through this node: its ins are on the bottom edge. */
  up: boolean;
}

/** Where it takes its operands, along the flow. */
export function inY({ box, up }: Place): number {
  return up ? box.y + box.h : box.y;
}

export function outY({ box, up }: Place): number {
  return up ? box.y : box.y + box.h;
}

/** What an overlay does to a box. */
function shown({ mark }: LevelNode): Pick<Node, "fill" | "peak"> {
  return mark ? { fill: mark.fill, peak: mark.peak } : {};
}

export function emitOp(sink: Sink, node: LevelNode, part: Part, place: Place): void {
  const box = place.screen;
  const height = textHeight(node);
  // Ports below each other may need more than the lines do.
  const top = box.y + (box.h - height) / 2;
  const shared = { key: node.key, box, eqn: node.eqn, value: node.outs[0]?.value ?? null, hint: node.hint };
  sink.nodes.push({
    ...shared,
    kind: "op",
    title: node.title,
    role: "plain",
    toggle: null,
    call: null,
    recomputed: node.recomputed === true,
    dim: false,
    up: place.up,
    twin: node.twin,
    fold: null,
    ...shown(node),
  });
  emitPorts(sink, node, part, place);
  const middle = box.x + box.w / 2;
  const said = node.mark?.text ?? "";
  if (said !== "") {
    const y = baseline("own", top + height - 9);
    addText(sink, `${node.key}.mark`, said, "own", middle, y, { owner: node.key, eqn: node.eqn, anchor: "middle" });
  }
  const two = node.type !== "";
  const inner = box.w - 10;
  const note = node.note;
  const noteWidth = note ? textWidth(note, "note") + 6 : 0;
  const title = shorten(node.title, "op", inner - noteWidth);
  const titleWidth = textWidth(title, "op");
  const left = middle - (titleWidth + noteWidth) / 2;
  const y = baseline("op", top + (two ? 13.5 : (height - (said === "" ? 0 : SIZE.boxMark)) / 2));
  const options = { owner: node.key, eqn: node.eqn };
  // The pieces of a line meet at a point, so that those of a wider face go apart and not into each other.
  const [at, anchor] = note ? ([left + titleWidth, "end"] as const) : ([middle, "middle"] as const);
  addText(sink, `${node.key}.title`, title, "op", at, y, { ...options, full: node.title, anchor });
  // Muted words would not stand out from a colour.
  const dim = !node.mark?.fill;
  if (note) addText(sink, `${node.key}.note`, note, "note", left + titleWidth + 6, y, { ...options, dim });
  if (!two) return;
  const label = node.label ? `${node.label} ` : "";
  const labelWidth = label ? textWidth(label, "own") : 0;
  const type = shorten(node.type, "type", inner - labelWidth);
  const start = middle - (labelWidth + textWidth(type, "type")) / 2;
  const below = baseline("type", top + 27.5);
  const ends = start + textWidth(node.label, "own");
  if (label) addText(sink, `${node.key}.label`, node.label, "own", ends, below, { ...options, anchor: "end" });
  addText(sink, `${node.key}.type`, type, "type", start + labelWidth, below, { ...options, full: node.type, dim });
}

/** `framed` pills have a port on their outer side as well. */
export function emitPill(sink: Sink, node: LevelNode, part: Part, place: Place, eqn: string | null, framed: boolean): void {
  const box = place.screen;
  const input = node.kind === "input";
  const info = (input ? node.outs[0] : node.ins[0])!;
  const kind = input ? (framed ? "binder" : "input") : framed ? "result" : "output";
  const dim = !info.used;
  const shared = { key: node.key, box, eqn, value: info.value, hint: info.hint };
  const toggle = node.call?.toggle ?? null;
  const lines = pillTypes(node);
  const style = pillStyle(node);
  const notes = info.notes?.length ?? 0;
  const types = lines.length - notes - (node.mark?.text ? 1 : 0);
  // The lines together stand in the middle; a neighbour in the strip may have made the pill taller than its own text.
  const first = box.y + (box.h - lines.length * SIZE.pillLine) / 2 + (lines.length > 0 ? 1 : 0);
  const width = textWidth(pillName(node), style);
  const push = toggle === null ? 0 : SIZE.fold / 2;
  sink.nodes.push({
    ...shared,
    kind,
    title: node.title,
    role: showRole(info),
    toggle,
    call: null,
    recomputed: false,
    dim,
    up: place.up,
    twin: null,
    fold: toggle === null ? null : { x: box.x + (box.w - width) / 2 - push, y: first - 5, w: 10, h: 10 },
    ...shown(node),
  });
  emitPorts(sink, node, part, place);
  if (framed) {
    const direction = input ? "in" : "out";
    addPort(sink, node.key, direction, 0, info, place.box.x + place.box.w / 2, input ? inY(place) : outY(place), eqn);
  }
  const middle = box.x + box.w / 2;
  const options = { owner: node.key, anchor: "middle" as const, value: info.value };
  addText(sink, `${node.key}.name`, pillName(node), style, middle + push, baseline(style, first), {
    ...options,
    full: node.title,
    dim: dim || info.letter,
  });
  lines.forEach((line, i) => {
    const y = baseline("type", first + 0.5 + SIZE.pillLine * (i + 1));
    const noted = i >= types && i < types + notes;
    const dim = !noted && !node.mark?.fill;
    addText(sink, `${node.key}.type${i || ""}`, line, "type", middle, y, { ...options, full: noted ? line : node.type, dim });
  });
}

export function emitClosed(sink: Sink, node: LevelNode, part: Part, place: Place): void {
  const { screen: box, up } = place;
  const call = node.call!;
  if (call.fold) sink.folds.push(call.fold);
  const room = [node.ins, node.outs].map((ports) => captionRoom(sink.direction, ports));
  const [before, after] = up ? [room[1]!, room[0]!] : [room[0]!, room[1]!];
  const free = onScreen(sink.direction, { x: place.box.x, y: place.box.y + before, w: place.box.w, h: place.box.h - before - after });
  const width = SIZE.fold + textWidth(node.title, "title");
  const left = free.x + (free.w - width) / 2;
  const middle = free.y + (free.h - SIZE.closedTitle - SIZE.caption) / 2 + SIZE.closedTitle / 2 + 1;
  const fold = { x: left, y: middle - 5, w: 10, h: 10 };
  const shared = { key: node.key, box, eqn: node.eqn, value: null, hint: `${node.hint}\n${call.hint}` };
  const kind = call.kind === "body" ? "call" : call.kind;
  sink.nodes.push({
    ...shared,
    kind: "closed",
    title: node.title,
    role: "plain",
    toggle: call.toggle,
    call: kind,
    recomputed: node.recomputed === true,
    dim: false,
    up: place.up,
    twin: node.twin,
    fold,
    ...shown(node),
  });
  emitPorts(sink, node, part, place);
  const options = { owner: node.key, eqn: node.eqn };
  addText(sink, `${node.key}.title`, node.title, "title", left + SIZE.fold, baseline("title", middle), options);
  const under = baseline("caption", middle + SIZE.closedTitle / 2 + 3);
  addText(sink, `${node.key}.inside`, shorten(call.hint, "caption", free.w - 8), "caption", free.x + free.w / 2, under, {
    ...options,
    anchor: "middle",
    dim: !node.mark?.fill,
  });
  closedGroups(sink, node, part, place, "in");
  closedGroups(sink, node, part, place, "out");
}

/** From the border to a caption beside it. */
const CAPTION_INSET = 6;

/** Captions inside a closed box next to its ports, and thin lines between the groups. */
function closedGroups(sink: Sink, node: LevelNode, part: Part, place: Place, side: "in" | "out"): void {
  const ports = side === "in" ? node.ins : node.outs;
  const at = side === "in" ? part.ins : part.outs;
  const first = (side === "in") !== place.up;
  const { box } = place;
  const room = captionRoom(sink.direction, ports);
  const groups = groupsOf(ports);
  if (groups.every((group) => group.name === "")) return;
  groups.forEach((group, g) => {
    const from = at[group.from]!;
    const until = at[group.until - 1]!;
    const key = `${node.key}.${side}${g}`;
    const middle = box.x + (from + until) / 2;
    const options = { owner: node.key, role: group.role, eqn: node.eqn };
    if (sink.direction === "TB") {
      const y = first ? box.y + SIZE.caption - 2.5 : box.y + box.h - SIZE.caption + 8.5;
      addText(sink, key, group.name, "caption", middle, y, { ...options, anchor: "middle" });
    } else {
      const x = first ? box.y + CAPTION_INSET : box.y + box.h - CAPTION_INSET;
      addText(sink, key, group.name, "caption", x, baseline("caption", middle), { ...options, anchor: first ? "start" : "end" });
    }
    if (g === 0) return;
    const x = box.x + (at[group.from - 1]! + from) / 2;
    const top = first ? box.y + 4 : box.y + box.h - room;
    const rule = onScreen(sink.direction, { x, y: top, w: 0, h: room - 4 });
    sink.rules.push({ key: `${key}|`, box: rule, eqn: node.eqn, value: null, hint: "", role: null });
  });
}

/** Ports on both edges with the literals, stubs and tags that sit on them. */
export function emitPorts(sink: Sink, node: LevelNode, part: Part, place: Place): void {
  const { box, up } = place;
  const together = samePlaces(part.ins);
  node.ins.forEach((info, i) => {
    const x = box.x + part.ins[i]!;
    const key = addPort(sink, node.key, "in", i, info, x, inY(place), node.eqn);
    const chipped = (together.get(i) ?? []).filter((j) => part.feeds[j]!.kind === "literal" || part.feeds[j]!.kind === "stub");
    if (chipped[0] !== i) return;
    const feed = sharedChip(chipped.map((j) => part.feeds[j]!))!;
    const at = { across: x, along: inY(place), after: up };
    const source = feed.kind === "literal" ? feed : null;
    const style = feed.kind === "stub" ? stubStyle(feed.letter) : "chip";
    const about = { eqn: source ? source.eqn : node.eqn, value: source ? source.value : chipped.length > 1 ? null : info.value };
    const also = chipped.slice(1).map((j) => portKey(node.key, "in", j));
    emitChip(sink, feed.kind, key, style, chipText(feed), feed.text, feed.hint, at, showRole(info), about, also);
  });
  const leaving = samePlaces(part.outs);
  node.outs.forEach((info, i) => {
    if (node.kind === "input" && part.tags.length === 0) return;
    // A result that a frame does not show, and that nothing reads, is no port of it.
    if (part.inside && !info.used && !part.inside.level.outputs.some(({ outer }) => outer === i)) return;
    const x = box.x + part.outs[i]!;
    const key = addPort(sink, node.key, "out", i, info, x, outY(place), node.eqn);
    const tagged = (leaving.get(i) ?? []).filter((j) => (part.tags[j] ?? "") !== "");
    if (tagged[0] !== i) return;
    const tag = tagged.length > 1 ? `${tagged.length} values` : part.tags[i]!;
    const at = { across: x, along: outY(place), after: !up };
    const hint = `${spoken(info.name, info.letter)} is used further on`;
    const about = { eqn: node.eqn, value: info.value };
    emitChip(sink, "source", key, stubStyle(info.letter), tag, tag, hint, at, showRole(info), about);
  });
}

/** Per index: all that have its place. The ports of a frame that lead to one pill stand at one place. */
function samePlaces(at: readonly number[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  at.forEach((x, i) => {
    const key = Math.round(x * 100);
    const place = places.get(key);
    if (place) place.push(i);
    else places.set(key, [i]);
  });
  return new Map([...places.values()].flatMap((place) => place.map((i): [number, number[]] => [i, place])));
}

/** A chip sits on the port at a place across and along the flow, `after` it or before it along the flow. */
function emitChip(
  sink: Sink,
  kind: "literal" | "stub" | "source",
  port: string,
  style: TextStyle,
  text: string,
  full: string,
  hint: string,
  at: { across: number; along: number; after: boolean },
  role: ReturnType<typeof showRole>,
  about: { eqn: string | null; value: string | null },
  also: readonly string[] = [],
): void {
  const size = extents(sink.direction, chipWidth(text, style), SIZE.chip);
  const key = `${port}.chip`;
  const y = at.after ? at.along + SIZE.chipGap : at.along - SIZE.chipGap - size.along;
  const box = onScreen(sink.direction, { x: at.across - size.across / 2, y, w: size.across, h: size.along });
  sink.chips.push({ key, box, ...about, hint, kind, role, text, port, also });
  const options = { full, anchor: "middle" as const, owner: key, dim: style === "stubletter", ...about };
  addText(sink, `${key}.text`, text, style, box.x + box.w / 2, baseline(style, box.y + box.h / 2), options);
}

export { portKey };
