import { describe, expect, it } from "vitest";
import { bytesOf, widthOf } from "../../../src/drawing/cost/bytes.ts";
import { convFlops, dotFlops } from "../../../src/drawing/cost/contract.ts";
import { flopsOf } from "../../../src/drawing/cost/flops.ts";
import { bytesText, flopsText } from "../../../src/drawing/cost/format.ts";
import { equation, jaxprOf } from "./made.ts";

describe("bytes", () => {
  it("are the elements times the width of the type", () => {
    expect(bytesOf({ dtype: "float32", shape: [4, 16] })).toBe(256);
    expect(bytesOf({ dtype: "bfloat16", shape: [] })).toBe(2);
    expect(bytesOf({ dtype: "complex64", shape: [3] })).toBe(24);
    expect(bytesOf({ dtype: "bool", shape: [5] })).toBe(5);
    expect(bytesOf({ dtype: "key<fry>", shape: [2] })).toBe(16);
    expect(widthOf("float8_e4m3fn")).toBe(1);
    expect(bytesOf({ dtype: "float0", shape: [7] })).toBe(0);
  });

  it("are unknown where the type does not say", () => {
    expect(bytesOf({ dtype: "float32", shape: ["b", 3] })).toBeNull();
    expect(bytesOf({ dtype: "", shape: [] })).toBeNull();
    expect(bytesOf({ dtype: "token", shape: [] })).toBeNull();
  });
});

describe("amounts in words", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [999.6, "1 kB"],
    [1500, "1.5 kB"],
    [12_340, "12.3 kB"],
    [123_456, "123 kB"],
    [999_999, "1 MB"],
    [1_048_576, "1.05 MB"],
    [7e20, "700 EB"],
  ])("%d is %s", (bytes, text) => expect(bytesText(bytes)).toBe(text));

  it("names operations", () => expect(flopsText(2.5e9)).toBe("2.5 GFLOP"));
});

// What XLA's own analysis says of the same programs is compared in tests/drawing/test_costs.py; here are the rules one by one.
describe("operations", () => {
  it("of a product are two for each multiply-add", () => {
    expect(dotFlops([8, 32], [8, 16], "(([1], [0]), ([], []))")).toBe(2 * 8 * 32 * 16);
    expect(dotFlops([4, 3, 7], [4, 3, 5], "(([2], [1]), ([0], [0]))")).toBe(840);
    expect(dotFlops([2, 3], [2], "(([], []), ([], []))")).toBe(12);
    expect(dotFlops([2], ["n", 2], "(([0], [0]), ([], []))")).toBeNull();
  });

  it("of a convolution leave the padding out", () => {
    const params: Record<string, string> = {
      dimension_numbers: "ConvDimensionNumbers(lhs_spec=(0, 3, 1, 2), rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2))",
      window_strides: "(2, 2)",
      padding: "((0, 1), (0, 1))",
      lhs_dilation: "(1, 1)",
      rhs_dilation: "(1, 1)",
    };
    expect(convFlops({ lhs: [2, 8, 8, 3], rhs: [3, 3, 3, 4], out: [2, 4, 4, 4], param: (name) => params[name] ?? "" })).toBe(5808);
  });

  it("are none where data only moves, and unknown where nothing is known", () => {
    const jaxpr = jaxprOf({ a: [4, 8], b: [8, 4] });
    expect(flopsOf(equation("transpose", ["a"], ["b"]), jaxpr)).toBe(0);
    expect(flopsOf(equation("made_up", ["a"], ["b"]), jaxpr)).toBeNull();
  });

  it("of a reduction are one less than the elements of each lane", () => {
    const jaxpr = jaxprOf({ a: [8, 16], b: [8] });
    expect(flopsOf(equation("reduce_sum", ["a"], ["b"], { axes: "(1,)" }), jaxpr)).toBe(120);
    expect(flopsOf(equation("cumsum", ["a"], ["a"], { axis: "1" }), jaxpr)).toBe(120);
  });

  it("of a power are its multiplications", () => {
    const jaxpr = jaxprOf({ a: [10] });
    const power = (y: string): number | null => flopsOf(equation("integer_pow", ["a"], ["a"], { y }), jaxpr);
    expect([power("2"), power("3"), power("7"), power("-2"), power("1")]).toEqual([10, 20, 40, 20, 0]);
  });
});
