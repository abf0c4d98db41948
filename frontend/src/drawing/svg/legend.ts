/** What the lines and marks mean: one entry for each that occurs, and for no other, wrapped to the width of the picture. */
import type { Fill } from "../overlay/types.ts";
import type { Scene, WireRole } from "../scene.ts";
import { FONTS, textWidth } from "../text.ts";
import { EFFECT_DASH, LINES, MONO, RECOMPUTED_DASH } from "../theme.ts";
import { endMark } from "./ends.ts";
import { el, num, type SvgNode } from "./node.ts";
import type { Brush } from "./shapes.ts";

const ROW = 22;
const SAMPLE = 34;
const PAD = 24;
const BETWEEN = 26;
const ORDER: WireRole[] = ["const", "carry", "xs", "ys", "residual", "cotangent", "tangent"];

interface Entry {
  kind: WireRole | "effect" | "again" | "unread" | "literal" | "stub" | "name" | "letter" | "fill" | "text";
  text: string;
  fill?: Fill;
  /** Begins a row of its own. */
  row?: true;
}

function entries(scene: Scene): Entry[] {
  const found = new Set<string>(scene.wires.map((wire) => wire.role));
  for (const port of scene.ports) found.add(port.role);
  const list: Entry[] = ORDER.filter((role) => found.has(role)).map((role) => ({ kind: role, text: LINES[role].means }));
  if (scene.wires.some((wire) => wire.kind === "effect")) list.push({ kind: "effect", text: "a ref, from use to use" });
  if (scene.nodes.some((node) => node.recomputed)) list.push({ kind: "again", text: "computed again for the backward pass" });
  if (scene.nodes.some((node) => node.dim)) list.push({ kind: "unread", text: "nothing reads it" });
  if (scene.chips.some((chip) => chip.kind === "literal")) list.push({ kind: "literal", text: "a literal" });
  if (scene.chips.some((chip) => chip.kind === "stub")) list.push({ kind: "stub", text: "a value from elsewhere in the picture" });
  return [...list, ...names(scene), ...overlaid(scene)];
}

/** What the colours of the boxes mean, and what the numbers leave out. */
function overlaid({ overlay }: Scene): Entry[] {
  if (!overlay) return [];
  const swatches = overlay.swatches.map(({ fill, text }): Entry => ({ kind: "fill", fill, text }));
  return [
    { kind: "text", text: overlay.title, row: true },
    ...swatches,
    ...overlay.notes.map((text): Entry => ({ kind: "text", text, row: true })),
  ];
}

/** Of a pill that says when its branch runs: it is nobody's name. */
const WHEN = /^(true|false|= \d+)$/;

/** Only where both occur can one be taken for the other. */
function names(scene: Scene): Entry[] {
  const letter = scene.labels.find(({ style }) => style === "letter" || style === "stubletter");
  const name = scene.labels.some(({ style, full }) => (style === "name" || style === "own" || style === "stub") && !WHEN.test(full));
  if (!letter || !name) return [];
  return [
    { kind: "name", text: "a name in your code" },
    { kind: "letter", text: letter.text.startsWith("%") ? "a name in the module" : "a letter of JAX's" },
  ];
}

function place(scene: Scene): { entry: Entry; x: number; row: number }[] {
  let x = PAD;
  let row = 0;
  return entries(scene).map((entry) => {
    const w = entryWidth(entry);
    if (x > PAD && (x + w > scene.width - PAD || entry.row === true)) {
      x = PAD;
      row++;
    }
    const at = { entry, x, row };
    x += w + BETWEEN;
    return at;
  });
}

/** A legend that is wider than a small picture widens the paper. */
export function legendWidth(scene: Scene): number {
  return Math.max(scene.width, ...entries(scene).map((entry) => Math.ceil(entryWidth(entry) + 2 * PAD)));
}

