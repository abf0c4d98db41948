/** Where the parts of the picture are collected, and the small makers that every emitter uses. */
import { onScreen } from "../axes.ts";
import type { PortInfo } from "../graph/level.ts";
import type { Box, Direction, Label, Scene, TextStyle, WireRole } from "../scene.ts";
import { FONTS, textWidth } from "../text.ts";

export type Sink = Scene;

export function emptyScene(direction: Direction = "TB"): Sink {
  return { direction, width: 0, height: 0, frames: [], nodes: [], ports: [], wires: [], chips: [], labels: [], rules: [], folds: [] };
}

/** From the coordinates of a level to those of the picture: x across the flow, y along it (axes.ts puts them on the screen). */
export interface View {
  x: number;
  y: number;
  height: number;
  up: boolean;
  depth: number;
}

/** The place along the flow of `s`, which grows with the flow of the level. */
export function along(view: View, s: number): number {
  return view.up ? view.y + view.height - s : view.y + s;
}

export interface TextOptions {
  full?: string;
  anchor?: Label["anchor"];
  rotate?: Label["rotate"];
  role?: WireRole | null;
  dim?: boolean;
  owner?: string | null;
  wire?: string | null;
  plate?: boolean;
  eqn?: string | null;
  value?: string | null;
}

/** Text on one line; y is the baseline. */
export function addText(sink: Sink, key: string, text: string, style: TextStyle, x: number, y: number, options: TextOptions = {}): void {
  if (text === "") return;
  const {
    full = text,
    anchor = "start",
    rotate = 0,
    role = null,
    dim = false,
    owner = null,
    wire = null,
    plate = rotate !== 0,
    eqn = null,
    value = null,
  } = options;
  const w = textWidth(text, style);
  const { size } = FONTS[style];
  const left = anchor === "middle" ? x - w / 2 : anchor === "end" ? x - w : x;
  let box: Box = { x: left, y: y - 0.78 * size, w, h: size };
  if (rotate !== 0) box = { x: x - size / 2, y: y - w / 2, w: size, h: w };
  sink.labels.push({ key, box, eqn, value, hint: "", text, full, style, x, y, anchor, rotate, wire, plate, owner, role, dim });
}

/** Baseline that centres a line of this style on `middle`. */
export function baseline(style: TextStyle, middle: number): number {
  return middle + 0.36 * FONTS[style].size;
}

const DOT = 2.5;

/** At a place across and along the flow. */
export function addPort(
  sink: Sink,
  owner: string,
  direction: "in" | "out",
  index: number,
  info: PortInfo,
  x: number,
  y: number,
  eqn: string | null,
): string {
  const key = portKey(owner, direction, index);
  const box = onScreen(sink.direction, { x: x - DOT, y: y - DOT, w: 2 * DOT, h: 2 * DOT });
  const { name, letter, type, used, value, hint } = info;
  sink.ports.push({ key, box, eqn, value, hint, owner, direction, index, role: showRole(info), name, letter, type, used });
  return key;
}

export function portKey(owner: string, direction: "in" | "out", index: number): string {
  return `${owner}>${direction}${index}`;
}

/** The role that a port or pill shows: that of the primitive, else what autodiff says. */
export function showRole(info: PortInfo): WireRole {
  if (info.role !== "plain") return info.role;
  return info.cotangent ? "cotangent" : info.tangent ? "tangent" : "plain";
}
