from __future__ import annotations

import gc

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from visualizer.tracing import compat
from visualizer.tracing.eager import _holding, _past
from visualizer.tracing.eager._held import Held, NeedsValueError, Node, is_held, policy
from visualizer.tracing.eager._holding import fits, holding, remembering
from visualizer.tracing.eager._module_program import held_in, program_of


@pytest.fixture
def asked():
    reads: list[str] = []
    with holding(lambda _, why: reads.append(why)):
        yield reads


def test_it_fits_the_installed_jax():
    assert fits() == ""


def test_a_jax_that_looks_different_switches_it_off(monkeypatch):
    monkeypatch.setitem(compat.EAGER_PARAMETERS, compat.EAGER_JIT, ("args", "something_new"))
    assert "_pjit_call_impl_python" in fits.__wrapped__()
    monkeypatch.setattr(compat, "EAGER_PARAMETERS", {(compat, "no_such_function"): ()})
    assert "no_such_function" in fits.__wrapped__()


def test_types_are_known_without_values(asked):
    x = jnp.tanh(jnp.ones((6, 3))) @ jnp.ones(3)
    assert is_held(x)
    assert (x.shape, str(x.dtype), x.ndim, x.size, x.nbytes, len(x), x.weak_type) == ((6,), "float32", 1, 6, 24, 6, False)
    assert isinstance(x, jax.Array)
    assert not isinstance(x, jax.core.Tracer)
    assert asked == []


def test_a_value_is_computed_once_when_it_is_read(asked):
    x = jnp.arange(3.0) * 2
    assert float(x.sum()) == 6.0
    assert asked == ["__float__"]
    assert np.asarray(x).tolist() == [0.0, 2.0, 4.0]
    assert np.asarray(x).tolist() == [0.0, 2.0, 4.0]
    assert asked == ["__float__", "__array__"]


def test_jitted_calls_are_held(asked):
    @jax.jit
    def f(x):
        return x + 1, x * 2

    a, b = f(jnp.ones(3))
    assert is_held(a)
    assert is_held(b)
    assert (a + b).tolist() == [4.0, 4.0, 4.0]


def test_what_differentiation_makes_of_a_jitted_call_is_held(asked):
    @jax.jit
    def f(w, x):
        return jnp.tanh(x @ w).sum()

    gradient = jax.grad(f)(jnp.ones(3), jnp.ones((2, 3)))
    assert is_held(gradient)
    assert is_held(jax.jvp(lambda w: f(w, jnp.ones((2, 3))), (jnp.ones(3),), (jnp.ones(3),))[1])
    assert asked == []
    assert gradient.shape == (3,)


def test_a_host_function_inside_a_loop_runs_at_once(asked):
    seen: list[float] = []

    def host(value):
        seen.append(float(value))
        return np.float32(value)

    out = jax.lax.fori_loop(0, 2, lambda _, c: jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), c) + 1, jnp.float32(0))
    jax.block_until_ready(out)
    assert seen == [0.0, 1.0]
    assert not is_held(out)


def test_a_long_chain_does_not_overflow(asked):
    x = jnp.zeros(())
    for _ in range(3000):
        x = x + 1
    assert int(x) == 3000


@pytest.fixture
def few(monkeypatch):
    """As many held operations as there are now, and five more."""
    gc.collect()
    for module in (_holding, _past):
        monkeypatch.setattr(module, "MOST", Node.alive + 5)
    return Node.alive


@pytest.mark.parametrize("run", [holding, remembering])
def test_a_chain_without_end_is_forgotten(few, run):
    with run():
        x, key = jnp.zeros(()), jax.random.key(0)
        for _ in range(50):
            x = x + 1
            key = jax.random.split(key)[0]
            assert Node.alive <= few + 6
    assert int(x) == 50
    real = jax.random.key(0)
    for _ in range(50):
        real = jax.random.split(real)[0]
    assert jax.random.key_data(key).tolist() == jax.random.key_data(real).tolist()


@pytest.mark.parametrize("run", [holding, remembering])
def test_the_program_of_a_value_begins_where_its_past_was_forgotten(few, run):
    with run():
        x = jnp.ones(3)
        for _ in range(10):
            x = x + 1
        kept = x
        del x  # those before it are forgotten, so there is room again
        y = jnp.sin(kept) * 2
        closed = program_of(held_in(y))
    assert [eqn.primitive.name for eqn in closed.jaxpr.eqns] == ["sin", "mul"]
    assert [const.tolist() for const in closed.consts] == [[11.0, 11.0, 11.0]]


def test_a_numpy_array_changed_later_does_not_change_what_was_made_of_it(asked):
    a = np.ones(2, "float32")
    x = jnp.add(a, 1)
    a[:] = 9
    assert x.tolist() == [2.0, 2.0]


def test_a_donated_array_is_refused(asked):
    f = jax.jit(lambda x: x + 1, donate_argnums=0)
    x = jnp.ones(3)
    f(x)
    assert not policy.refused
    with pytest.raises(NeedsValueError):
        x + 1
    assert policy.refused


def test_effects_are_real_and_in_order(asked):
    seen: list[float] = []
    jax.debug.callback(lambda v: seen.append(float(v)), jnp.float32(2.0))
    jax.effects_barrier()
    assert seen == [2.0]


def test_the_program_of_a_value(asked):
    x = jnp.ones(3)
    y = jnp.sin(x) * 2
    closed = program_of([y])
    assert [eqn.primitive.name for eqn in closed.jaxpr.eqns] == ["broadcast_in_dim", "sin", "mul"]
    assert [type(v) for v in held_in({"a": [x], "b": (y, 1)})] == [Held, Held]
    assert asked == []


def test_everything_is_put_back():
    before = {place: getattr(*place) for place in compat.EAGER_PARAMETERS}
    with holding():
        assert is_held(jnp.ones(3))
        assert all(getattr(*place) is not before[place] for place in before)
    assert {place: getattr(*place) for place in before} == before
    assert not is_held(jnp.ones(3))


def test_what_outlives_the_run_can_still_be_read():
    with holding():
        x = jnp.arange(3) + 1
    assert x.tolist() == [1, 2, 3]
    assert (x * 2).tolist() == [2, 4, 6]
