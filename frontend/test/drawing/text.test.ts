/** What does not fit is cut where least is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shorten, textWidth } from "../../src/drawing/text.ts";

describe("a text that is too long", () => {
  it("loses its end", () => {
    expect(shorten("softmax_cross_entropy", "name", 70)).toMatch(/^softmax.*…$/);
    expect(shorten("f32[128,128,128,128]", "name", 70)).toMatch(/^f32\[.*…$/);
  });

  it("keeps what tells two leaves of a tree apart", () => {
    const short = (name: string): string => shorten(name, "stub", 118);
    expect(short("p['params']['Dense_0']['kernel']")).toBe("p…['Dense_0']['kernel']");
    expect(short("params['out']['bias'].value")).toBe("…['out']['bias'].value");
    const moments = ["mu", "nu"].map((name) => shorten(`s[0].${name}['params']['LayerNorm_0']['bias']`, "name", 200));
    expect(moments).toEqual(["s[0].mu…['LayerNorm_0']['bias']", "s[0].nu…['LayerNorm_0']['bias']"]);
  });

  it("fits, whatever it is, and is as it was where there is room", () => {
    const name = fc.oneof(
      fc.string(),
      fc.array(fc.stringMatching(/^(\['\w{1,12}'\]|\[\d\]|\.\w{1,9})$/), { maxLength: 6 }).map((steps) => `p${steps.join("")}`),
    );
    fc.assert(
      fc.property(name, fc.integer({ min: 12, max: 240 }), (text, width) => {
        const cut = shorten(text, "name", width);
        expect(textWidth(cut, "name")).toBeLessThanOrEqual(width);
        expect(cut === text).toBe(textWidth(text, "name") <= width);
      }),
    );
  });
});
