from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from visualizer.tracing.running._recorded import same


def scan(unroll=1, value=2.0):
    return jax.make_jaxpr(lambda xs: jax.lax.scan(lambda c, x: (c * value + x, c), 0.0, xs, unroll=unroll))(jnp.ones(8))


def test_the_same_program_traced_twice_is_the_same():
    assert same(scan(), scan())


@pytest.mark.parametrize(
    "other",
    [
        scan(unroll=4),
        scan(value=3.0),
        jax.make_jaxpr(lambda xs: jax.lax.scan(lambda c, x: (x + c * 2.0, c), 0.0, xs))(jnp.ones(8)),
        jax.make_jaxpr(lambda xs: jax.lax.scan(lambda c, x: (c * 2.0 + x, c), 0.0, xs))(jnp.ones(9)),
        jax.make_jaxpr(lambda xs: jax.lax.scan(lambda c, x: (c * 2.0 + x, x), 0.0, xs))(jnp.ones(8)),
    ],
)
def test_a_param_a_literal_a_type_or_the_wiring_make_it_another(other):
    assert not same(scan(), other)


def test_rules_and_callbacks_are_compared_by_name():
    def traced():
        @jax.custom_jvp
        def f(x):
            return x * 2

        f.defjvp(lambda p, t: (f(*p), t[0]))
        return jax.make_jaxpr(f)(1.0)

    assert same(traced(), traced())
