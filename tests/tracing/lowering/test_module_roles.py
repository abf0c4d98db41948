"""Roles of the values a loop carries: read off the module, or null."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.tracing.lowered import TRAIN, Lowering, shape, train


def loops(made: Lowering) -> list[list[str | None]]:
    """The roles of each while's results."""
    return [made.roles(op["results"]) for op in made.ops.values() if op["name"] == "stablehlo.while"]


def test_a_scan_carries_its_state_in_an_order_of_its_own():
    made = Lowering(train, *TRAIN)
    assert loops(made) == [["xs", "xs", "const", "counter", "carry", "ys"]]
    loop = made.only("stablehlo.while")
    roles = ["xs", "xs", "const", "counter", "carry", "ys"]
    assert [operand["role"] for operand in loop["operands"]] == roles
    assert all(made.roles(region["blocks"][0]["args"]) == roles for region in loop["regions"])


def test_the_call_of_the_body_and_its_function_have_the_roles_of_the_scan():
    made = Lowering(train, *TRAIN)
    (call,) = (op for op in made.ops.values() if op["callee"] == "closed_call")
    assert [operand["role"] for operand in call["operands"]] == ["const", "carry", "xs", "xs"]
    assert made.roles(call["results"]) == ["carry", "ys"]
    (body,) = (function for function in made.module["functions"] if function["name"] == "closed_call")
    assert made.roles(body["args"]) == ["const", "carry", "xs", "xs"]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("unroll", [1, 2, 3, 4])
def test_unrolled_and_reversed_scans(unroll: int, reverse: bool):
    def program(w: Any, xs: Any, b: Any) -> Any:
        return jax.lax.scan(lambda c, x: (c * x + w, (c, x @ b)), w, xs, unroll=unroll, reverse=reverse)

    made = Lowering(program, shape(3), shape(6, 3), shape(3, 2))
    assert loops(made) == [["xs", "const", "const", "counter", "carry", "ys", "ys"]]


def test_a_scan_unrolled_to_the_end_has_no_loop():
    made = Lowering(lambda xs: jax.lax.scan(lambda c, x: (c + x, c), 0.0, xs, unroll=True), shape(4))
    assert loops(made) == [] and made.unlinked() == []


def test_a_gradient_has_a_forward_and_a_backward_loop():
    def loss(w: Any, xs: Any) -> Any:
        return jax.lax.scan(lambda c, x: (jnp.tanh(c * x + w), None), w, xs)[0].sum()

    made = Lowering(jax.grad(loss), shape(3), shape(6, 3))
    assert loops(made) == [["xs", "const", "counter", "carry", "ys", "ys"], ["xs", "xs", "xs", "counter", "carry", "carry"]]


def test_a_while_keeps_the_order_of_its_equation():
    def program(n: Any, x: Any, k: Any) -> Any:
        return jax.lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * k), (0, x))

    assert loops(Lowering(program, shape(dtype="int32"), shape(3), shape())) == [["cond_const", "body_const", "carry", "carry"]]


def test_a_while_whose_condition_is_batched():
    def program(n: Any, x: Any) -> Any:
        return jax.lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 2), (0, x))

    assert loops(Lowering(jax.vmap(program), shape(4, dtype="int32"), shape(4, 3))) == [["cond_const", "carry", "carry"]]


def test_the_token_of_an_ordered_effect_has_no_role():
    def program(n: Any) -> Any:
        def body(c: Any) -> Any:
            jax.debug.print("{}", c, ordered=True)
            return c + 1

        return jax.lax.while_loop(lambda c: c < n, body, 0)

    assert loops(Lowering(program, shape(dtype="int32"))) == [[None, "cond_const", "carry"]]


def test_nested_scans_have_their_own_roles():
    def program(xs: Any) -> Any:
        def outer(c: Any, row: Any) -> Any:
            return jax.lax.scan(lambda d, x: (d + x, d * c), c, row)

        return jax.lax.scan(outer, 0.0, xs)

    assert loops(Lowering(program, shape(4, 5))) == [["xs", "counter", "carry", "ys"], ["xs", "const", "counter", "carry", "ys"]]


def test_the_index_of_a_branch():
    made = Lowering(lambda i, x: jax.lax.switch(i, [jnp.sin, jnp.cos], x), shape(dtype="int32"), shape(3))
    case = made.only("stablehlo.case")
    assert case["operands"][0]["role"] == "index"
    assert made.roles(case["results"]) == ["result"]


def test_what_is_no_loops_has_no_role():
    made = Lowering(lambda x: jnp.sin(x) * 2, shape(3))
    assert {value["role"] for value in made.module["values"].values()} == {None}
