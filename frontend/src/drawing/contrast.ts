/** Contrast of colours (WCAG 2.2, 1.4.3), and palettes for people who ask for more of it. */
import { BLACK, mix, type Palette, WHITE } from "./theme.ts";

/** WCAG's AAA for text, 1.4.6: here for every line that means something. */
export const STRONG = 7;
/** Borders and dividers, WCAG 1.4.11 and some more. */
const BORDER = 4.5;
const STEP = 0.02;

function linear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

/** Relative luminance of `#rrggbb`, 0 to 1. */
export function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16))) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** 1 to 21, the same either way. */
export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The same hues, each as much nearer to the ink's end as it takes to stand out from every surface. */
export function strong(palette: Palette): Palette {
  const surfaces = [palette.background, palette.surface, palette.node];
  const end = luminance(palette.ink) < luminance(palette.background) ? BLACK : WHITE;
  const until = (color: string, least: number): string => {
    let share = 0;
    while (share < 1 && surfaces.some((surface) => contrast(mix(end, color, share), surface) < least)) share += STEP;
    return mix(end, color, Math.min(1, share));
  };
  const role = Object.fromEntries(Object.entries(palette.role).map(([name, color]) => [name, until(color, STRONG)]));
  return {
    ...palette,
    ink: end,
    muted: until(palette.muted, STRONG),
    line: until(palette.line, BORDER),
    literal: until(palette.literal, STRONG),
    role: role as Palette["role"],
  };
}
