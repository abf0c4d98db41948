"""Branches are called false and true where the index was a bool, and by number everywhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from visualizer.tracing._serialize import serialize

X = np.arange(4, dtype=np.float32)
KNOWN = ["false", "true"]
NUMBERED = ["branch 0", "branch 1"]


def labels(fun: Callable[..., Any], *args: Any) -> list[list[str]]:
    jaxprs = serialize(jax.make_jaxpr(fun)(*args)).program["jaxprs"].values()
    return [[call["label"] for call in eqn["nested"]] for body in jaxprs for eqn in body["eqns"] if eqn["primitive"] == "cond"]


def chosen(p: Any, x: Any) -> Any:
    return lax.cond(p, jnp.sin, lambda y: y * 2, x)


def switched(i: Any, x: Any) -> Any:
    return lax.switch(i, [jnp.sin, jnp.cos], x)


def test_a_predicate_is_false_or_true() -> None:
    assert labels(chosen, True, X) == [KNOWN]
    assert labels(lambda x: chosen(x.sum() > 1, x), X) == [KNOWN]


def test_a_number_stays_a_number() -> None:
    assert labels(switched, 1, X) == [NUMBERED]
    # It was a bool once, and is clamped like any number: the person wrote a switch.
    assert labels(lambda b, x: switched(b.astype(np.int32), x), np.bool_(1), X) == [NUMBERED]


def test_a_predicate_that_is_passed_on_is_one() -> None:
    assert labels(lambda p, x: jax.jit(lambda q, y: chosen(q, y))(p, x), True, X) == [KNOWN]
    # The backward pass gets the index that the forward pass computed inside of its jit.
    gradient = jax.grad(lambda x: jax.jit(lambda y: chosen(y.sum() > 1, y).sum())(x))
    assert labels(gradient, X) == [KNOWN, KNOWN]


def test_a_number_that_is_passed_on_is_none() -> None:
    gradient = jax.grad(lambda x, i: jax.jit(lambda y, j: switched(j, y).sum())(x, i))
    assert labels(gradient, X, 1) == [NUMBERED, NUMBERED]


def test_what_a_forward_scan_stacks_is_followed_into_the_backward_one() -> None:
    def loss(x: Any, pick: Any) -> Any:
        return lax.scan(lambda h, row: (pick(h, row), None), x, jnp.ones((3, 4)))[0].sum()

    assert labels(jax.grad(lambda x: loss(x, lambda h, row: chosen(h.sum() > 1, h * row))), X) == [KNOWN, KNOWN]
    count = jax.grad(lambda x: loss(x, lambda h, row: switched(h.sum().astype(np.int32), h * row)))
    assert labels(count, X) == [NUMBERED, NUMBERED]


def branches() -> Any:
    return tuple(jax.make_jaxpr(f)(X) for f in (jnp.cos, jnp.sin))


def test_one_body_called_with_a_predicate_and_with_a_number_is_numbered() -> None:
    choose = branches()
    call = jax.jit(lambda i, x: lax.cond_p.bind(i, x, branches=choose))
    assert labels(lambda p, x: call(p.astype(np.int32), x), np.bool_(1), X) == [KNOWN]
    assert labels(lambda p, i, x: (call(p.astype(np.int32), x), call(i, x)), np.bool_(1), np.int32(1), X) == [NUMBERED]


@pytest.mark.parametrize("index", [0, 1])
def test_a_literal_says_nothing(index: int) -> None:
    choose = branches()
    assert labels(lambda x: lax.cond_p.bind(np.int32(index), x, branches=choose), X) == [NUMBERED]
