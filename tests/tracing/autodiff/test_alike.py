"""Bodies of one form are analysed once, and what is found of each is what is found when each is analysed alone."""

from __future__ import annotations

from contextlib import nullcontext

import jax
import jax.numpy as jnp
import pytest

from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff import _kinds
from visualizer.tracing.autodiff._alike import Alike
from visualizer.tracing.autodiff._observed import forget, observing
from visualizer.tracing.autodiff._origins import Origins


class Alone:
    """Each body is of a form of its own."""

    def __init__(self, *_):
        pass

    def first(self, body):
        return body


def layers(x, count=4):
    for number in range(count):
        with jax.named_scope(f"layer{number}"):
            x, trail = jax.lax.scan(lambda c, t: (jnp.sin(c) * t, c * t), x, jnp.ones((3, 4)))
            x = jax.lax.cond(x.sum() > number, lambda x: jnp.tanh(x) * x, lambda x: x + 1, x) + trail.sum(0)
    return x.sum()


def mixed(x, w):
    """One scan is differentiated, another of the same form is not, and a third only in part."""
    step = lambda c, t: (jnp.sin(c) * t, c * t)  # noqa: E731
    plain, _ = jax.lax.scan(step, w, jnp.ones((3, 4)))
    first, _ = jax.lax.scan(step, x, jnp.ones((3, 4)))
    _, trail = jax.lax.scan(step, jax.lax.stop_gradient(w), x * jnp.ones((3, 4)))
    return (plain * first).sum() + trail.sum()


def looped(x):
    """A while loop of its own in each layer, and a checkpoint."""
    for _ in range(3):
        x = jax.checkpoint(lambda c: jax.lax.scan(lambda c, t: (jnp.cos(c) * t, None), c, jnp.ones((2, 4)))[0])(x)
        x = x + jax.lax.fori_loop(0, 3, lambda i, c: c * 2.0, x)
    return x.sum()


X = jnp.ones(4)
PROGRAMS = {
    "grad": lambda: jax.make_jaxpr(jax.grad(layers))(X),
    "value_and_grad of a jit": lambda: jax.make_jaxpr(jax.value_and_grad(jax.jit(layers)))(X),
    "hessian": lambda: jax.make_jaxpr(jax.hessian(lambda x: layers(x, 2)))(X),
    "jvp": lambda: jax.make_jaxpr(lambda x: jax.jvp(layers, (x,), (x,)))(X),
    "mixed": lambda: jax.make_jaxpr(jax.grad(mixed, argnums=(0, 1)))(X, X),
    "looped": lambda: jax.make_jaxpr(jax.grad(looped))(X),
}


@pytest.mark.parametrize("seen", [True, False], ids=["watched", "not watched"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_sharing_changes_nothing(monkeypatch, name, seen):
    jax.clear_caches()  # what was traced before would not be seen
    forget()
    try:
        with observing() if seen else nullcontext():
            closed = PROGRAMS[name]()
        shared = serialize(closed).program
        monkeypatch.setattr(_kinds, "Alike", Alone)
        assert serialize(closed).program == shared
    finally:
        forget()


def forms(closed, **known):
    program = serialize(closed).program
    origins = Origins(program["jaxprs"])
    alike = Alike(origins, known.get("of_eqn", lambda _: None), known.get("of_var"))
    return {body: alike.first(body) for body in program["jaxprs"]}, program


def test_bodies_of_one_form_are_one():
    firsts, program = forms(jax.make_jaxpr(lambda x: layers(x, 3))(X))
    assert len(set(firsts.values())) < len(program["jaxprs"])


@pytest.mark.parametrize(
    "other",
    [
        lambda c: c * 2.0,  # another primitive
        lambda c: c + 2.0,  # another literal
        lambda c: c + c,  # another operand
        lambda c: (c + 1.0) + 1.0,  # one more equation
        lambda c: jax.named_call(lambda c: c + 1.0, name="scope")(c),  # another name stack, or a body of its own
    ],
)
def test_what_differs_in_anything_that_is_read_is_another_form(other):
    @jax.jit
    def first(c):
        return c + 1.0

    firsts, program = forms(jax.make_jaxpr(lambda x: jax.jit(other)(first(x)))(X))
    one, two = (eqn["nested"][0]["jaxpr"] for eqn in program["jaxprs"][program["entry"]]["eqns"])
    assert firsts[one] != firsts[two]


def test_what_is_known_beside_the_jaxprs_tells_bodies_apart():
    once = lambda: jax.jit(lambda c: jax.lax.cond(c.sum() > 0, lambda c: c, lambda c: c + 1.0, c))  # noqa: E731
    closed = jax.make_jaxpr(lambda x: once()(once()(x)))(X)
    firsts, program = forms(closed)
    one, two = (eqn["nested"][0]["jaxpr"] for eqn in program["jaxprs"][program["entry"]]["eqns"])
    assert one != two
    assert firsts[one] == firsts[two]
    for known in ({"of_eqn": str}, {"of_var": str}):
        apart, _ = forms(closed, **known)
        assert apart[one] != apart[two]
