/**
 * The picture that goes with a link in chats and posts, 1200 x 630: what the program is on the left, the drawing on the right, as much of it as
 * can be read there. Of a program that is too large to be read, the upper part; of a link without a drawing, its code.
 */
import type { Scene, TextStyle } from "../scene.ts";
import { legend, legendHeight } from "../svg/legend.ts";
import { el, type SvgNode } from "../svg/node.ts";
import { brushOf, spokenAlt } from "../svg/picture.ts";
import { sceneToSvg } from "../svg/render.ts";
import { FONTS, shorten, textWidth } from "../text.ts";
import { LIGHT, MONO, SANS } from "../theme.ts";
import type { Facts } from "./facts.ts";

export const CARD = { width: 1200, height: 630 };
const SIDE = { x: 48, width: 324 };
const PANEL = { x: 412, pad: 22 };
const ROOM = { width: CARD.width - PANEL.x - 2 * PANEL.pad, height: CARD.height - 2 * PANEL.pad };
/** Smaller, the text of the drawing is not read; larger, it looks like a toy. */
const LEAST = 0.55;
const MOST = 1.5;
const LEVELS: Record<string, string> = { stablehlo: "StableHLO", hlo: "optimised HLO" };
const FADE = { steps: 24, size: 6 };
const CODE = { size: 17, line: 25, lines: 23 };

export interface Side {
  readonly title: string;
  /** `jaxpr`, `stablehlo`, ... */
  readonly level: string;
  readonly facts: Facts;
}

/** How much a scene has to be made smaller to be seen whole. */
export function scaleFor({ width, height }: Scene): number {
  return Math.min(MOST, ROOM.width / width, ROOM.height / height);
}

/** The scene, or one of those with less open: the first that can be read as a whole, else the one that comes next to it. */
export function readable(scene: Scene, others: Iterable<Scene>): Scene {
  let best = scene;
  if (scaleFor(best) >= LEAST) return best;
  for (const other of others) {
    if (scaleFor(other) > scaleFor(best)) best = other;
    if (scaleFor(best) >= LEAST) break;
  }
  return best;
}

export function cardOf(side: Side, scene: Scene): SvgNode {
  return framed(side, spokenAlt(side.title, scene), drawing(scene), rolesOf(scene));
}

/** Where there is no drawing: the code, as far as it goes. */
export function codeCard(side: Side, code: string): SvgNode {
  const width = (ROOM.width - PANEL.pad) / (CODE.size / FONTS.type.size);
  const lines = code.split(/\r\n?|\n/).slice(0, CODE.lines);
  const about = { fill: LIGHT.ink, "font-family": MONO, "font-size": CODE.size, "xml:space": "preserve" };
  const texts = lines.map((line, at) =>
    el(
      "text",
      { ...about, x: PANEL.x + 2 * PANEL.pad, y: PANEL.pad + 30 + at * CODE.line },
      shorten(line.replaceAll("\t", "    "), "type", width),
    ),
  );
  return framed(side, `${side.title}: code, not drawn.`, texts, []);
}

function framed({ title, level, facts }: Side, alt: string, panel: readonly SvgNode[], roles: readonly SvgNode[]): SvgNode {
  const rule = { stroke: LIGHT.line, x1: PANEL.x, x2: PANEL.x, y1: 0, y2: CARD.height, "stroke-width": 1 };
  const about = { xmlns: "http://www.w3.org/2000/svg", ...CARD, viewBox: `0 0 ${CARD.width} ${CARD.height}` };
  return el(
    "svg",
    { ...about, role: "img", "aria-label": alt, "font-family": SANS },
    el("title", {}, title),
    el("rect", { ...CARD, fill: LIGHT.background }),
    ...panel,
    el("rect", { width: PANEL.x, height: CARD.height, fill: LIGHT.surface }),
    el("line", rule),
    ...heading(title, level, facts),
    ...roles,
    line("jaxpr visualizer", CARD.height - 40, 15, LIGHT.muted, "title"),
  );
}

