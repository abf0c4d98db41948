/** End marks, drawn as shapes because markers would need ids. */
import type { WireRole } from "../scene.ts";
import { LINES } from "../theme.ts";
import { el, num, type SvgNode } from "./node.ts";
import type { Brush } from "./shapes.ts";

/** Where a wire goes as it ends. */
export type Heading = "down" | "up" | "right" | "left";

/** The mark of a role with its tip at (x, y). */
export function endMark(brush: Brush, role: WireRole, x: number, y: number, heading: Heading): SvgNode {
  const { end } = LINES[role];
  const s = heading === "down" || heading === "right" ? -1 : 1;
  const level = heading === "right" || heading === "left";
  /** By so much across the wire, and back along it. */
  const by = (across: number, back: number): string => (level ? `l${num(back * s)} ${num(across)}` : `l${num(across)} ${num(back * s)}`);
  if (end === "diamond") {
    const d = `M${num(x)} ${num(y)}${by(-3.2, 4.5)}${by(3.2, 4.5)}${by(3.2, -4.5)}z`;
    return el("path", { ...brush(`open-${role}`), d, "stroke-width": 1.25 });
  }
  const d = `M${num(x)} ${num(y)}${by(-3.4, 6.5)}${level ? "v" : "h"}6.8z`;
  if (end === "open") return el("path", { ...brush(`open-${role}`), d, "stroke-width": 1.25, "stroke-linejoin": "round" });
  return el("path", { ...brush(`end-${role}`), d, "stroke-width": 0.5 });
}
