/** What each thing of a scene looks like. The order in which they are painted is that of picture.ts. */
import type { Chip, Direction, Frame, Label, Node, Port, Rule, SceneItem, Wire } from "../scene.ts";
import { FONTS, knownWidth } from "../text.ts";
import { CABLE, EFFECT_DASH, LINES, MONO, RECOMPUTED_DASH } from "../theme.ts";
import { endMark } from "./ends.ts";
import { el, num, type SvgNode } from "./node.ts";

/** Class and colours of one kind of element. */
export type Brush = (name: string) => Record<string, string>;

export interface Pen {
  brush: Brush;
  interactive: boolean;
  /** Of the picture's flow. */
  direction: Direction;
  /** Surface (0 or 1) on which each frame's content is drawn. */
  surfaceOf: (x: number, y: number) => 0 | 1;
}

/** A wire, the halo under it, or the plain line over the part that wires of several roles share, with its own halo. */
export interface Stroke {
  readonly wire: Wire;
  readonly part: "halo" | "wire" | "trunk-halo" | "trunk";
}

function data(pen: Pen, item: SceneItem): Record<string, string | null> {
  if (!pen.interactive) return {};
  return { "data-key": item.key, "data-eqn": item.eqn, "data-value": item.value };
}

function hint(pen: Pen, item: SceneItem): SvgNode[] {
  return pen.interactive && item.hint !== "" ? [el("title", {}, item.hint)] : [];
}

export function frameShape(pen: Pen, frame: Frame): SvgNode {
  const { x, y, w, h } = frame.box;
  const repeats = frame.kind === "scan" || frame.kind === "while";
  const sheets = repeats ? paper(pen, frame.box, frame.up) : [];
  const dash = frame.kind === "body" ? "2 3" : null;
  const rect = el("rect", {
    ...pen.brush(`frame${frame.depth % 2}`),
    x,
    y,
    width: w,
    height: h,
    rx: 12,
    "stroke-width": 1.25,
    "stroke-dasharray": dash,
  });
  return el("g", data(pen, frame), ...sheets, rect);
}

/** Two edges of further sheets on the side of the results: it runs more than once. */
function paper(pen: Pen, { x, y, w, h }: Frame["box"], up: boolean, radius = 12): SvgNode[] {
  return [6, 3].map((d) => el("rect", { ...pen.brush("frame1"), ...aside(d), width: w, height: h, rx: radius, "stroke-width": 1 }));

  function aside(d: number): { x: number; y: number } {
    const by = up ? -d : d;
    return pen.direction === "TB" ? { x: x + d, y: y + by } : { x: x + by, y: y + d };
  }
}

export function frameTitle(pen: Pen, frame: Frame, labels: readonly Label[]): SvgNode {
  const shapes: (SvgNode | string)[] = labels.map((label) => text(pen, label));
  if (frame.fold === null || frame.toggle === null) return el("g", data(pen, frame), ...shapes);
  const { x, y } = frame.fold;
  const title = labels.find((label) => label.style === "title");
  const hit = title
    ? { x: x - 4, y: y - 6, width: title.box.x + title.box.w - x + 8, height: 22 }
    : { x: x - 4, y: y - 6, width: 22, height: 22 };
  const triangle = el("path", { ...pen.brush("fold"), d: `M${num(x)} ${num(y + 2)}h9l-4.5 6z` });
  if (!pen.interactive) return el("g", {}, triangle, ...shapes);
  const others = labels.filter((label) => label !== title).map((label) => text(pen, label));
  const button = el(
    "g",
    {
      ...data(pen, frame),
      "data-toggle": frame.toggle,
      role: "button",
      tabindex: 0,
      "aria-expanded": "true",
      "aria-label": `${title?.text ?? frame.title}, close`,
      class: "jv-toggle",
    },
    ...hint(pen, frame),
    el("rect", { ...hit, rx: 4, fill: "transparent", class: "jv-hit" }),
    triangle,
    ...(title ? [text(pen, title)] : []),
  );
  return el("g", {}, button, ...others);
}

