/** Boxes, pills, closed calls: their text, chips and ports. */
import type { LevelNode } from "../graph/level.ts";
import { spoken } from "../graph/ports.ts";
import type { Part } from "../layout/box.ts";
import { chipText, chipWidth, groupsOf, pillName, pillStyle, pillTypes, sharedChip, stubStyle } from "../layout/measure.ts";
import { SIZE } from "../layout/sizes.ts";
import type { Box, Node, TextStyle } from "../scene.ts";
import { shorten, textWidth } from "../text.ts";
import { addPort, addText, baseline, portKey, type Sink, showRole } from "./sink.ts";

export interface Place {
  box: Box;
  /** True when values flow upwards through this node: its ins are on the bottom edge. */
  up: boolean;
}

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
  const { box } = place;
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
    const y = baseline("own", box.y + box.h - 9);
    addText(sink, `${node.key}.mark`, said, "own", middle, y, { owner: node.key, eqn: node.eqn, anchor: "middle" });
  }
  const two = node.type !== "";
  const inner = box.w - 10;
  const note = node.note;
  const noteWidth = note ? textWidth(note, "note") + 6 : 0;
  const title = shorten(node.title, "op", inner - noteWidth);
  const titleWidth = textWidth(title, "op");
  const left = middle - (titleWidth + noteWidth) / 2;
  const y = baseline("op", box.y + (two ? 13.5 : (box.h - (said === "" ? 0 : SIZE.boxMark)) / 2));
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
  const below = baseline("type", box.y + 27.5);
  const ends = start + textWidth(node.label, "own");
  if (label) addText(sink, `${node.key}.label`, node.label, "own", ends, below, { ...options, anchor: "end" });
  addText(sink, `${node.key}.type`, type, "type", start + labelWidth, below, { ...options, full: node.type, dim });
}

/** `framed` pills have a port on their outer side as well. */
export function emitPill(sink: Sink, node: LevelNode, part: Part, place: Place, eqn: string | null, framed: boolean): void {
  const { box } = place;
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
    addPort(sink, node.key, direction, 0, info, box.x + box.w / 2, input ? inY(place) : outY(place), eqn);
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
  const { box, up } = place;
  const call = node.call!;
  if (call.fold) sink.folds.push(call.fold);
  const above = captionsHeight(up ? node.outs : node.ins);
  const width = SIZE.fold + textWidth(node.title, "title");
  const left = box.x + (box.w - width) / 2;
  const middle = box.y + above + SIZE.closedTitle / 2 + 1;
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
  addText(sink, `${node.key}.inside`, shorten(call.hint, "caption", box.w - 8), "caption", box.x + box.w / 2, under, {
    ...options,
    anchor: "middle",
    dim: !node.mark?.fill,
  });
  closedGroups(sink, node, part, place, "in");
  closedGroups(sink, node, part, place, "out");
}

function captionsHeight(ports: LevelNode["ins"]): number {
  return ports.some((port) => port.group !== "") ? SIZE.caption : 0;
}

/** Captions inside a closed box next to its ports, and thin lines between the groups. */
function closedGroups(sink: Sink, node: LevelNode, part: Part, place: Place, side: "in" | "out"): void {
  const ports = side === "in" ? node.ins : node.outs;
  const at = side === "in" ? part.ins : part.outs;
  const onTop = (side === "in") !== place.up;
  const { box } = place;
  const groups = groupsOf(ports);
  if (groups.every((group) => group.name === "")) return;
  groups.forEach((group, g) => {
    const from = at[group.from]!;
    const until = at[group.until - 1]!;
    const y = onTop ? box.y + SIZE.caption - 2.5 : box.y + box.h - SIZE.caption + 8.5;
    const key = `${node.key}.${side}${g}`;
    const options = { anchor: "middle" as const, owner: node.key, role: group.role, eqn: node.eqn };
    addText(sink, key, group.name, "caption", box.x + (from + until) / 2, y, options);
    if (g === 0) return;
    const x = box.x + (at[group.from - 1]! + from) / 2;
    const top = onTop ? box.y + 4 : box.y + box.h - SIZE.caption;
    sink.rules.push({ key: `${key}|`, box: { x, y: top, w: 0, h: SIZE.caption - 4 }, eqn: node.eqn, value: null, hint: "", role: null });
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
    const y = up ? inY(place) + SIZE.chipGap : inY(place) - SIZE.chipGap - SIZE.chip;
    const source = feed.kind === "literal" ? feed : null;
    const style = feed.kind === "stub" ? stubStyle(feed.letter) : "chip";
    const about = { eqn: source ? source.eqn : node.eqn, value: source ? source.value : chipped.length > 1 ? null : info.value };
    const also = chipped.slice(1).map((j) => portKey(node.key, "in", j));
    emitChip(sink, feed.kind, key, style, chipText(feed), feed.text, feed.hint, x, y, showRole(info), about, also);
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
    const y = up ? outY(place) - SIZE.chipGap - SIZE.chip : outY(place) + SIZE.chipGap;
    const hint = `${spoken(info.name, info.letter)} is used further on`;
    const about = { eqn: node.eqn, value: info.value };
    emitChip(sink, "source", key, stubStyle(info.letter), tag, tag, hint, x, y, showRole(info), about);
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

function emitChip(
  sink: Sink,
  kind: "literal" | "stub" | "source",
  port: string,
  style: TextStyle,
  text: string,
  full: string,
  hint: string,
  x: number,
  y: number,
  role: ReturnType<typeof showRole>,
  about: { eqn: string | null; value: string | null },
  also: readonly string[] = [],
): void {
  const w = chipWidth(text, style);
  const key = `${port}.chip`;
  sink.chips.push({ key, box: { x: x - w / 2, y, w, h: SIZE.chip }, ...about, hint, kind, role, text, port, also });
  const options = { full, anchor: "middle" as const, owner: key, dim: style === "stubletter", ...about };
  addText(sink, `${key}.text`, text, style, x, baseline(style, y + SIZE.chip / 2), options);
}

export { portKey };
