/**
 * Every colour of the drawing. The role colours were searched in OKLCH so that each has at least 3.3:1 on the surfaces it is drawn
 * on and any two stay apart under deuteranopia, protanopia and tritanopia (CIEDE2000 at least 12.8); a test holds that.
 */
import type { WireRole } from "./scene.ts";

export interface Palette {
  background: string;
  /** Inside of every other frame. */
  surface: string;
  node: string;
  ink: string;
  muted: string;
  line: string;
  literal: string;
  /** Overlays: the colour of the most, mixed into the box in steps, and the colours of kinds. */
  heat: string;
  tints: readonly string[];
  role: Record<WireRole, string>;
}

/** The ends of all scales. */
export const BLACK = "#000000";
export const WHITE = "#ffffff";

export const LIGHT: Palette = {
  background: "#ffffff",
  surface: "#f5f6f8",
  node: "#ffffff",
  ink: "#1b1f27",
  muted: "#5a6270",
  line: "#c3c9d4",
  literal: "#8d8854",
  heat: "#f0a800",
  tints: ["#cfe3ff", "#ffe0b8", "#d2f0d4", "#f6d3ea", "#e2dcff", "#f3f0b0", "#c9eef0", "#e6ddd3"],
  role: {
    const: "#4c505d",
    carry: "#af400e",
    xs: "#136c4f",
    ys: "#123da3",
    residual: "#833ff1",
    cotangent: "#db558b",
    tangent: "#50381c",
    plain: "#717988",
  },
};

export const DARK: Palette = {
  background: "#15181d",
  surface: "#1d2127",
  node: "#262b33",
  ink: "#e8ebf0",
  muted: "#9aa3b2",
  line: "#434b58",
  literal: "#efed9b",
  heat: "#a86a02",
  tints: ["#1f3f66", "#5c3d12", "#1f4a2b", "#562a49", "#3b3366", "#4a4716", "#174a4d", "#463c33"],
  role: {
    const: "#90939e",
    carry: "#ee8b27",
    xs: "#6ef9e2",
    ys: "#82b9f9",
    residual: "#9f65dd",
    cotangent: "#dd3173",
    tangent: "#966e23",
    plain: "#8a93a3",
  },
};

export type EndMark = "triangle" | "open" | "diamond";

export interface LineStyle {
  width: number;
  dash: string | null;
  round: boolean;
  double: boolean;
  end: EndMark;
  /** For the legend. */
  means: string;
}

export const LINES: Record<WireRole, LineStyle> = {
  const: { width: 1.75, dash: "0.1 4", round: true, double: false, end: "triangle", means: "const: the same in every step" },
  carry: { width: 2.25, dash: null, round: false, double: false, end: "triangle", means: "carry: handed to the next step" },
  xs: { width: 1.75, dash: "10 3", round: false, double: false, end: "triangle", means: "xs: one row per step" },
  ys: { width: 1.75, dash: "10 3 2 3", round: false, double: false, end: "triangle", means: "ys: one row per step, stacked" },
  residual: { width: 1.75, dash: "6 4", round: false, double: false, end: "diamond", means: "residual: saved for the backward pass" },
  cotangent: { width: 3, dash: null, round: false, double: true, end: "open", means: "cotangent: flows back" },
  tangent: { width: 3, dash: "7 3", round: false, double: true, end: "open", means: "tangent: goes with its value" },
  plain: { width: 1.25, dash: null, round: false, double: false, end: "triangle", means: "value" },
};

/** Width of a line that many values share. */
export const CABLE = 5;
/** Of what passes a ref on. */
export const EFFECT_DASH = "5 2 1 2 1 2";

/** Border of what a backward pass computes again. */
export const RECOMPUTED_DASH = "4 2.5";

/**
 * Nothing here is wider than the table of widths by more than four hundredths. What resvg does not find by name it does not draw, so that
 * the families of a bare Linux are named, too.
 */
export const SANS = "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans Condensed', 'DejaVu Sans', sans-serif";
export const MONO = "'JetBrains Mono', 'SF Mono', Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace";

/** `share` of a over b, both `#rrggbb`. */
export function mix(a: string, b: string, share: number): string {
  const channel = (color: string, i: number): number => Number.parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  const hex = [0, 1, 2].map((i) =>
    Math.round(share * channel(a, i) + (1 - share) * channel(b, i))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** How much of the heat colour is in a box, from the least step to the most. Text in ink must stay readable on each. */
const HEAT = [0.1, 0.25, 0.42, 0.6, 0.8] as const;

/** The colours that overlays give to boxes, by class name. */
export function fills(palette: Palette): Record<string, string> {
  const heat = HEAT.map((share, i) => [`heat${i}`, mix(palette.heat, palette.node, share)]);
  return Object.fromEntries([...heat, ...palette.tints.map((color, i) => [`tint${i}`, color])]);
}
