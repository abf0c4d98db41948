/**
 * Operations of one op without regions, in the terms of XLA's own cost analysis: see cost/flops.ts for what is counted.
 *
 * Promises: null for an op it does not know; never a guess. Must never: look at values.
 */
import type { Module, Op } from "../../../model/types.ts";
import { keyOf } from "../../graph/ops/names.ts";
import { sizeOf } from "../bytes.ts";
import { convFlops, dotFlops, numbers, type Shape } from "../contract.ts";
import { typeOf } from "./types.ts";

const ELEMENTWISE = new Set(
  `abs acos acosh add and asin asinh atan atan2 atanh bessel_i1e cbrt ceil ceiling clamp clz compare complex conj convert cos cosh cosine
  count_leading_zeros digamma divide erf erf_inv erfc exp exponential exponential_minus_one floor imag is_finite is_inf is_neg_inf is_pos_inf
  lgamma log log_plus_one logistic maximum minimum multiply negate next_after not or polygamma popcnt population_count power real
  reduce_precision remainder round_nearest_afz round_nearest_even rsqrt select shift_left shift_right_arithmetic shift_right_logical sign sin
  sine sinh sqrt square subtract tan tanh xor zeta`.split(/\s+/),
);

const MOVES = new Set(
  `add_dependency after_all all_gather all_to_all bitcast bitcast_convert broadcast broadcast_in_dim collective_permute concatenate constant
  copy create_token domain dynamic_broadcast_in_dim dynamic_gather dynamic_iota dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice
  extract gather get_dimension_size get_tuple_element iota optimization_barrier pad parameter partition_id real_dynamic_slice replica_id reshape
  reverse set_dimension_size sharding_constraint slice torch_index_select transpose tuple unary_einsum mesh return yield`.split(/\s+/),
);

export function opFlops(module: Module, op: Op): number | null {
  const key = keyOf(op.name);
  if (MOVES.has(key)) return 0;
  // Sharding annotations are custom calls that compute nothing.
  if (key === "custom_call") return /Sharding|FullToShard|ShardToFull/.test(op.attributes.call_target_name ?? "") ? 0 : null;
  const out = typeOf(module, op.results[0])?.shape ?? null;
  const made = out === null ? null : sizeOf(out);
  if (out === null || made === null) return null;
  if (ELEMENTWISE.has(key)) return made;
  const into = typeOf(module, op.operands[0]?.value)?.shape ?? null;
  const taken = into === null ? null : sizeOf(into);
  if (into === null || taken === null) return null;
  if (key === "dot_general") return dotFlops(out, into, `((${contracting(op)}`);
  if (key === "dot") return dotFlops(out, into, `((${op.attributes.lhs_contracting_dims ?? `[${into.length - 1}]`}`);
  if (key === "convolution") return convolution(op, into, typeOf(module, op.operands[1]?.value)?.shape ?? null, out);
  if (key === "fft") {
    const points = numbers(values(op.attributes.fft_length)).reduce((size, n) => size * n, 1);
    return points > 0 ? 8 * taken * Math.log2(points) : null;
  }
  return null;
}

/** The numbers of `array<i64: 1, 2>` or `dense<[[0, 1]]> : tensor<1x2xi64>`, without those of its type. */
export function values(text = ""): string {
  return text.replace(/^array<\w+(:|>)/, "").replace(/\s:\s*tensor<.*$/s, "");
}

function contracting(op: Op): string {
  return `[${(op.attributes.dot_dimension_numbers ?? "").match(/lhs_contracting_dimensions = \[([^\]]*)\]/)?.[1] ?? ""}]`;
}

/** In the words that JAX's own params have. */
function convolution(op: Op, lhs: Shape, rhs: Shape | null, out: Shape): number | null {
  const found = /\[([^\]]*)\]x\[([^\]]*)\]->\[([^\]]*)\]/.exec(op.attributes.dimension_numbers ?? "");
  if (found === null || rhs === null) return null;
  const spec = (text: string, first: string, second: string): string => {
    const names = text.split(",").map((name) => name.trim());
    const spatial = names.map((_, i) => names.indexOf(String(i))).filter((at) => at >= 0);
    return [names.indexOf(first), names.indexOf(second), ...spatial].join(", ");
  };
  const dims = `lhs_spec=(${spec(found[1]!, "b", "f")}) rhs_spec=(${spec(found[2]!, "o", "i")}) out_spec=(${spec(found[3]!, "b", "f")})`;
  const rank = lhs.length - 2;
  const plain = (text: string): string =>
    /^dense<[-\d]+>$/.test(text.trim())
      ? Array(2 * rank)
          .fill(text)
          .join()
      : text;
  const param = (name: string): string => (name === "dimension_numbers" ? dims : plain(values(op.attributes[name])));
  return convFlops({ lhs, rhs, out, param });
}