function entryWidth(entry: Entry): number {
  return (entry.kind === "text" ? 0 : SAMPLE + 8) + textWidth(entry.text, "caption") * (11 / FONTS.caption.size);
}

export function legendHeight(scene: Scene): number {
  const placed = place(scene);
  const last = placed[placed.length - 1];
  return last ? (last.row + 1) * ROW + 18 : 0;
}

export function legend(scene: Scene, brush: Brush): SvgNode {
  const shapes = place(scene).flatMap(({ entry, x, row }) => {
    const y = scene.height + 8 + row * ROW + ROW / 2;
    const label = el("text", { ...brush("muted"), x: entry.kind === "text" ? x : x + SAMPLE + 8, y: y + 4, "font-size": 11 }, entry.text);
    return [...sample(entry, x, y, brush), label];
  });
  const rule = el("line", {
    ...brush("divider"),
    x1: PAD,
    x2: scene.width - PAD,
    y1: scene.height - 2,
    y2: scene.height - 2,
    "stroke-width": 1,
  });
  return el("g", {}, ...(shapes.length > 0 ? [rule, ...shapes] : []));
}

function sample({ kind, fill }: Entry, x: number, y: number, brush: Brush): SvgNode[] {
  if (kind === "text") return [];
  if (kind === "fill") {
    const rect = { x: x + 3, y: y - 7.5, width: SAMPLE - 6, height: 15, rx: 4, "stroke-width": 1 };
    return [el("rect", { ...brush("op"), ...brush(fill ?? "op"), ...rect })];
  }
  if (kind === "literal" || kind === "stub") {
    const paint = kind === "literal" ? brush("literal") : brush("pill-plain");
    const rect = { x: x + 3, y: y - 7.5, width: SAMPLE - 6, height: 15, rx: kind === "literal" ? 3 : 7.5, "stroke-width": 1 };
    const text = { ...brush("ink"), x: x + SAMPLE / 2, y: y + 3.4, "font-size": 9.5, "text-anchor": "middle", "font-family": MONO };
    return [
      el("rect", { ...paint, ...rect, "stroke-dasharray": kind === "literal" ? "2 2" : null }),
      kind === "literal" ? el("text", text, "2.0") : el("text", { ...text, "font-family": null, "font-weight": FONTS.stub.weight }, "w"),
    ];
  }
  if (kind === "name" || kind === "letter") {
    const font = FONTS[kind];
    const style = {
      "font-family": font.mono ? MONO : null,
      "font-style": font.italic ? "italic" : null,
      "font-weight": font.italic ? null : font.weight,
    };
    const about = { ...brush(font.italic ? "muted" : "ink"), x: x + SAMPLE / 2, y: y + 4, "font-size": font.size, "text-anchor": "middle" };
    return [el("text", { ...about, ...style }, "w")];
  }
  if (kind === "again" || kind === "unread") {
    const again = kind === "again";
    const rect = { x: x + 3, y: y - 7, width: SAMPLE - 6, height: 14, rx: again ? 5 : 7, "stroke-width": 1.25 };
    const style = again ? { "stroke-dasharray": RECOMPUTED_DASH } : { opacity: "0.55" };
    return [el("rect", { ...brush(again ? "again" : "pill-plain"), ...rect, ...style })];
  }
  const line = LINES[kind === "effect" ? "plain" : kind];
  const dash = kind === "effect" ? EFFECT_DASH : line.dash;
  const role = kind === "effect" ? "plain" : kind;
  const d = `M${num(x)} ${num(y)}h${SAMPLE - 6}`;
  const stroke = { d, "stroke-width": line.width, "stroke-dasharray": dash, "stroke-linecap": line.round ? "round" : null };
  const shapes = [el("path", { ...brush(`wire-${role}`), ...stroke })];
  if (line.double) shapes.push(el("path", { ...brush("inner0"), d, "stroke-width": 1 }));
  return [...shapes, endMark(brush, role, x + SAMPLE, y, "right")];
}
