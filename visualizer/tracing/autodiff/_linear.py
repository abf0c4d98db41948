"""What is known of a value in a differentiation, and what a primitive makes of it.

Promises: for the primitives listed, the rules follow from what the primitive computes; for all others, nothing is linear.
"""

from __future__ import annotations

from collections.abc import Sequence

State = int
"""Zero; neither cotangent nor tangent; unknown; a cotangent; a tangent; made of one in a way that is not known to be linear."""
ZERO, NEITHER, UNKNOWN, COTANGENT, TANGENT, MIXED = range(6)
NAMES = {COTANGENT: "cotangent", TANGENT: "tangent"}

# The result is linear in the first operand; the others are indices, sizes or predicates.
FIRST = frozenset({
    "neg", "convert_element_type", "reshape", "broadcast_in_dim", "transpose", "squeeze", "expand_dims", "reduce_sum", "rev", "slice",
    "dynamic_slice", "gather", "copy", "copy_p", "real", "imag", "conj", "reduce_precision", "sharding_constraint", "psum", "div", "split",
    "reduce_window_sum", "cumsum", "device_put", "all_gather", "reduce_scatter", "ppermute", "all_to_all", "fft", "tile", "broadcast",
    "pvary", "psum_invariant", "layout_constraint", "reshard", "mesh_cast", "select_and_scatter_add", "select_and_gather_add",
})  # fmt: skip
# What they give says all of what they take: where it is linear, so is that.
INJECTIVE = frozenset({"neg", "reshape", "broadcast_in_dim", "transpose", "squeeze", "expand_dims", "rev", "copy", "copy_p", "conj"})
# The result is a sum, or a rearrangement, of all operands. Only differentiation makes an `add_any`: it adds nothing else to a cotangent or
# a tangent, so that one which is known says what the others are (a product of two tangents is one of the outer differentiation).
ADD = "add_any"
ALL = frozenset({"concatenate", "complex", "add", "sub"})
# The result is linear in each of the first two operands: exactly one of them is the cotangent.
BILINEAR = frozenset({"mul", "dot_general", "conv_general_dilated", "ragged_dot_general"})
# Index of the operands that are passed on, where it is none of the above.
SOME: dict[str, tuple[int, ...]] = {
    "scatter-add": (0, 2),
    "scatter_add": (0, 2),
    "scatter": (0, 2),
    "dynamic_update_slice": (0, 1),
    "pad": (0, 1),
    "triangular_solve": (1,),
}
# Never linear: what they give is no cotangent.
NONLINEAR = frozenset({
    "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "atan2", "exp", "exp2", "expm1", "log", "log1p", "logistic", "erf",
    "erfc", "pow", "integer_pow", "square", "sqrt", "rsqrt", "cbrt", "abs", "sign", "max", "min", "clamp", "floor", "ceil", "round",
    "eq", "ne", "lt", "le", "gt", "ge", "and", "or", "xor", "not", "is_finite", "iota", "argmax", "argmin", "random_bits", "threefry2x32",
})  # fmt: skip


def passed_on(primitive: str, operands: int) -> Sequence[int]:
    """The operands that a linear primitive adds up or rearranges: all of them are cotangents, or zero, where the result is one."""
    if primitive in FIRST:
        return (0,)
    if primitive == ADD or primitive in ALL:
        return range(operands)
    if primitive == "select_n":
        return range(1, operands)
    return SOME.get(primitive, ())


def result_of(primitive: str, states: Sequence[State]) -> State:
    """What the results of an equation without bodies are, given what its operands are."""
    top = max(states, default=NEITHER)
    if primitive == ADD and top >= COTANGENT:
        known = {COTANGENT, TANGENT}.intersection(states)
        return known.pop() if len(known) == 1 else MIXED
    if top == MIXED:
        return MIXED
    if top < COTANGENT:
        return _without(primitive, states, top)
    if primitive in FIRST:
        return states[0] if states[0] >= COTANGENT and max(states[1:], default=ZERO) < COTANGENT else MIXED
    if primitive in BILINEAR:
        if states[0] == ZERO or states[1] == ZERO:
            return ZERO
        return top if states[0] != states[1] else MIXED
    which = passed_on(primitive, len(states))
    return top if which and all(states[i] == top or states[i] == ZERO for i in which) else MIXED


def _without(primitive: str, states: Sequence[State], top: State) -> State:
    """The same where no operand is a cotangent or a tangent."""
    if ZERO in states:
        if primitive in BILINEAR:
            return ZERO
        which = passed_on(primitive, len(states))
        if which and all(states[i] == ZERO for i in which):
            return ZERO
    return UNKNOWN if top == UNKNOWN and primitive not in NONLINEAR else NEITHER


def joined(a: State, b: State) -> State:
    """What a value is that may be one or the other: the result of two branches, the carry of a loop."""
    if a == b or b == ZERO:
        return a
    if a == ZERO:
        return b
    return max(a, b) if max(a, b) < COTANGENT else MIXED
