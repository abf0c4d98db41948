import { describe, expect, it } from "vitest";
import { DARK, LIGHT, LINES, type Palette } from "../../src/drawing/theme.ts";

function linear(hex: string): [number, number, number] {
  const channel = (i: number): number => {
    const c = Number.parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return [channel(0), channel(1), channel(2)];
}

function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
] as [string, Palette][])("the %s palette", (_, palette) => {
  it("has at least 3.3:1 for every role on both surfaces", () => {
    for (const color of [...Object.values(palette.role), palette.literal]) {
      for (const surface of [palette.background, palette.surface]) expect(contrast(color, surface)).toBeGreaterThanOrEqual(3.3);
    }
  });

  it("has at least 4.5:1 for text", () => {
    for (const color of [palette.ink, palette.muted]) {
      for (const surface of [palette.background, palette.surface, palette.node])
        expect(contrast(color, surface)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

it("never tells roles apart by colour alone", () => {
  const marks = Object.values(LINES).map(({ width, dash, double, end }) => `${width} ${dash} ${double} ${end}`);
  expect(new Set(marks).size).toBe(marks.length);
});
