import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { between, isNear } from "../../src/viewer/glide.ts";
import { coast, Track } from "../../src/viewer/inertia.ts";
import { wheelZoom } from "../../src/viewer/wheel.ts";

const view = { w: 800, h: 600 };

describe("a throw", () => {
  it("has the speed of the last moment of the hand", () => {
    const track = new Track();
    for (let time = 0; time <= 300; time += 10) track.add(time, time < 200 ? 0 : (time - 200) * 0.5, 0);
    const velocity = track.release(300);
    expect(velocity?.vx).toBeCloseTo(0.5);
    expect(velocity?.vy).toBe(0);
  });

  it("is none when the hand rested before it let go, or hardly moved", () => {
    const track = new Track();
    for (let time = 0; time <= 100; time += 10) track.add(time, time, 0);
    expect(track.release(400)).toBeNull();
    const slow = new Track();
    for (let time = 0; time <= 100; time += 10) slow.add(time, time * 0.01, 0);
    expect(slow.release(100)).toBeNull();
  });

  it("is never faster than a hand means", () => {
    const track = new Track();
    for (let time = 0; time <= 60; time += 10) track.add(time, time * 90, time * 90);
    const { vx, vy } = track.release(60) ?? { vx: 0, vy: 0 };
    expect(Math.hypot(vx, vy)).toBeCloseTo(4);
  });

  it("makes the same way in small steps as in large ones, and comes to rest", () => {
    let way = 0;
    let speed = { vx: 2, vy: 0 };
    let time = 0;
    for (let step = coast(speed, 5); step !== null; step = coast(speed, 5)) {
      way += step.dx;
      speed = step.left;
      time += 5;
    }
    const whole = coast({ vx: 2, vy: 0 }, time);
    expect(way).toBeCloseTo(whole?.dx ?? 0, 6);
    expect(time).toBeLessThan(2000);
  });
});

describe("a way of the camera", () => {
  const camera = fc.record({
    x: fc.double({ min: -500, max: 500, noNaN: true }),
    y: fc.double({ min: -500, max: 500, noNaN: true }),
    k: fc.double({ min: 0.1, max: 4, noNaN: true }),
  });

  it("begins where it was, ends where it goes, and its scale stays between", () => {
    fc.assert(
      fc.property(camera, camera, fc.double({ min: 0, max: 1, noNaN: true }), (from, to, t) => {
        expect(between(from, to, view, 1)).toEqual(to);
        const begun = between(from, to, view, 0);
        expect(begun.x).toBeCloseTo(from.x, 6);
        expect(begun.k).toBeCloseTo(from.k, 9);
        const { k } = between(from, to, view, t);
        expect(k).toBeGreaterThanOrEqual(Math.min(from.k, to.k) - 1e-9);
        expect(k).toBeLessThanOrEqual(Math.max(from.k, to.k) + 1e-9);
      }),
    );
  });

  it("is shown when it is short", () => {
    expect(isNear({ x: 0, y: 0, k: 1 }, { x: 700, y: 0, k: 1 }, view)).toBe(true);
    expect(isNear({ x: 0, y: 0, k: 1 }, { x: 70000, y: 0, k: 1 }, view)).toBe(false);
    expect(isNear({ x: 0, y: 0, k: 0.02 }, { x: 0, y: 0, k: 4 }, view)).toBe(false);
  });
});

describe("the wheel", () => {
  it("zooms in upwards and out downwards, by as much", () => {
    expect(wheelZoom(-100)).toBeCloseTo(1.35);
    expect(wheelZoom(-100) * wheelZoom(100)).toBeCloseTo(1);
    expect(wheelZoom(-1e9)).toBeLessThan(2.1);
  });

  it("counts the small units of a pinch for more", () => {
    expect(wheelZoom(-10)).toBeCloseTo(1.35 ** 0.3);
  });
});
