/**
 * What each class of element looks like in a palette. The same table gives the attributes of a static picture and the rules of its
 * dark style sheet, so that the two cannot drift apart.
 */
import type { WireRole } from "../scene.ts";
import { fills, mix, type Palette } from "../theme.ts";

export interface Paint {
  fill?: string;
  stroke?: string;
}

const ROLES: WireRole[] = ["const", "carry", "xs", "ys", "residual", "cotangent", "tangent", "plain"];

export function paints(palette: Palette): Record<string, Paint> {
  const table: Record<string, Paint> = {
    background: { fill: palette.background },
    frame0: { fill: palette.background, stroke: palette.line },
    frame1: { fill: palette.surface, stroke: palette.line },
    op: { fill: palette.node, stroke: palette.line },
    again: { fill: palette.node, stroke: palette.muted },
    closed: { fill: palette.node, stroke: palette.muted },
    paper: { fill: palette.surface, stroke: palette.muted },
    halo0: { stroke: palette.background },
    halo1: { stroke: palette.surface },
    inner0: { stroke: palette.background },
    inner1: { stroke: palette.surface },
    ink: { fill: palette.ink },
    muted: { fill: palette.muted },
    faint: { fill: mix(palette.muted, palette.background, 0.8) },
    literal: { fill: mix(palette.literal, palette.node, 0.1), stroke: palette.literal },
    divider: { stroke: palette.line },
    fold: { fill: palette.muted },
  };
  for (const role of ROLES) {
    const color = palette.role[role];
    table[`wire-${role}`] = { stroke: color };
    table[`end-${role}`] = { fill: color, stroke: color };
    table[`open-${role}`] = { fill: palette.node, stroke: color };
    table[`pill-${role}`] = { fill: mix(color, palette.node, 0.09), stroke: color };
    table[`dot-${role}`] = { fill: color };
    table[`text-${role}`] = { fill: mix(color, palette.ink, 0.75) };
    table[`loop-${role}`] = { fill: palette.surface, stroke: color };
  }
  return table;
}

/** What overlays add. Behind the others in a sheet: laid over any other fill, while the border stays what it was. */
export function overlayPaints(palette: Palette): Record<string, Paint> {
  const table: Record<string, Paint> = { peak: { stroke: palette.ink } };
  for (const [name, color] of Object.entries(fills(palette))) table[name] = { fill: color };
  return table;
}

/** Rules for everyone whose system is dark. */
export function darkSheet(table: Record<string, Paint>): string {
  const rules = Object.entries(table).map(([name, paint]) => {
    const parts = [paint.fill ? `fill:${paint.fill}` : "", paint.stroke ? `stroke:${paint.stroke}` : ""];
    return `.jv-${name}{${parts.filter(Boolean).join(";")}}`;
  });
  return `@media (prefers-color-scheme:dark){${rules.join("")}}`;
}
