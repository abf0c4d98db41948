/**
 * How large a node is and where its ports stand, before anything is placed. Coordinates follow the flow: ins first, outs last, w across it and
 * h along it; the text of a box is upright in both directions.
 */
import { extents } from "../axes.ts";
import type { Feed, LevelNode, PortInfo } from "../graph/level.ts";
import type { Direction, TextStyle } from "../scene.ts";
import { shorten, textWidth } from "../text.ts";
import { SIZE } from "./sizes.ts";

export interface Measured {
  w: number;
  /** Natural height without the chip zones; an open frame's is decided by its plan. */
  h: number;
  ins: number[];
  outs: number[];
  /** Heights of the chip zones before the ins and after the outs. */
  head: number;
  tail: number;
  /** Room beside it, before it across the flow. */
  lead?: number;
}

export function chipText(feed: Feed): string {
  if (feed.kind !== "literal" && feed.kind !== "stub") return "";
  return shorten(feed.text, chipStyle(feed), SIZE.chipMax - 2 * SIZE.chipPad);
}

function chipStyle(feed: Feed): TextStyle {
  return feed.kind === "stub" ? stubStyle(feed.letter) : "chip";
}

/** A name in a chip: the person's, or a letter of JAX's. */
export function stubStyle(letter: boolean): TextStyle {
  return letter ? "stubletter" : "stub";
}

export function chipWidth(text: string, style: TextStyle): number {
  return text === "" ? 0 : Math.max(SIZE.chip, textWidth(text, style) + 2 * SIZE.chipPad);
}

export function chipWidths(feeds: readonly Feed[]): number[] {
  return feeds.map((feed) => chipWidth(chipText(feed), chipStyle(feed)));
}

/** The one chip of ports at one place: what they all say, or how many they are. Null where none of them has one. */
export function sharedChip(feeds: readonly Feed[]): Extract<Feed, { kind: "literal" | "stub" }> | null {
  const chips = feeds.filter((feed) => feed.kind === "literal" || feed.kind === "stub");
  const [first] = chips;
  if (first === undefined) return null;
  if (chips.every(({ text }) => text === first.text)) return first;
  const text = `${chips.length} values`;
  const hint = [...new Set(chips.map((chip) => chip.text))].slice(0, SHARED_NAMES).join("\n");
  return first.kind === "stub" ? { ...first, text, letter: false, hint } : { ...first, text, hint, eqn: null, value: null };
}

const SHARED_NAMES = 24;

/** From the caption of a group to the wire beside it. */
const CAPTION_ROOM = 7;

/** Of the chips on one edge: how far each goes across the flow, and how far they stand out along it. */
function chipRoom(direction: Direction, widths: readonly number[]): { slots: number[]; zone: number } {
  const widest = Math.max(0, ...widths);
  return {
    slots: widths.map((w) => Math.max(w > 0 ? extents(direction, w, SIZE.chip).across : 0, SIZE.portSlot)),
    zone: widest > 0 ? extents(direction, widest, SIZE.chip).along + SIZE.chipGap : 0,
  };
}

/** Ports that stand below each other need less room: what sits on them is no wider than a line of text is high. */
function gapOf(direction: Direction): number {
  return direction === "TB" ? SIZE.portGap : SIZE.portGapDown;
}

/** Slots side by side, centred about `middle`; extra[i] is space before slot i. */
function slots(widths: readonly number[], middle: number, gap: number, extra: readonly number[] = []): number[] {
  const total = span(widths, gap, extra);
  let at = middle - total / 2;
  return widths.map((w, i) => {
    at += (extra[i] ?? 0) + (i > 0 ? gap : 0);
    const x = at + w / 2;
    at += w;
    return x;
  });
}

function span(widths: readonly number[], gap: number, extra: readonly number[] = []): number {
  return widths.reduce((sum, w, i) => sum + w + (extra[i] ?? 0) + (i > 0 ? gap : 0), 0);
}

/** Evenly over the edge while nothing sits on the ports, packed otherwise. */
function spreadPorts(widths: readonly number[], w: number, gap: number): number[] {
  const step = w / (widths.length + 1);
  if (widths.every((slot) => slot <= SIZE.portSlot) && step >= SIZE.portSlot + gap) return widths.map((_, i) => step * (i + 1));
  return slots(widths, w / 2, gap);
}