export function nodeShape(pen: Pen, node: Node, texts: SvgNode[]): SvgNode {
  const { x, y, w, h } = node.box;
  const rect = { x, y, width: w, height: h };
  const about = { ...data(pen, node), ...(node.dim ? { opacity: "0.55" } : {}) };
  if (node.kind === "op") {
    return el(
      "g",
      about,
      ...hint(pen, node),
      el("rect", { ...laid(pen, node.recomputed ? "again" : "op", node), ...rect, ...again(node), rx: 7, "stroke-width": 1.25 }),
      ...peak(pen, node, 7),
      ...texts,
    );
  }
  if (node.kind !== "closed") {
    const line = node.role === "plain" ? 1.25 : 1.5;
    const shape = el("rect", { ...laid(pen, `pill-${node.role}`, node), ...rect, rx: Math.min(h / 2, 12), "stroke-width": line });
    return el("g", { ...about, ...button(pen, node, texts) }, ...hint(pen, node), shape, ...triangle(pen, node), ...texts);
  }
  const sheets = node.call === "scan" || node.call === "while" ? paper(pen, node.box, node.up, 9) : [];
  const shape = el("rect", { ...laid(pen, "closed", node), ...rect, ...again(node), rx: 9, "stroke-width": 1.25 });
  const marked = [shape, ...peak(pen, node, 9)];
  return el("g", { ...about, ...button(pen, node, texts) }, ...hint(pen, node), ...sheets, ...marked, ...triangle(pen, node), ...texts);
}

function laid(pen: Pen, name: string, { fill }: Node): Record<string, string> {
  const under = pen.brush(name);
  if (!fill) return under;
  const over = pen.brush(fill);
  return { ...under, ...over, class: `${under.class} ${over.class}` };
}

/** A second line around the box where the memory is at its peak: not colour alone. */
function peak(pen: Pen, { peak: isPeak, box: { x, y, w, h } }: Node, radius: number): SvgNode[] {
  if (isPeak !== true) return [];
  const around = { x: x - 3, y: y - 3, width: w + 6, height: h + 6, rx: radius + 3 };
  return [el("rect", { ...pen.brush("peak"), fill: "none", ...around, "stroke-width": 1.5 })];
}

/** What a backward pass computes again has a broken border. */
function again({ recomputed }: Node): Record<string, string> {
  return recomputed ? { "stroke-dasharray": RECOMPUTED_DASH } : {};
}

function triangle(pen: Pen, { fold }: Node): SvgNode[] {
  return fold ? [el("path", { ...pen.brush("fold"), d: `M${num(fold.x + 2)} ${num(fold.y)}v9l6-4.5z` })] : [];
}

/** What makes a node something that can be opened. Its name begins with what is written on it (WCAG 2.5.3). */
function button(pen: Pen, { toggle, title }: Node, texts: readonly SvgNode[]): Record<string, string | number> {
  if (!pen.interactive || toggle === null) return {};
  return {
    "data-toggle": toggle,
    role: "button",
    tabindex: 0,
    "aria-expanded": "false",
    "aria-label": `${texts.map(written).join(" ") || title}, open`,
    class: "jv-toggle",
  };
}

function written({ children }: SvgNode): string {
  return children.map((child) => (typeof child === "string" ? child : written(child))).join("");
}

/** Half way along the flow from where it starts. */
function surfaceUnder(pen: Pen, { points }: Wire): 0 | 1 {
  const [x0, y0, x1, y1] = [points[0]!, points[1]!, points[points.length - 2]!, points[points.length - 1]!];
  return pen.direction === "TB" ? pen.surfaceOf(x0, (y0 + y1) / 2) : pen.surfaceOf((x0 + x1) / 2, y0);
}

function wireShape(pen: Pen, wire: Wire, frames: ReadonlySet<string>): SvgNode {
  const line = LINES[wire.role];
  const n = wire.points.length;
  const [x, y] = [wire.points[n - 2]!, wire.points[n - 1]!];
  const heading = pen.direction === "TB" ? (y >= wire.points[n - 3]! ? "down" : "up") : x >= wire.points[n - 4]! ? "right" : "left";
  // A wire that ends on the border of an open frame goes on inside of it.
  const through = frames.has(wire.to.replace(/>(in|out)\d+$/, ""));
  const dash = wire.kind === "effect" ? EFFECT_DASH : line.dash;
  const stroke = { d: wire.d, "stroke-width": line.width, "stroke-dasharray": dash, "stroke-linecap": line.round ? "round" : null };
  const shapes = [el("path", { ...pen.brush(`wire-${wire.role}`), ...stroke })];
  if (line.double) shapes.push(el("path", { ...pen.brush(`inner${surfaceUnder(pen, wire)}`), d: wire.d, "stroke-width": 1 }));
  if (!through) shapes.push(endMark(pen.brush, wire.role, x, y, heading));
  if (wire.cable !== null && (wire.carries || pen.interactive)) {
    const thick = el("path", { ...pen.brush(`wire-${wire.role}`), d: wire.cable, "stroke-width": CABLE, "stroke-dasharray": line.dash });
    if (wire.carries)
      shapes.push(el("path", { ...pen.brush(`halo${surfaceUnder(pen, wire)}`), d: wire.cable, "stroke-width": CABLE + 3 }), thick);
    // In the page the others have it, too, to be seen where they are lit.
    else shapes.push(el("g", { class: "jv-shared" }, thick));
  }
  return el("g", data(pen, wire), ...hint(pen, wire), ...shapes);
}

