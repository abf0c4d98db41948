"""A real run remembers what made its arrays."""

from __future__ import annotations

import gc

import jax
import jax.numpy as jnp
import pytest

from visualizer.tracing.eager import _past
from visualizer.tracing.eager._held import is_held
from visualizer.tracing.eager._holding import holding, remembering
from visualizer.tracing.eager._module_program import held_in, program_of


def made():
    x = jnp.arange(3.0)
    key = jax.random.split(jax.random.key(0))[0]
    return jnp.sin(x) * 2 + jax.random.normal(key, (3,)), key


@pytest.mark.parametrize("which", [0, 1], ids=["array", "key"])
def test_the_program_is_that_of_a_held_run(which):
    with holding():
        held = str(program_of(held_in(made()[which])))
    with remembering():
        value = made()[which]
        assert held_in(value)[0] is value
        assert str(program_of([value])) == held


def test_arrays_are_real_and_live_no_longer():
    gc.collect()
    before = len(_past._known)
    with remembering():
        x = jnp.ones(3) + 1
        assert not is_held(x)
        assert x.tolist() == [2.0, 2.0, 2.0]
        assert len(_past._known) > before
        del x
        gc.collect()
        assert len(_past._known) == before