/** With one wire in and one out the line runs straight through, whatever chips push the operand aside; chains stay straight so. */
function through(feeds: readonly Feed[], ins: readonly number[], outs: readonly number[], w: number): number[] | null {
  let wired = -1;
  for (let i = 0; i < feeds.length; i++) {
    if (feeds[i]!.kind !== "node") continue;
    if (wired >= 0) return null;
    wired = i;
  }
  const out = outs[0];
  if (wired < 0 || out === undefined || outs.length !== 1) return null;
  return [Math.min(Math.max(ins[wired]!, out / 2), w - out / 2)];
}

/** Boxes that say the same are as large, and long programs repeat themselves. */
const known = new Map<string, Measured>();
const KNOWN_MOST = 2000;

/** `tags[i]` is the width of the chip that marks result i as the source of stubs, or 0. */
export function measureOp(direction: Direction, node: LevelNode, feeds: readonly Feed[], tags: readonly number[]): Measured {
  let key = `${direction}${node.outs.length}\n${node.title}\n${node.note}\n${node.label}\n${node.type}\n${node.mark?.text ?? ""}`;
  for (const feed of feeds) {
    if (feed.kind === "literal") key += `\nl${feed.text}`;
    else if (feed.kind === "stub") key += `\n${feed.letter ? "s" : "S"}${feed.text}`;
    else key += feed.kind === "node" ? "\nn" : "\n";
  }
  for (const tag of tags) key += `\t${tag}`;
  let measured = known.get(key);
  if (!measured) {
    if (known.size >= KNOWN_MOST) known.clear();
    measured = measureAnew(direction, node, feeds, tags);
    known.set(key, measured);
  }
  return measured;
}

function measureAnew(direction: Direction, node: LevelNode, feeds: readonly Feed[], tags: readonly number[]): Measured {
  const title = textWidth(node.title, "op") + (node.note ? 6 + textWidth(node.note, "note") : 0);
  const line = (node.label ? textWidth(`${node.label} `, "own") : 0) + textWidth(node.type, "type");
  const before = chipRoom(direction, chipWidths(feeds));
  const after = chipRoom(
    direction,
    node.outs.map((_, i) => tags[i] ?? 0),
  );
  const said = textWidth(node.mark?.text ?? "", "own");
  const wide = Math.max(Math.max(title, line, said) + 2 * SIZE.boxPad, 44);
  const { across, along } = extents(direction, wide, textHeight(node));
  const gap = gapOf(direction);
  const w = even(Math.max(across, span(before.slots, gap) + 10, span(after.slots, gap) + 10));
  const at = spreadPorts(before.slots, w, gap);
  return {
    w,
    h: direction === "TB" ? along : even(along),
    ins: at,
    outs: through(feeds, at, after.slots, w) ?? spreadPorts(after.slots, w, gap),
    head: before.zone,
    tail: after.zone,
  };
}

/** What the lines of a box take on the screen. */
export function textHeight(node: LevelNode): number {
  return (node.type === "" ? SIZE.boxShort : SIZE.boxTall) + (node.mark?.text ? SIZE.boxMark : 0);
}

/** `room` is the least width its outer chip needs; the first of a group leaves room for the caption beside the wire. */
export function measurePill(direction: Direction, node: LevelNode, feeds: readonly Feed[], room: number, first: boolean): Measured {
  const port = node.outs[0] ?? node.ins[0];
  const captioned = first && port?.group;
  // Left to right it stands above the pill.
  const caption = captioned && direction === "TB" ? 2 * (textWidth(port.group, "caption") + CAPTION_ROOM) : 0;
  const { slots: ins, zone } = chipRoom(direction, chipWidths(feeds));
  const gap = gapOf(direction);
  const lines = pillTypes(node);
  const text = Math.max(textWidth(pillName(node), pillStyle(node)), ...lines.map((line) => textWidth(line, "type"))) + 2 * SIZE.pillPad;
  const fold = node.call ? SIZE.fold : 0;
  const { across, along } = extents(direction, Math.max(text + fold, 34), SIZE.pillShort + SIZE.pillLine * lines.length);
  const w = even(Math.max(across, caption, room, node.stands ? 0 : span(ins, gap) + 8));
  return {
    w,
    h: direction === "TB" ? along : even(along),
    ins: node.stands ? ins.map(() => w / 2) : slots(ins, w / 2, gap),
    outs: node.outs.map(() => w / 2),
    head: zone,
    tail: 0,
    lead: captioned && direction === "LR" ? SIZE.captionAbove : 0,
  };
}

