import fc from "fast-check";
import { expect, test } from "vitest";
import { clearOf } from "../../src/viewer/avoid.ts";

const view = { w: 1000, h: 700 };
const cover = { x: 580, y: 10, w: 410, h: 300 };

test("what is clear of the cover stays where it is", () => {
  const camera = { x: 0, y: 0, k: 1 };
  expect(clearOf(camera, { x: 10, y: 10, w: 100, h: 40 }, view, cover)).toBe(camera);
});

test("what lies under it is seen beside it afterwards, wherever it was and however large", () => {
  const box = fc.record({
    x: fc.integer({ min: 0, max: 950 }),
    y: fc.integer({ min: 0, max: 650 }),
    w: fc.integer({ min: 20, max: 300 }),
    h: fc.integer({ min: 20, max: 120 }),
  });
  fc.assert(
    fc.property(box, fc.double({ min: 0.3, max: 1, noNaN: true }), (box, k) => {
      const camera = clearOf({ x: 0, y: 0, k }, box, view, cover);
      const [x, y, w, h] = [(box.x - camera.x) * k, (box.y - camera.y) * k, box.w * k, box.h * k];
      expect(x + w <= cover.x || x >= cover.x + cover.w || y + h <= cover.y || y >= cover.y + cover.h).toBe(true);
    }),
  );
});
