"""Gradients have the name that they are assigned to, where their types say which is which."""

from __future__ import annotations

import pytest

from tests.tracing.naming import LESSON, LESSON_ARGS, Dict, traced

HEAD = """
def loss(params, x):
    return (jnp.tanh(x @ params['w'] + params['b']) ** 2).sum()
def aux(params, x):
    return loss(params, x), x
def plain(w, x):
    return (jnp.tanh(x * w) ** 2).sum()
"""
ARGS = "({'w': jnp.ones((3, 2)), 'b': jnp.zeros(2)}, jnp.ones((4, 3)))"
# A gradient that nothing reads is not seen to leave.
GIVE = "return [leaf for leaf in jax.tree.leaves(dict(locals())) if isinstance(leaf, jax.Array)]"
KINDS = {
    "g = jax.grad(loss)(params, x)": {"g['w']", "g['b']"},
    "l, g = jax.value_and_grad(loss)(params, x)": {"g['w']", "g['b']"},
    "(l, a), g = jax.value_and_grad(aux, has_aux=True)(params, x)": {"g['w']", "g['b']"},
    "g, a = jax.grad(aux, has_aux=True)(params, x)": {"g['w']", "g['b']"},
    "gx = jax.grad(loss, argnums=1)(params, x)": {"gx"},
    "gp, gx = jax.grad(loss, argnums=(0, 1))(params, x)": {"gp['w']", "gp['b']", "gx"},
    "both = jax.grad(loss, (0, 1))(params, x)": {"both[0]['w']", "both[0]['b']", "both[1]"},
    "make = jax.grad(loss)\n    g = make(params, x)": {"g['w']", "g['b']"},
    "g = helper(params, x)": {"g['w']", "g['b']"},
    "g = jax.grad(lambda x: plain(x, x))(x)": {"g"},
    "g = jax.grad(plain, argnums=n)(x, x)": set(),
    "g = jax.grad(plain)(x * 2, x)": set(),  # the argument has no name, so what it is made of is not known
    "one, two = jax.grad(plain, (0, 1))(x, x)": set(),  # both of one type
    "g = [jax.grad(plain)(x, x) for _ in range(2)]": set(),
}


def named_cotangents(program: Dict) -> set[str]:
    return {
        jaxpr["vars"][result["var"]]["label"]
        for jaxpr in program["jaxprs"].values()
        for eqn in jaxpr["eqns"]
        if any(entry["name"] == "transpose" for entry in eqn["stack"])
        for result in eqn["results"]
        if jaxpr["vars"][result["var"]]["label"] is not None
    }


@pytest.mark.parametrize("statement", KINDS)
def test_every_way_to_ask_for_a_gradient(statement: str) -> None:
    text = f"{HEAD}n = 0\ndef helper(p, x):\n    return jax.grad(loss)(p, x)\ndef f(params, x):\n    {statement}\n    {GIVE}\n"
    found = named_cotangents(traced(text, "f", ARGS))
    assert found == KINDS[statement]


def test_the_step_of_the_lesson_names_its_gradient() -> None:
    program = traced(LESSON, "train", LESSON_ARGS)
    assert named_cotangents(program) == {"grad"}


def test_nothing_inside_of_a_differentiated_function_is_a_gradient_of_its_call() -> None:
    text = "def outer(w):\n    g = jax.grad(lambda v: (v ** 3).sum())(w)\n    return (g ** 2).sum()\n"
    program = traced(text, "jax.grad(outer)", "(jnp.ones(3),)")
    assert "g" not in {
        program["jaxprs"][program["entry"]]["vars"][atom["var"]]["label"] for atom in program["jaxprs"][program["entry"]]["outvars"]
    }
