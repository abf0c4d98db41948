import { describe, expect, it } from "vitest";
import { naturalHeight, placeAligned, placeStack, risingAnchors } from "../../src/drawing/layout/rows.ts";

const stack = (heights: number[], gap = 10, before = 5, after = 7) => ({ heights, gaps: heights.map(() => gap), before, after });

describe("one stack", () => {
  it("is as tall as its rows, gaps and pads", () => {
    expect(naturalHeight(stack([20, 30]))).toBe(5 + 20 + 10 + 30 + 7);
    expect([...placeStack(stack([20, 30])).top]).toEqual([5, 35]);
  });

  it("spreads what is more over the gaps", () => {
    const placed = placeStack(stack([20, 20, 20]), naturalHeight(stack([20, 20, 20])) + 8);
    expect([...placed.top]).toEqual([5, 39, 73]);
    expect(placed.height).toBe(100);
  });
});

describe("two stacks", () => {
  it("have anchored rows at the same top", () => {
    const a = stack([10, 100, 10]);
    const b = stack([10, 10, 10, 80, 10, 10, 10]);
    const [pa, pb] = placeAligned(a, b, [[1, 3]]);
    expect(pa.top[1]).toBe(pb.top[3]);
    expect(pa.height).toBe(pb.height);
    // 3 rows of 10 with their gaps stand above the anchor of b.
    expect(pa.top[1]).toBe(5 + 3 * 20);
    expect(pa.top[0]).toBe(5);
  });

  it("keep what follows the last anchor close when asked to", () => {
    const [pa] = placeAligned(stack([10, 10]), stack([10, 10, 10, 10, 10]), [[0, 0]], 0, true);
    expect(pa.top[1]).toBe(5 + 10 + 10);
  });

  it("reach the height that is asked for", () => {
    const [pa, pb] = placeAligned(stack([10, 10]), stack([10, 10]), [[0, 0]], 200);
    expect([pa.height, pb.height]).toEqual([200, 200]);
    expect(pa.top[0]).toBe(pb.top[0]);
    expect(pa.top[1]! + 10 + 7).toBeCloseTo(200, 6);
  });

  it("never cross: of crossing anchors the longest rising list stays", () => {
    expect(
      risingAnchors([
        [0, 5],
        [1, 1],
        [2, 2],
        [3, 3],
      ]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });
});
