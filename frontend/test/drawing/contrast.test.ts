import { describe, expect, it } from "vitest";
import { contrast, STRONG, strong } from "../../src/drawing/contrast.ts";
import { DARK, LIGHT, type Palette } from "../../src/drawing/theme.ts";

it("counts contrast as WCAG does", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("#ffffff", "#777777")).toBe(contrast("#777777", "#ffffff"));
});

describe.each([
  ["light", LIGHT],
  ["dark", DARK],
] as [string, Palette][])("the strong %s palette", (_, palette) => {
  const more = strong(palette);
  const surfaces = [more.background, more.surface, more.node];

  it("has 7:1 for everything that means something, on every surface", () => {
    for (const color of [...Object.values(more.role), more.ink, more.muted, more.literal])
      for (const surface of surfaces) expect(contrast(color, surface)).toBeGreaterThanOrEqual(STRONG - 0.05);
  });

  it("has borders that stand out, on the same surfaces as before", () => {
    for (const surface of surfaces) expect(contrast(more.line, surface)).toBeGreaterThanOrEqual(4.4);
    expect(surfaces).toEqual([palette.background, palette.surface, palette.node]);
  });

  it("keeps what was strong enough", () => {
    for (const [name, color] of Object.entries(palette.role)) {
      if (surfaces.every((surface) => contrast(color, surface) >= STRONG)) expect(more.role[name as keyof Palette["role"]]).toBe(color);
    }
  });
});
