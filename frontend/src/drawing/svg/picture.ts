/**
 * A scene as layers of things that are made into markup when they are wanted: all of them for a file, those in sight on a screen. In painting
 * order; the same for both.
 */
import type { Slices } from "../../model/slices.ts";
import type { Box, Frame, Label, Scene, SceneItem, Wire } from "../scene.ts";
import { DARK, LIGHT, type Palette, SANS } from "../theme.ts";
import { legendHeight, legendWidth } from "./legend.ts";
import { el, num, type SvgNode } from "./node.ts";
import { darkSheet, overlayPaints, type Paint, paints } from "./paint.ts";
import type { Brush, Pen, Stroke } from "./shapes.ts";
import * as shapes from "./shapes.ts";

export interface SvgOptions {
  theme: "light" | "dark" | "auto";
  /** The `<title>` of the picture. */
  title?: string;
  /** Alt text: what is spoken of a picture that stands alone; by default the title and what is in it. */
  alt?: string | null;
  /** Width of a picture that stands alone, in pixels; its height follows. */
  width?: number | null;
  /** Adds data-key, data-eqn, data-value, data-toggle, roles, labels and tabindex. */
  interactive?: boolean;
  /** Adds a legend of the roles that occur below the picture; default true when static, false when interactive. */
  legend?: boolean;
}

/** One layer of a picture: things that are made into markup when they are wanted, in painting order. */
export interface PictureLayer {
  /** The element that holds them. */
  readonly shell: SvgNode;
  readonly count: number;
  /** Left, top, right and bottom of each. */
  readonly bounds: Float64Array;
  /** What a thing shows, for marks; null for furniture. */
  item(at: number): Pick<SceneItem, "key" | "eqn" | "value"> | null;
  /** Small print: not worth drawing from afar. */
  readonly fine: boolean;
  make(at: number): SvgNode;
}

export interface Picture {
  readonly root: SvgNode;
  /** What stands before the layers: words for assistive technology, the background. */
  readonly ground: readonly SvgNode[];
  readonly layers: readonly PictureLayer[];
}

/** Things between two stops of the slices. */
const SLICE = 4000;

export function hasLegend(options: SvgOptions): boolean {
  return options.legend ?? options.interactive !== true;
}

export function brushOf(scene: Scene, options: SvgOptions): Brush {
  const table = paintsFor(scene, options.theme === "dark" ? DARK : LIGHT);
  return (name) => attributes(name, table[name] ?? {});
}

function paintsFor(scene: Scene, palette: Palette): Record<string, Paint> {
  return { ...paints(palette), ...(scene.overlay ? overlayPaints(palette) : {}) };
}

/** The picture of a scene, its parts ready to be made. In slices: of fifty thousand boxes even the list takes a while. */
export function* pictured(scene: Scene, options: SvgOptions): Slices<Picture> {
  const brush = brushOf(scene, options);
  const interactive = options.interactive === true;
  const pen: Pen = { brush, interactive, direction: scene.direction, surfaceOf: surfaces(scene.frames) };
  const title = options.title ?? "Program";
  const withLegend = hasLegend(options);
  const width = withLegend ? legendWidth(scene) : scene.width;
  const height = scene.height + (withLegend ? legendHeight(scene) : 0);
  // Plates are items of their own: they light and dim with their wire.
  const plates: Label[] = [];
  const owned = new Map<string, Label[]>();
  for (const [i, label] of scene.labels.entries()) {
    if (label.plate) plates.push(label);
    else {
      const owner = label.owner ?? "";
      const list = owned.get(owner);
      if (list) list.push(label);
      else owned.set(owner, [label]);
    }
    if (i % SLICE === 0) yield;
  }
  const frameKeys = new Set(scene.frames.map((frame) => frame.key));
  const texts = (owner: string): SvgNode[] => (owned.get(owner) ?? []).map((label) => shapes.text(pen, label));
  const strokes = yield* strokesOf(scene.wires);
  const ports = interactive ? scene.ports : scene.ports.filter((port) => shapes.portIsShown(port, frameKeys));
  const alone = owned.get("") ?? [];
  const g = (): SvgNode => el("g", {});
  const layers = [
    yield* layerOf(g(), scene.frames, boxOf, (frame) => shapes.frameShape(pen, frame)),
    yield* layerOf(g(), scene.rules, boxOf, (rule) => shapes.ruleShape(pen, rule)),
    yield* layerOf(el("g", { fill: "none" }), strokes, boundsOfStroke, (stroke) => shapes.strokeShape(pen, stroke, frameKeys), {
      item: (stroke) => (stroke.part === "wire" ? stroke.wire : null),
    }),
    yield* layerOf(g(), scene.frames, boxOf, (frame) => shapes.frameTitle(pen, frame, owned.get(frame.key) ?? [])),
    yield* layerOf(g(), plates, boxOf, (label) => shapes.plate(pen, label), {
      item: (label) => ({ ...label, key: label.wire ?? label.key }),
    }),
    yield* layerOf(g(), scene.nodes, boxOf, (node) => shapes.nodeShape(pen, node, texts(node.key))),
    yield* layerOf(g(), ports, boxOf, (port) => shapes.portShape(pen, port, frameKeys), { fine: true }),
    yield* layerOf(g(), scene.chips, boxOf, (chip) => shapes.chipShape(pen, chip, texts(chip.key)), { fine: true }),
    yield* layerOf(g(), alone, boxOf, (label) => shapes.text(pen, label), { fine: true, item: () => null }),
  ];
  const ground = [el("title", {}, title), el("desc", {}, describe(scene))];
  if (options.theme === "auto") ground.push(el("style", {}, darkSheet(paintsFor(scene, DARK))));
  ground.push(el("rect", { ...brush("background"), x: 0, y: 0, width, height }));
  const scale = options.width == null ? 1 : options.width / width;
  const root = el("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width: width * scale,
    height: height * scale,
    viewBox: `0 0 ${num(width)} ${num(height)}`,
    role: interactive ? "group" : "img",
    "aria-label": interactive ? title : (options.alt ?? spokenAlt(title, scene)),
    "font-family": SANS,
  });
  return { root, ground, layers };
}