function heading(title: string, level: string, { size, inputs, results }: Facts): SvgNode[] {
  const found: SvgNode[] = [line(LEVELS[level] ?? level, 66, 16, LIGHT.muted, "title")];
  let y = 76;
  for (const part of wrapped(title)) {
    y += 38;
    found.push(line(part, y, 32, LIGHT.ink, "title"));
  }
  y += 12;
  if (size !== "") {
    y += 24;
    found.push(line(size, y, 16, LIGHT.muted, "name", "normal"));
  }
  for (const [word, types] of [["takes", inputs] as const, ["gives", results] as const]) {
    if (types.length === 0) continue;
    y += 30;
    found.push(line(word, y, 13, LIGHT.muted, "title"));
    for (const type of types) {
      y += 20;
      found.push(line(type, y, 15, LIGHT.ink, "type"));
    }
  }
  return found;
}

function line(text: string, y: number, size: number, fill: string, style: TextStyle, weight?: string): SvgNode {
  const { mono, weight: usual } = FONTS[style];
  const shown = shorten(text, style, SIDE.width / (size / FONTS[style].size));
  return el("text", { x: SIDE.x, y, fill, "font-size": size, "font-weight": weight ?? usual, "font-family": mono ? MONO : null }, shown);
}

/** A name in up to three lines, broken where words end: names are long, and made of words by points, brackets and underlines. */
function wrapped(title: string): string[] {
  const width = SIDE.width / (32 / FONTS.title.size);
  const lines: string[] = [""];
  for (const word of title.split(/(?<=[\s.,(_=])/)) {
    const last = lines.at(-1)!;
    if (last !== "" && textWidth(last + word, "title") > width) {
      if (lines.length === 3) {
        lines[2] = `${last}${word}\u2026`;
        break;
      }
      lines.push(word);
    } else lines[lines.length - 1] = last + word;
  }
  return lines;
}

/** The roles that occur, in a column of their own; the other signs explain themselves less well in little space. */
function rolesOf(scene: Scene): SvgNode[] {
  const narrow = { ...scene, nodes: [], chips: [], labels: [], width: SIDE.width + 24, height: 0 };
  const { overlay: _, ...plain } = narrow;
  const height = legendHeight(plain);
  if (height === 0) return [];
  const made = legend(plain, brushOf(plain, { theme: "light" }));
  // Without its rule: nothing stands above it that it would have to be parted from.
  const entries = made.children.filter((child) => typeof child !== "string" && child.tag !== "line");
  return [el("g", { transform: `translate(${SIDE.x - 24} ${CARD.height - 74 - height})` }, ...(entries as SvgNode[]))];
}

function drawing(scene: Scene): SvgNode[] {
  const scale = Math.max(LEAST, scaleFor(scene));
  const [w, h] = [scene.width * scale, scene.height * scale];
  const x = PANEL.x + Math.max(0, (CARD.width - PANEL.x - w) / 2);
  const y = Math.max(0, (CARD.height - h) / 2);
  const [width, height] = [Math.min(w, CARD.width - x), Math.min(h, CARD.height - y)];
  const { children } = sceneToSvg(scene, { theme: "light", legend: false });
  const inner = children.filter((child) => typeof child !== "string" && child.tag !== "title" && child.tag !== "desc");
  const view = `0 0 ${width / scale} ${height / scale}`;
  const made = [el("svg", { x, y, width, height, viewBox: view }, ...inner)];
  if (h > height) made.push(...fade(PANEL.x, CARD.height, CARD.width - PANEL.x, 0));
  if (w > width) made.push(...fade(CARD.width, 0, 0, CARD.height));
  return made;
}

/** That it goes on beyond the edge. In steps, because a gradient would need an id. */
function fade(x: number, y: number, width: number, height: number): SvgNode[] {
  return Array.from({ length: FADE.steps }, (_, at) => {
    const deep = (FADE.steps - at) * FADE.size;
    const box = width > 0 ? { x, y: y - deep, width, height: FADE.size } : { x: x - deep, y, width: FADE.size, height };
    return el("rect", { ...box, fill: LIGHT.background, opacity: ((at + 1) / FADE.steps) ** 1.4 });
  });
}
