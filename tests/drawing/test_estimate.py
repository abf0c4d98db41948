"""The estimates of operations against XLA's own cost analysis of the same program, before anything is optimised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax

from tests.tracing.lowered import Lowering
from visualizer.drawing import DrawingError, draw, draw_module, estimate, estimate_module
from visualizer.tracing import serialize

X = jnp.ones((8, 16))
I = jnp.ones((8, 16), jnp.int32)  # noqa: E741 - integers
B = jnp.ones((8, 16), bool)
C = jnp.ones((8, 16), jnp.complex64)
IMAGE = jnp.ones((2, 8, 8, 4))
ROWS = lax.ScatterDimensionNumbers((1,), (0,), (0,))
NHWC = ("NHWC", "HWIO", "NHWC")


# XLA writes others (exp2, logistic, asin) out in terms of these before it counts; here each is one.
ONE = "abs ceil cbrt cos erf exp expm1 floor is_finite log log1p neg round rsqrt sign sin sqrt square tan tanh"
TWO = "add atan2 div eq lt max min mul pow rem sub"


def conv(strides: tuple[int, int], padding: Any, **options: Any) -> Callable[[Any, Any], Any]:
    return lambda image, kernel: lax.conv_general_dilated(image, kernel, strides, padding, dimension_numbers=NHWC, **options)


def elementwise() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    one = ONE.split()
    two = TWO.split()
    found: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {name: (getattr(lax, name), (X,)) for name in one}
    found |= {name: (getattr(lax, name), (X, X)) for name in two}
    found |= {f"int {name}": (getattr(lax, name), (I, I)) for name in ("add", "bitwise_and", "div", "shift_left")}
    return found


EXACT: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    **{f"integer_pow {n}": (lambda x, n=n: lax.integer_pow(x, n), (X,)) for n in (2, 3, 7, -2)},
    "convert": (lambda x: x.astype(jnp.bfloat16), (X,)),
    "select": (lambda b, x: lax.select(b, x, -x), (B, X)),
    "clamp": (lambda x: lax.clamp(0.0, x, 1.0), (X,)),
    "complex": (lambda c: c * c + c, (C,)),
    "reduce_sum": (lambda x: lax.reduce_sum(x, (1,)), (X,)),
    "reduce_max": (lambda x: lax.reduce_max(x, (0, 1)), (X,)),
    "reduce_and": (lambda b: lax.reduce_and(b, (0,)), (B,)),
    "reduce": (lambda x: lax.reduce(x, 0.0, lambda a, b: a * b + 1, (1,)), (X,)),
    "reduce_window": (lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), (1, 1), "SAME"), (X,)),
    "scatter-add": (lambda x, i, u: lax.scatter_add(x, i, u, ROWS), (X, jnp.array([[1], [2]]), X[:2])),
    "fft": (jnp.fft.fft, (C,)),
    "dot": (lambda x, y: x @ y, (X, jnp.ones((16, 32)))),
    "batched dot": (lambda x, y: jnp.einsum("bij,bjk->bik", x, y), (jnp.ones((4, 3, 5)), jnp.ones((4, 5, 7)))),
    "transposed dot": (lambda x, y: jnp.einsum("ji,jk->ki", x, y), (jnp.ones((5, 3)), jnp.ones((5, 7)))),
    "conv": (conv((1, 1), "VALID"), (IMAGE, jnp.ones((3, 3, 4, 6)))),
    "conv strides": (conv((2, 2), "SAME"), (IMAGE, jnp.ones((3, 3, 4, 6)))),
    "conv uneven": (conv((2, 1), [(1, 3), (0, 2)]), (IMAGE, jnp.ones((3, 2, 4, 6)))),
    "conv groups": (conv((1, 1), "SAME", feature_group_count=2), (IMAGE, jnp.ones((3, 3, 2, 6)))),
    "conv batch groups": (conv((1, 1), "SAME", batch_group_count=2), (IMAGE, jnp.ones((3, 3, 4, 6)))),
    "conv dilated": (conv((1, 1), "SAME", rhs_dilation=(2, 2)), (IMAGE, jnp.ones((3, 3, 4, 6)))),
    "conv transposed": (conv((1, 1), [(1, 2), (2, 1)], lhs_dilation=(2, 2)), (IMAGE, jnp.ones((3, 3, 4, 6)))),
    "jit": (lambda x: jax.jit(lambda x: x + x * x)(x), (X,)),
    "network": (lambda w, x: jnp.sum(jnp.tanh(x @ w) ** 2), (jnp.ones((16, 4)), X)),
    **elementwise(),
}


def of(fun: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    return estimate(serialize(jax.make_jaxpr(fun)(*args)))


@pytest.mark.parametrize("name", EXACT)
def test_operations_are_those_of_xla(name: str) -> None:
    fun, args = EXACT[name]
    costs = jax.jit(fun).lower(*args).cost_analysis()
    assert costs is not None
    found = of(fun, args)
    assert found.uncounted == ()
    assert found.flops == costs.get("flops", 0.0) + costs.get("transcendentals", 0.0)


# Powers and the loop of erf_inv are counted as one; StableHLO has them written out, or XLA does it.
WRITTEN_OUT = {f"integer_pow {n}" for n in (2, 3, 7, -2)}


@pytest.mark.parametrize("name", [name for name in EXACT if name not in WRITTEN_OUT])
def test_operations_of_a_module_are_those_of_xla(name: str) -> None:
    fun, args = EXACT[name]
    costs = jax.jit(fun).lower(*args).cost_analysis()
    assert costs is not None
    found = estimate_module(Lowering(fun, *args).module)
    assert found.uncounted == ()
    assert found.flops == costs.get("flops", 0.0) + costs.get("transcendentals", 0.0)


def test_a_loop_of_a_module_counts_each_of_its_steps() -> None:
    body = estimate_module(Lowering(lambda c, t: (jnp.sin(c) * t, c + t), X[0], X[0]).module)
    scan = estimate_module(Lowering(lambda c, ts: lax.scan(lambda c, t: (jnp.sin(c) * t, c + t), c, ts), X[0], X).module)
    # A step counts its own counter, too: what takes the row, the comparison and the addition.
    assert 8 * body.flops <= scan.flops <= 8 * (body.flops + 8)
    assert not scan.per_turn
    loop = estimate_module(Lowering(lambda x: lax.while_loop(lambda x: x.sum() < 100, lambda x: x * 2, x), X).module)
    assert loop.per_turn


def test_what_is_not_counted_of_a_module_is_named() -> None:
    assert any("syevd" in name for name in estimate_module(Lowering(jnp.linalg.eigh, jnp.eye(4)).module).uncounted)


def test_the_peak_of_a_module_is_what_lives_at_a_time() -> None:
    assert estimate_module(Lowering(lambda x: (x[:, None] * x).sum(), jnp.ones(100)).module).peak_bytes >= 400 + 40_000


def test_the_picture_of_a_module_says_what_its_colours_mean() -> None:
    module = Lowering(lambda x: jnp.sin(x) @ x, jnp.ones((3, 3))).module
    assert "63 FLOP" in draw_module(module, overlay="flops")


def test_a_scan_counts_each_of_its_steps() -> None:
    # XLA counts the body of a loop once.
    body = of(lambda c, t: (jnp.sin(c) * t, c + t), (X[0], X[0]))
    scan = of(lambda c, ts: lax.scan(lambda c, t: (jnp.sin(c) * t, c + t), c, ts), (X[0], X))
    assert scan.flops == 8 * body.flops


def test_a_loop_of_unknown_length_says_so() -> None:
    loop = of(lambda x: lax.while_loop(lambda x: x.sum() < 100, lambda x: x * 2, x), (X,))
    assert loop.per_turn
    assert loop.flops == 127 + 1 + 128


def test_what_is_not_counted_is_named() -> None:
    assert of(jnp.linalg.eigh, (jnp.eye(4),)).uncounted == ("eigh",)


def test_the_peak_is_what_lives_at_a_time() -> None:
    # Input, the wide product and the sum live together.
    assert of(lambda x: (x[:, None] * x).sum(), (jnp.ones(100),)).peak_bytes >= 400 + 40_000


def test_the_picture_says_what_its_colours_mean() -> None:
    program = serialize(jax.make_jaxpr(lambda x: jnp.sin(x) @ x)(jnp.ones((3, 3))))
    svg = draw(program, overlay="flops")
    assert "63 FLOP" in svg
    assert "jv-heat4" in svg
    assert "jv-heat" not in draw(program)


def test_a_program_without_a_jaxpr_has_no_estimate() -> None:
    program = serialize(jax.make_jaxpr(jnp.sin)(1.0)).model_dump(mode="json")
    with pytest.raises(DrawingError, match="a module without a jaxpr"):
        estimate({**program, "entry": None})