export function portIsShown(port: Port, frames: ReadonlySet<string>): boolean {
  return port.direction === "out" || frames.has(port.owner);
}

export function portShape(pen: Pen, port: Port, frames: ReadonlySet<string>): SvgNode {
  const x = port.box.x + port.box.w / 2;
  const y = port.box.y + port.box.h / 2;
  const shown = portIsShown(port, frames);
  const radius = shown ? (frames.has(port.owner) ? 3 : 2.25) : 5;
  const paint = shown ? pen.brush(`dot-${port.role}`) : { fill: "transparent" };
  const attrs = { ...data(pen, port), ...paint, cx: x, cy: y, r: radius, ...(port.used ? {} : { opacity: "0.45" }) };
  return el("circle", attrs, ...hint(pen, port));
}

export function chipShape(pen: Pen, chip: Chip, texts: SvgNode[]): SvgNode {
  const { x, y, w, h } = chip.box;
  const literal = chip.kind === "literal";
  const paint = literal ? pen.brush("literal") : pen.brush(`pill-${chip.role}`);
  const rect = el("rect", {
    ...paint,
    x,
    y,
    width: w,
    height: h,
    rx: literal ? 3 : h / 2,
    "stroke-width": 1,
    "stroke-dasharray": literal ? "2 2" : null,
  });
  return el("g", data(pen, chip), ...hint(pen, chip), rect, ...texts);
}

export function ruleShape(pen: Pen, rule: Rule): SvgNode {
  const { x, y, w, h } = rule.box;
  return el("line", { ...pen.brush("divider"), x1: x, y1: y, x2: x + w, y2: y + h, "stroke-width": 1 });
}

export function text(pen: Pen, label: Label, more: Record<string, string> = {}): SvgNode {
  const font = FONTS[label.style];
  const paint = label.role ? `text-${label.role}` : label.dim ? "muted" : "ink";
  const attrs = {
    ...pen.brush(paint),
    x: label.x,
    y: label.y,
    "font-size": font.size,
    "font-weight": font.weight === 400 ? null : font.weight,
    "font-family": font.mono ? MONO : null,
    "font-style": font.italic ? "italic" : null,
    "text-anchor": label.anchor === "start" ? null : label.anchor,
    transform: label.rotate === 0 ? null : `rotate(${label.rotate} ${num(label.x)} ${num(label.y)})`,
    ...(pen.interactive ? {} : fitted(label)),
  };
  return el("text", { ...attrs, ...more }, label.text);
}

/** A file meets fonts that are wider than ours: the text then takes the room that was measured for it, and no more. */
function fitted({ text, style }: Label): Record<string, string | number> {
  const width = knownWidth(text, style);
  return width === null || text.length < 2 ? {} : { textLength: width, lengthAdjust: "spacingAndGlyphs" };
}

/** Text that stands on wires: a plate under it keeps it legible. */
export function plate(pen: Pen, label: Label): SvgNode {
  const { box } = label;
  const about = pen.interactive ? { "data-key": label.wire ?? label.key, "data-eqn": label.eqn, "data-value": label.value } : {};
  const flat = label.rotate === 0;
  const [px, py] = flat ? [7, 3] : [3, 6];
  const rect = { x: box.x - px, y: box.y - py, width: box.w + 2 * px, height: box.h + 2 * py, rx: flat ? 7.5 : 6, "stroke-width": 1 };
  const words = text(pen, label, flat ? {} : { dy: "0.36em" });
  return el("g", about, el("rect", { ...pen.brush(`loop-${label.role ?? "plain"}`), ...rect }), words);
}

export function strokeShape(pen: Pen, { wire, part }: Stroke, frames: ReadonlySet<string>): SvgNode {
  if (part === "wire") return wireShape(pen, wire, frames);
  if (part === "trunk") return el("path", { ...pen.brush("wire-plain"), d: wire.trunk, "stroke-width": LINES.plain.width });
  const halo = pen.brush(`halo${surfaceUnder(pen, wire)}`);
  if (part === "halo") return el("path", { ...halo, d: wire.d, "stroke-width": LINES[wire.role].width + 3.5 });
  return el("path", { ...halo, d: wire.trunk, "stroke-width": 3.5 });
}