const PILL_TEXT = 190;

export function pillStyle(node: LevelNode): TextStyle {
  return (node.outs[0] ?? node.ins[0])?.letter ? "letter" : "name";
}

export function pillName(node: LevelNode): string {
  return shorten(node.title, pillStyle(node), PILL_TEXT);
}

/** One line, or two where a row is taken or stacked: from what, and to what; then its notes. */
export function pillTypes(node: LevelNode): string[] {
  const types = node.type === "" ? [] : node.type.includes("\u2192") ? node.type.split(/ (?=\u2192)/) : [node.type];
  const notes = (node.outs[0] ?? node.ins[0])?.notes ?? [];
  return [...types, ...notes, ...(node.mark?.text ? [node.mark.text] : [])].map((line) => shorten(line, "type", PILL_TEXT));
}

export interface Group {
  name: string;
  role: PortInfo["role"];
  from: number;
  until: number;
}

/** Runs of neighbouring ports with the same caption. */
export function groupsOf(ports: readonly PortInfo[]): Group[] {
  const groups: Group[] = [];
  ports.forEach((port, i) => {
    const last = groups[groups.length - 1];
    if (last && last.name === port.group) last.until = i + 1;
    else groups.push({ name: port.group, role: port.role, from: i, until: i + 1 });
  });
  return groups;
}

export function measureClosed(direction: Direction, node: LevelNode, feeds: readonly Feed[], tags: readonly number[]): Measured {
  const gap = gapOf(direction);
  const before = chipRoom(direction, chipWidths(feeds));
  const after = chipRoom(
    direction,
    node.outs.map((_, i) => tags[i] ?? 0),
  );
  const ins = grouped(direction, node.ins, before.slots);
  const outs = grouped(direction, node.outs, after.slots);
  const title = SIZE.fold + textWidth(node.title, "title") + 2 * SIZE.boxPad;
  const inside = textWidth(node.call?.hint ?? "", "caption") + 16;
  const beside = captionRoom(direction, node.ins) + captionRoom(direction, node.outs);
  const wide = Math.max(title, inside, 72);
  const { across, along } = extents(direction, wide, SIZE.closedTitle + SIZE.caption);
  const w = even(Math.max(across, ins.total + 16, outs.total + 16));
  return {
    w,
    h: direction === "TB" ? along + beside : even(along + beside),
    ins: ins.at(w),
    outs: through(feeds, ins.at(w), after.slots, w) ?? outs.at(w),
    head: before.zone,
    tail: after.zone,
  };

  /** Slots with groups set apart, each large enough for its caption. */
  function grouped(way: Direction, ports: readonly PortInfo[], widths: number[]): { total: number; at: (w: number) => number[] } {
    const groups = groupsOf(ports);
    const extra = widths.map(() => 0);
    if (groups.every((group) => group.name === "")) return { total: span(widths, gap), at: (w) => spreadPorts(widths, w, gap) };
    groups.forEach((group, g) => {
      const own = span(widths.slice(group.from, group.until), gap);
      const needed = extents(way, textWidth(group.name, "caption") + 4, SIZE.portSlot).across;
      const missing = Math.max(0, needed - own);
      if (group.until - group.from === 1) widths[group.from]! += missing;
      else for (let i = group.from; i < group.until; i++) widths[i]! += missing / (group.until - group.from);
      if (g > 0) extra[group.from]! += SIZE.groupGap - SIZE.portGap;
    });
    return { total: span(widths, gap, extra), at: (w) => slots(widths, w / 2, gap, extra) };
  }
}

/** What the captions of a closed box take along the flow, on the edge where their ports are. */
export function captionRoom(direction: Direction, ports: readonly PortInfo[]): number {
  const named = groupsOf(ports).filter((group) => group.name !== "");
  if (named.length === 0) return 0;
  return extents(direction, Math.max(...named.map((group) => textWidth(group.name, "caption"))) + CAPTION_ROOM, SIZE.caption).along;
}

function even(w: number): number {
  return 2 * Math.ceil(w / 2);
}
