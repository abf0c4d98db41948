from __future__ import annotations

import inspect

import jax
import jax.numpy as jnp

from visualizer.tracing.arguments._fixed import Fixed, hold_fixed, unfix


def f(x, n, *, name="a"):
    return x * n if name == "a" else x


def test_fixed_arguments_are_hidden_from_tracing():
    tree = {"a": Fixed("text"), "b": 1.0}
    assert jax.tree.leaves(tree) == [1.0]
    assert unfix(tree) == {"a": "text", "b": 1.0}
    assert Fixed(f) == Fixed(f)
    assert Fixed("a") != "a"


def test_a_held_function_sees_what_the_person_wrote():
    leaves, tree = jax.tree.flatten(((jnp.ones(3), 2), {"name": "a"}))
    held, args, kwargs = hold_fixed(f, leaves, [True, False, False], tree)
    assert str(jax.make_jaxpr(held)(*args, **kwargs)) == str(jax.make_jaxpr(lambda x: x * 2)(jnp.ones(3)))
    assert inspect.signature(held) == inspect.signature(f)


def test_without_anything_to_hold_the_function_is_itself():
    leaves, tree = jax.tree.flatten(((jnp.ones(3), 2), {}))
    assert hold_fixed(f, leaves, [True, True], tree)[0] is f
