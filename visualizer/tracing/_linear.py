"""Which operands a linear primitive passes on: if its result is a cotangent, which operands must be cotangents too.

Promises: for the primitives listed, the rule follows from what the primitive computes; for all others, nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

# The result is linear in the first operand; the others are indices, sizes or predicates.
FIRST = frozenset({
    "neg", "convert_element_type", "reshape", "broadcast_in_dim", "transpose", "squeeze", "expand_dims", "reduce_sum", "rev", "slice",
    "dynamic_slice", "gather", "copy", "copy_p", "real", "imag", "conj", "reduce_precision", "sharding_constraint", "psum", "div", "split",
    "reduce_window_sum", "cumsum", "device_put", "all_gather", "reduce_scatter", "ppermute",
    "pvary", "psum_invariant", "layout_constraint", "reshard",
})  # fmt: skip
# The result is a sum, or a rearrangement, of all operands.
ALL = frozenset({"add_any", "concatenate"})
# The result is linear in each operand: exactly one of them is the cotangent.
BILINEAR = frozenset({"mul", "dot_general", "conv_general_dilated", "ragged_dot_general"})
# Index of the operands that are passed on, where it is neither of the above.
SOME: dict[str, tuple[int, ...]] = {
    "scatter-add": (0, 2),
    "scatter_add": (0, 2),
    "dynamic_update_slice": (0, 1),
    "pad": (0, 1),
}
# No transposed side applies these to a cotangent: their results are helpers, made of residuals.
NONLINEAR = frozenset({
    "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "atan2", "exp", "exp2", "expm1", "log", "log1p", "logistic", "erf",
    "erfc", "pow", "integer_pow", "square", "sqrt", "rsqrt", "cbrt", "abs", "sign", "max", "min", "clamp", "floor", "ceil", "round",
    "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not", "is_finite", "iota", "argmax", "argmin", "random_bits", "threefry2x32",
})  # fmt: skip

Rule = Sequence[int] | Literal["one"] | None


def rule(primitive: str, operands: int) -> Rule:
    """The operands that must be cotangents when the result is: their indices, "one" of all, or None where nothing follows."""
    if primitive in FIRST:
        return (0,)
    if primitive in BILINEAR:
        return "one"
    if primitive in ALL:
        return range(operands)
    if primitive == "select_n":
        return range(1, operands)
    return SOME.get(primitive)
