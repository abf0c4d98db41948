import { describe, expect, it } from "vitest";
import { piecesOf, putPiece } from "../../src/model/pieces.ts";
import { fixture } from "../page/programs.ts";

function put(value: object, most: number): { readonly whole: object; readonly sizes: number[] } {
  const whole = {};
  const sizes: number[] = [];
  const count = (inner: unknown): number =>
    typeof inner === "object" && inner !== null ? 1 + Object.values(inner).reduce((sum: number, each) => sum + count(each), 0) : 1;
  for (const piece of piecesOf(value, most)) {
    sizes.push(piece.values.reduce((sum: number, each) => sum + count(each), 0));
    putPiece(whole, structuredClone(piece));
  }
  return { whole, sizes };
}

describe("a value in pieces", () => {
  it.each([1, 7, 100, 10_000])("is put together again, everything in its order (%i)", (most) => {
    const value = fixture("06_branches");
    const { whole, sizes } = put(value, most);
    expect(JSON.stringify(whole)).toBe(JSON.stringify(value));
    expect(sizes.length > 1).toBe(most < 10_000);
  });

  it("has no piece that is much larger than it may be", () => {
    const list = { a: Array.from({ length: 5_000 }, (_, at) => ({ at, of: [at, at] })), b: 1 };
    const { whole, sizes } = put(list, 500);
    expect(whole).toEqual(list);
    expect(Math.max(...sizes)).toBeLessThan(500 + 5);
  });
});
