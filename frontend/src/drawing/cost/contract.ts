/**
 * Multiply-adds of contractions, two operations each, as XLA's HloCostAnalysis counts them (hlo_cost_analysis.cc): of a convolution only
 * the places where the window lies on the input, not on padding.
 */
import { sizeOf } from "./bytes.ts";

export type Shape = readonly (number | string)[];

/** `out` is the shape of the result, `lhs` of the left operand; `dims` as JAX prints `dimension_numbers`. */
export function dotFlops(out: Shape, lhs: Shape, dims: string): number | null {
  const left = /^\(\(\s*[[(]([\d,\s]*)[\])]/.exec(dims);
  const size = sizeOf(out);
  if (left === null || size === null) return null;
  let contracted = 1;
  for (const dim of numbers(left[1] ?? "")) {
    const length = lhs[dim];
    if (typeof length !== "number") return null;
    contracted *= length;
  }
  return 2 * size * contracted;
}

export interface Convolution {
  readonly lhs: Shape;
  readonly rhs: Shape;
  readonly out: Shape;
  /** The text of a param of the equation. */
  param(name: string): string;
}

export function convFlops({ lhs, rhs, out, param }: Convolution): number | null {
  const numbersOf = param("dimension_numbers");
  const lhsSpec = spec(numbersOf, "lhs_spec");
  const rhsSpec = spec(numbersOf, "rhs_spec");
  const outSpec = spec(numbersOf, "out_spec");
  const size = (shape: Shape, at: number | undefined): number =>
    typeof shape[at ?? -1] === "number" ? Number(shape[at ?? -1]) : Number.NaN;
  const strides = numbers(param("window_strides"));
  const lhsDilation = numbers(param("lhs_dilation"));
  const rhsDilation = numbers(param("rhs_dilation"));
  const padding = numbers(param("padding"));
  let places = 1;
  for (let d = 2; d < outSpec.length; d++) {
    places *= touched({
      out: size(out, outSpec[d]),
      input: size(lhs, lhsSpec[d]),
      window: size(rhs, rhsSpec[d]),
      stride: strides[d - 2] ?? 1,
      low: padding[2 * (d - 2)] ?? 0,
      base: lhsDilation[d - 2] ?? 1,
      dilation: rhsDilation[d - 2] ?? 1,
    });
  }
  // The kernel's input features are those of one feature group, the result's batch that of one batch group.
  const batch = size(out, outSpec[0]);
  const features = size(out, outSpec[1]) * size(rhs, rhsSpec[1]);
  const flops = 2 * batch * features * places;
  return Number.isFinite(flops) ? flops : null;
}

interface Axis {
  out: number;
  input: number;
  window: number;
  stride: number;
  low: number;
  base: number;
  dilation: number;
}

/** Pairs of an output place and a window place that meet an element of the input along one axis. */
function touched({ out, input, window, stride, low, base, dilation }: Axis): number {
  if (![out, input, window].every(Number.isFinite)) return Number.NaN;
  const last = (input - 1) * base;
  let pairs = 0;
  for (let w = 0; w < window; w++) {
    const shift = w * dilation - low;
    if (base === 1) {
      // out places o with 0 <= o * stride + shift <= last
      const from = Math.max(0, Math.ceil(-shift / stride));
      const until = Math.min(out - 1, Math.floor((last - shift) / stride));
      pairs += Math.max(0, until - from + 1);
      continue;
    }
    for (let o = 0; o < out; o++) {
      const at = o * stride + shift;
      if (at >= 0 && at <= last && at % base === 0) pairs++;
    }
  }
  return pairs;
}

function spec(text: string, name: string): number[] {
  return numbers(new RegExp(`${name}=\\(([\\d,\\s]*)\\)`).exec(text)?.[1] ?? "");
}

/** Every whole number in a text, in order. */
export function numbers(text: string): number[] {
  return (text.match(/-?\d+/g) ?? []).map(Number);
}