interface About<T> {
  readonly fine?: boolean;
  item?(thing: T): Pick<SceneItem, "key" | "eqn" | "value"> | null;
}

function* layerOf<T extends object>(
  shell: SvgNode,
  things: readonly T[],
  bounds: (thing: T) => readonly [number, number, number, number],
  make: (thing: T) => SvgNode,
  about: About<T> = {},
): Slices<PictureLayer> {
  const all = new Float64Array(4 * things.length);
  for (const [i, thing] of things.entries()) {
    all.set(bounds(thing), 4 * i);
    if (i % SLICE === 0) yield;
  }
  const item = about.item ?? ((thing: T) => thing as unknown as SceneItem);
  return {
    shell,
    count: things.length,
    bounds: all,
    fine: about.fine === true,
    item: (at) => item(things[at]!),
    make: (at) => make(things[at]!),
  };
}

function boxOf({ box }: { box: Box }): [number, number, number, number] {
  return [box.x, box.y, box.x + box.w, box.y + box.h];
}

/** Wires of one port are drawn together, halos first: where wires of different values cross, the later one bridges the earlier. */
function* strokesOf(wires: readonly Wire[]): Slices<Stroke[]> {
  const trunks = new Map<string, Wire[]>();
  for (const [i, wire] of wires.entries()) {
    const trunk = trunks.get(wire.from);
    if (trunk) trunk.push(wire);
    else trunks.set(wire.from, [wire]);
    if (i % SLICE === 0) yield;
  }
  const strokes: Stroke[] = [];
  for (const trunk of trunks.values()) {
    for (const wire of trunk) strokes.push({ wire, part: "halo" });
    for (const wire of trunk) strokes.push({ wire, part: "wire" });
    // The value before it is anything to anyone.
    const longest = trunk.reduce((best, wire) => ((wire.trunk?.length ?? 0) > (best.trunk?.length ?? 0) ? wire : best), trunk[0]!);
    if (longest.trunk !== null) strokes.push({ wire: longest, part: "trunk-halo" }, { wire: longest, part: "trunk" });
    if (strokes.length % SLICE < 8) yield;
  }
  return strokes;
}

function boundsOfStroke({ wire: { points, box } }: Stroke): [number, number, number, number] {
  if (points.length < 4) return boxOf({ box });
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at]!, points[at + 1]!];
    [x0, y0, x1, y1] = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x), Math.max(y1, y)];
  }
  return [x0 - 4, y0 - 4, x1 + 4, y1 + 4];
}

function attributes(name: string, paint: Paint): Record<string, string> {
  const attrs: Record<string, string> = { class: `jv-${name}` };
  if (paint.fill) attrs.fill = paint.fill;
  if (paint.stroke) attrs.stroke = paint.stroke;
  return attrs;
}

function describe(scene: Scene): string {
  const names = scene.nodes.filter((node) => node.kind === "op" || node.kind === "closed").map((node) => node.title);
  const inputs = scene.nodes.filter((node) => node.kind === "input").map((node) => node.title);
  const outputs = scene.nodes.filter((node) => node.kind === "output").map((node) => node.title);
  const frames = scene.frames.map((frame) => frame.title);
  const parts = [
    inputs.length > 0 ? `Inputs ${inputs.join(", ")}.` : "",
    frames.length > 0 ? `Open: ${frames.join(", ")}.` : "",
    `${names.length} ${names.length === 1 ? "box" : "boxes"}: ${names.slice(0, 40).join(", ")}${names.length > 40 ? " and more" : ""}.`,
    outputs.length > 0 ? `Results ${outputs.join(", ")}.` : "",
  ];
  return parts.filter(Boolean).join(" ");
}

/** Longer alt texts are cut off by screen readers, or not listened to. */
const MOST_ALT = 250;

/** What a picture shows, in one breath. */
export function spokenAlt(title: string, scene: Scene): string {
  const text = `${title}: dataflow graph. ${describe(scene)}`;
  return text.length <= MOST_ALT ? text : `${text.slice(0, text.lastIndexOf(" ", MOST_ALT - 1)).replace(/[,.]$/, "")} \u2026`;
}

/** The innermost frame at a point decides the surface: every other depth is white. */
function surfaces(frames: readonly Frame[]): (x: number, y: number) => 0 | 1 {
  return (x, y) => {
    let depth = 0;
    for (const { box, depth: d } of frames) {
      if (d > depth && x >= box.x && x <= box.x + box.w && y > box.y && y < box.y + box.h) depth = d;
    }
    return (depth % 2) as 0 | 1;
  };
}
