import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  beginning,
  type Camera,
  firstLook,
  fitTo,
  keepInSight,
  LARGEST,
  pan,
  pin,
  reveal,
  SMALLEST,
  zoomAt,
} from "../../src/viewer/camera.ts";

const view = { w: 800, h: 600 };
const seen = (camera: Camera, x: number, y: number): [number, number] => [(x - camera.x) * camera.k, (y - camera.y) * camera.k];

describe("the camera", () => {
  it("fits a drawing whole and centred, never above 100 %", () => {
    const small = fitTo({ x: 0, y: 0, w: 100, h: 100 }, view);
    expect(small.k).toBe(1);
    expect(seen(small, 50, 50)).toEqual([400, 300]);
    const large = fitTo({ x: 0, y: 0, w: 8000, h: 1000 }, view);
    expect(large.k).toBeCloseTo(752 / 8000);
    expect(seen(large, 4000, 500)[0]).toBeCloseTo(400);
  });

  it("first looks at the readable beginning of what is too large to read whole", () => {
    const tall = firstLook({ x: 0, y: 0, w: 700, h: 20000 }, view);
    expect(tall.k).toBe(1);
    expect(seen(tall, 350, 0)).toEqual([400, 24]);
    const vast = { x: 0, y: 0, w: 9000, h: 9000 };
    const middle = firstLook(vast, view, { x: 4000, y: 3000 });
    expect(middle.k).toBe(0.6);
    const [mx, my] = seen(middle, 4000, 3000);
    expect([Math.round(mx), Math.round(my)]).toEqual([400, 200]);
    const [rx, ry] = seen(firstLook(vast, view, { x: 8990, y: 10 }), 9000, 0);
    expect([Math.round(rx), Math.round(ry)]).toEqual([776, 24]);
  });

  it("zooms about the point under the cursor, within its limits", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 3, noNaN: true }),
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 0, max: 800, noNaN: true }),
        fc.double({ min: 0, max: 600, noNaN: true }),
        (k, factor, sx, sy) => {
          const before = { x: 17, y: -30, k };
          const after = zoomAt(before, factor, sx, sy);
          expect(after.k).toBeGreaterThanOrEqual(SMALLEST);
          expect(after.k).toBeLessThanOrEqual(LARGEST);
          const [x, y] = seen(after, before.x + sx / k, before.y + sy / k);
          expect(x).toBeCloseTo(sx, 6);
          expect(y).toBeCloseTo(sy, 6);
        },
      ),
    );
  });

  it("pans in pixels of the screen and pins a point where it was", () => {
    expect(pan({ x: 0, y: 0, k: 2 }, 10, -20)).toEqual({ x: 5, y: -10, k: 2 });
    expect(seen(pin({ x: 0, y: 0, k: 2 }, 100, 50, 30, 40), 100, 50)).toEqual([30, 40]);
  });

  it("reveals with the least movement", () => {
    const camera = { x: 0, y: 0, k: 1 };
    expect(reveal(camera, { x: 100, y: 100, w: 50, h: 50 }, view)).toEqual(camera);
    expect(reveal(camera, { x: 900, y: 100, w: 50, h: 50 }, view)).toEqual({ x: 182, y: 0, k: 1 });
    expect(reveal(camera, { x: -90, y: 100, w: 50, h: 50 }, view)).toEqual({ x: -122, y: 0, k: 1 });
  });

  it("cannot lose the drawing", () => {
    const box = { x: 0, y: 0, w: 100, h: 100 };
    const far = keepInSight({ x: 99999, y: -99999, k: 1 }, box, view);
    expect(seen(far, 100, 0)[0]).toBeCloseTo(60);
    expect(seen(far, 0, 0)[1]).toBeCloseTo(540);
  });
});

describe("the beginning of a drawing", () => {
  const at = (kind: string, x: number, y: number) => ({ kind, box: { x, y, w: 20, h: 10 } });

  it("is the middle of its row of inputs", () => {
    expect(beginning([at("op", 0, 0), at("input", 100, 5), at("input", 60, 5)])).toEqual({ x: 90, y: 5 });
  });

  it("is the operation nearest to its top left corner where the inputs stand near their readers", () => {
    expect(beginning([at("op", 300, 0), at("op", 10, 40), at("input", 100, 5), at("input", 60, 50)])).toEqual({ x: 20, y: 40 });
    expect(beginning([at("closed", 10, 40)])).toEqual({ x: 20, y: 40 });
  });

  it("is nowhere in an empty one", () => {
    expect(beginning([])).toBeNull();
  });
});
