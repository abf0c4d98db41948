/** End marks, drawn as shapes because markers would need ids. */
import type { WireRole } from "../scene.ts";
import { LINES } from "../theme.ts";
import { el, num, type SvgNode } from "./node.ts";
import type { Brush } from "./shapes.ts";

/** The mark of a role with its tip at (x, y); `down` is the direction of the wire there. */
export function endMark(brush: Brush, role: WireRole, x: number, y: number, down: boolean): SvgNode {
  const { end } = LINES[role];
  const s = down ? -1 : 1;
  if (end === "diamond") {
    const d = `M${num(x)} ${num(y)}l-3.2 ${num(4.5 * s)}l3.2 ${num(4.5 * s)}l3.2 ${num(-4.5 * s)}z`;
    return el("path", { ...brush(`open-${role}`), d, "stroke-width": 1.25 });
  }
  const d = arrow(x, y, s);
  if (end === "open") return el("path", { ...brush(`open-${role}`), d, "stroke-width": 1.25, "stroke-linejoin": "round" });
  return el("path", { ...brush(`end-${role}`), d, "stroke-width": 0.5 });
}

export function arrow(x: number, y: number, s: number): string {
  return `M${num(x)} ${num(y)}l-3.4 ${num(6.5 * s)}h6.8z`;
}
