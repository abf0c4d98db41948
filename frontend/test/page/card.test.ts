import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeCard } from "../../src/page/panels/card/place.ts";
import { cardOf, cardText } from "../../src/page/program/card.ts";
import { draw } from "../../src/viewer/draw.ts";
import { fixture } from "./programs.ts";

const grad = fixture("01_grad_of_scan").programs[0]!;
const source = Array.from({ length: 20 }, (_, line) => `code of line ${line + 1}`).join("\n");
const { scene } = draw({ kind: "program", program: grad }, { open: ["e0", "e6"] }, "");
const card = (key: string) => {
  const item = [...scene.nodes, ...scene.frames, ...scene.ports, ...scene.chips, ...scene.wires].find((each) => each.key === key)!;
  return cardOf(grad, null, scene, item, source)!;
};

describe("a card", () => {
  it("says of an equation what it takes and gives, and where it was written", () => {
    const scan = card(scene.frames.find((frame) => frame.eqn === "e6")!.key);
    expect(scan.title).toBe("scan ×8 reverse");
    expect(scan.takes.slice(0, 2)).toEqual([
      { role: "const", kind: null, name: "gain", type: "f32[]" },
      { role: "carry", kind: "cotangent", name: "0.0", type: "f32[]" },
    ]);
    expect(scan.more).toEqual([2, 0]);
    expect(scan.facts).toContainEqual(["length", "8"]);
    expect(scan.facts).toContainEqual(["makes", "8 B"]);
    expect(scan.source?.text).toBe(`code of line ${scan.source?.line}`);
  });

  it("says of a pill what the value is there, and who reads it", () => {
    const h = card(scene.nodes.find((node) => node.kind === "binder" && node.title === "h")!.key);
    expect(h.title).toBe("h");
    expect(cardText(h)).toContain("Bound in the body of scan ×8 as carry: outside it is h0.");
    expect(h.facts).toContainEqual(["size", "4 B"]);
    const input = card(scene.nodes.find((node) => node.kind === "input" && node.title === "gain")!.key);
    expect(cardText(input)).toContain("An input of the program. in the jaxpr: a. read by: scan ×8, scan ×8 reverse.");
  });

  it("says of wires and ports their value, and of anything else what the drawing says", () => {
    for (const item of [...scene.wires, ...scene.ports, ...scene.nodes, ...scene.frames, ...scene.chips]) {
      const made = cardOf(grad, null, scene, item, source);
      if (item.hint !== "" || item.value !== null) expect(made?.title, item.key).not.toBe("");
      if (made !== null) expect(cardText(made).length).toBeGreaterThan(3);
    }
  });

  it("says of an op its operands and attributes", () => {
    const module = grad.modules.stablehlo!;
    const drawn = draw({ kind: "module", module }, { open: null }, "").scene;
    const op = drawn.nodes.find((node) => node.kind === "op" && node.eqn !== null)!;
    const made = cardOf(grad, module, drawn, op, source)!;
    expect(made.title).toMatch(/^stablehlo\./);
    expect(made.gives.length).toBeGreaterThan(0);
  });
});

describe("the place of a card", () => {
  it("is inside of the window and never over what it is about", () => {
    const rect = fc.record({
      x: fc.integer({ min: 0, max: 1300 }),
      y: fc.integer({ min: 0, max: 800 }),
      w: fc.integer({ min: 4, max: 300 }),
      h: fc.integer({ min: 4, max: 90 }),
    });
    const size = fc.record({ w: fc.integer({ min: 60, max: 340 }), h: fc.integer({ min: 30, max: 500 }) });
    const window = fc.record({ w: fc.integer({ min: 380, max: 1600 }), h: fc.integer({ min: 600, max: 1000 }) });
    fc.assert(
      fc.property(rect, size, window, (raw, size, window) => {
        const about = { ...raw, x: Math.min(raw.x, window.w - raw.w), y: Math.min(raw.y, window.h - raw.h) };
        const { x, y, height } = placeCard(about, size, window);
        expect(x >= 0 && y >= 0 && x + size.w <= window.w && y + height <= window.h).toBe(true);
        expect(x + size.w <= about.x || x >= about.x + about.w || y + height <= about.y || y >= about.y + about.h).toBe(true);
        expect(height).toBeGreaterThan(0);
      }),
    );
  });
});
