/**
 * Operations of one equation without a body, from its shapes and params. An estimate, in the terms of XLA's own cost analysis: one for
 * every element of an elementwise result (a transcendental function counts as one), two for every multiply-add, one less than the
 * elements for a reduction, none for what only moves data.
 *
 * Promises: null for a primitive it does not know; never a guess. Must never: look at values.
 */
import type { Eqn, Jaxpr } from "../../model/types.ts";
import { sizeOf } from "./bytes.ts";
import { convFlops, dotFlops, numbers, type Shape } from "./contract.ts";

const ELEMENTWISE = new Set(
  `abs acos acosh add add_any and asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt ceil clamp clz complex conj convert_element_type
  cos cosh digamma div eq eq_to erf erf_inv erfc exp exp2 expm1 floor ge gt igamma igammac imag is_finite le le_to lgamma log log1p logistic
  lt lt_to max min mul ne neg nextafter not or polygamma population_count pow real reduce_precision regularized_incomplete_beta rem round
  rsqrt select_n shift_left shift_right_arithmetic shift_right_logical sign sin sinh sqrt square sub tan tanh xor zeta`.split(/\s+/),
);

/** Data is moved, named or made, nothing is computed. */
const MOVES = new Set(
  `all_gather all_to_all array_ref axis_index bitcast_convert_type broadcast broadcast_in_dim concatenate copy copy_p create_token
  dynamic_slice dynamic_update_slice expand_dims freeze gather get iota layout_constraint mutable_array name new_ref opaque_id
  optimization_barrier pad pbroadcast pcast ppermute pvary random_unwrap random_wrap ref_get ref_set reshape rev scatter select_and_gather_add
  sharding_constraint slice split squeeze stop_gradient swap to_edtype transpose unstack with_memory_space_constraint`.split(/\s+/),
);

const REDUCTIONS = new Set(`argmax argmin reduce_and reduce_max reduce_min reduce_or reduce_prod reduce_sum reduce_xor`.split(/\s+/));
const WINDOWS = new Set(`reduce_window_max reduce_window_min reduce_window_sum`.split(/\s+/));
const CUMULATIVE = new Set(`cumlogsumexp cummax cummin cumprod cumsum`.split(/\s+/));

export function flopsOf(eqn: Eqn, jaxpr: Jaxpr): number | null {
  const { primitive } = eqn;
  if (MOVES.has(primitive)) return 0;
  const out = resultShape(eqn, jaxpr, 0);
  const into = operandShape(eqn, jaxpr, 0);
  const made = out === null ? null : sizeOf(out);
  const taken = into === null ? null : sizeOf(into);
  if (out === null || made === null) return null;
  if (ELEMENTWISE.has(primitive)) return made;
  const param = (name: string): string => eqn.params.find((each) => each.name === name)?.text ?? "";
  if (primitive === "integer_pow") return made * powers(Number(param("y")));
  if (primitive === "erf_inv") return made;
  if (into === null || taken === null) return null;
  if (REDUCTIONS.has(primitive)) return Math.max(0, taken - made);
  if (CUMULATIVE.has(primitive)) {
    const along = into[Number(param("axis"))];
    return typeof along === "number" && along > 0 ? taken - taken / along : null;
  }
  if (WINDOWS.has(primitive)) return made * (numbers(param("window_dimensions")).reduce((size, n) => size * n, 1) - 1);
  if (primitive === "dot_general") return dotFlops(out, into, param("dimension_numbers"));
  if (primitive === "conv_general_dilated") {
    const rhs = operandShape(eqn, jaxpr, 1);
    return rhs === null ? null : convFlops({ lhs: into, rhs, out, param });
  }
  if (primitive === "fft") {
    const points = numbers(param("fft_lengths")).reduce((size, n) => size * n, 1);
    return points > 0 ? 8 * taken * Math.log2(points) : null;
  }
  return null;
}

/** Multiplications of a power by squaring, and the division of a negative one. */
function powers(exponent: number): number {
  const n = Math.abs(exponent);
  if (!Number.isInteger(n) || n === 0) return 0;
  const binary = n.toString(2);
  return binary.length - 1 + (binary.split("1").length - 2) + (exponent < 0 ? 1 : 0);
}

export function resultShape(eqn: Eqn, jaxpr: Jaxpr, index: number): Shape | null {
  const result = eqn.results[index];
  return result === undefined ? null : (jaxpr.vars[result.var]?.shape ?? null);
}

/** A literal has no shape but the empty one. */
export function operandShape(eqn: Eqn, jaxpr: Jaxpr, index: number): Shape | null {
  const atom = eqn.operands[index]?.atom;
  if (atom === undefined) return null;
  return "var" in atom ? (jaxpr.vars[atom.var]?.shape ?? null) : [];
}
