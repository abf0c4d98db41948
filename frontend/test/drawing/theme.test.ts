import { describe, expect, it } from "vitest";
import { contrast } from "../../src/drawing/contrast.ts";
import { DARK, LIGHT, LINES, type Palette } from "../../src/drawing/theme.ts";
import { apart, VISION } from "./colours.ts";

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
] as [string, Palette][])("the %s palette", (_, palette) => {
  it("has at least 3.3:1 for every role on both surfaces", () => {
    for (const color of [...Object.values(palette.role), palette.literal]) {
      for (const surface of [palette.background, palette.surface]) expect(contrast(color, surface)).toBeGreaterThanOrEqual(3.3);
    }
  });

  it.each(Object.keys(VISION))("keeps any two roles apart, to %s vision", (name) => {
    // A plain value has the thinnest line and no colour to be known by.
    const { plain: _, ...roles } = { ...palette.role, literal: palette.literal };
    const colours = Object.entries(roles);
    const near = colours.flatMap(([a, one], i) =>
      colours.slice(i + 1).flatMap(([b, other]) => (apart(one, other, VISION[name]!) < 12.7 ? [`${a} ${b}`] : [])),
    );
    expect(near).toEqual([]);
  });

  it("has at least 4.5:1 for text", () => {
    for (const color of [palette.ink, palette.muted]) {
      for (const surface of [palette.background, palette.surface, palette.node])
        expect(contrast(color, surface)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

it("measures as the reference data do", () => {
  // The first pairs of Sharma, Wu and Dalal are in Lab; these are sRGB colours, and what colour-science gives for them.
  expect(apart("#ff0000", "#ff0000", VISION.usual!)).toBe(0);
  expect(apart("#000000", "#ffffff", VISION.usual!)).toBeCloseTo(100, 1);
  expect(apart("#ff0000", "#00ff00", VISION.usual!)).toBeCloseTo(86.6, 0);
  expect(apart("#0000ff", "#00ff00", VISION.usual!)).toBeCloseTo(83.2, 0);
});

it("never tells roles apart by colour alone", () => {
  const marks = Object.values(LINES).map(({ width, dash, double, end }) => `${width} ${dash} ${double} ${end}`);
  expect(new Set(marks).size).toBe(marks.length);
});
