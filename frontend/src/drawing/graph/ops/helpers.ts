/**
 * Functions that JAX and jax.numpy make, by what they mean: `@_where_3` is a `where`. Their boxes are called that, and open to their ops.
 * Must never: rename a function of the person's; what is not in the table keeps its name.
 */

/** Of jax.numpy, jax.nn, jax.random and lax itself, as their functions are called when they are lowered. */
const PRIVATE = new Set(
  `where take take_along_axis argmax argmin norm linspace roll_static roll_dynamic var std mean median cumsum cumprod one_hot
  logsumexp logsumexp_nan normal normal_real uniform randint bernoulli gumbel categorical permutation shuffle choice truncated_normal
  exponential gamma truncate reduce_max reduce_min reduce_sum reduce_prod reduce_any reduce_all reduce_and reduce_or pad diag diagonal einsum
  threefry_split threefry_fold_in threefry_seed threefry_random_bits threefry_random_bits_original rbg_split squeeze moveaxis broadcast_to
  searchsorted searchsorted_via_scan searchsorted_via_sort nanmax nanmin multi_slice cond_func einsum argsort sort unique nonzero solve inv det
  slogdet lu_solve cholesky_solve tensordot inner interp quantile tri power rint signbit roll vecdot isin flip`.split(/\s+/),
);

const PUBLIC = new Set(
  `clip argmax argmin norm tril triu tri sort argsort floor_divide remainder true_divide fmod trunc silu relu relu6 gelu softplus log_softmax
  sigmoid elu selu leaky_relu hard_tanh celu squareplus swish square append logsumexp roll threefry2x32 threefry_2x32 isnan matmul outer inner
  kron cross vdot cumsum cumprod cummax cummin cumlogsumexp nan_to_num divmod float_power polyval searchsorted count_nonzero flip diff round
  dynamic_index_in_dim dynamic_update_index_in_dim dynamic_slice_in_dim dynamic_update_slice_in_dim None closed_call checkpoint expm1 isclose
  logaddexp sinc heaviside hypot std var mean median nanmean average eye ones zeros full linspace stack concatenate where take take_along_axis
  eigh eigvalsh svd qr lu cholesky pinv slogdet
  trace swapaxes moveaxis rot90 array_equal isfinite isin bincount digitize interp unwrap fliplr flipud ptp tile repeat meshgrid
  erf_inv erf erfc shard_map get_global_shape wrapped_jax_export_main`.split(/\s+/),
);

const MEANINGS: Record<string, string> = {
  dynamic_index_in_dim: "take row",
  dynamic_update_index_in_dim: "put row",
  dynamic_slice_in_dim: "take rows",
  dynamic_update_slice_in_dim: "put rows",
  closed_call: "body",
  None: "body",
  wrapped_jax_export_main: "exported function",
};

/** What a function of JAX's means, or null for any other. `functions` are the names that are there. */
export function meaningOf(name: string, functions: { has(name: string): boolean }): string | null {
  const own = /^(.*?)_(\d+)$/.exec(name);
  // MLIR numbers names that are there twice: `_where_0` is the second `_where`.
  const base = own !== null && (functions.has(own[1]!) || known(own[1]!)) ? own[1]! : name;
  if (!known(base)) return null;
  const plain = base.replace(/^_/, "");
  return MEANINGS[plain] ?? plain;
}

function known(name: string): boolean {
  return name.startsWith("_") ? PRIVATE.has(name.slice(1)) || PUBLIC.has(name.slice(1)) : PUBLIC.has(name);
}

/** Bodies of the person's own that JAX had to make a function of: they open like the rest of the program. */
export function isBody(name: string): boolean {
  return /^(closed_call|checkpoint|shard_map|None|_?wrapped_jax_export_main)(_\d+)?$/.test(name);
}
