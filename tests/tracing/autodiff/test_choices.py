"""Branches under vmap that save nothing and stand on one line: which belongs to which is told by scopes that no rule of ours looks at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from tests.tracing.stepwise import Stepped, mark

X = np.array([-0.5, 0.3, 1.2, 2.5], np.float32)
Fun = Callable[[Any], Any]


def steps(x: Any) -> Any:
    return lax.scan(lambda c, _: (c * 3 + c, c), x, None, length=3)[0]


def marked(name: str, change: Fun = lambda x: x) -> Fun:
    def branch(x: Any) -> Any:
        with mark(f"at_{name}"):
            return steps(change(x))

    return branch


def twice(x: Any) -> Any:
    with mark("at_first"):
        x = steps(x * 5)
    with mark("at_second"):
        return steps(x * 7)


def choosing(x: Any) -> Any:
    return lax.cond(x > 0, marked("one"), marked("two", lambda x: x * 2), x)


def switching(x: Any) -> Any:
    return lax.switch(x.astype(int), [marked("one"), marked("two", lambda x: x * 2), marked("three", lambda x: -x)], x)


def within(x: Any) -> Any:
    return lax.cond(x > 0, lambda x: lax.cond(x > 1, marked("one"), marked("two", lambda x: x * 2), x), marked("three", lambda x: -x), x)


def several(x: Any) -> Any:
    return lax.cond(x > 0, twice, marked("one"), x)


def where_in_it(x: Any) -> Any:
    return lax.cond(x > 0, lambda x: marked("one")(jnp.where(x > 1, x, 0.0)), lambda x: jnp.maximum(marked("two")(x), 0.0), x)


def after(x: Any) -> Any:
    return choosing(x) * jnp.where(x > 0, 2.0, 3.0) + marked("three", lambda x: x + 1)(x)


CONDS = {"cond": choosing, "switch": switching, "cond in a cond": within, "two in a branch": several, "where": where_in_it}
PULLED: dict[str, Callable[[Fun], Fun]] = {
    "grad of vmap": lambda f: jax.grad(lambda x: jax.vmap(f)(x).sum()),
    "vmap of grad": lambda f: jax.vmap(jax.grad(f)),
    "vmap of value_and_grad": lambda f: jax.vmap(jax.value_and_grad(f)),
    "grad of a weighted vmap": lambda f: jax.grad(lambda x: jnp.where(x > 1, jax.vmap(f)(x), 0.0).sum()),
    "grad of two vmaps": lambda f: jax.grad(lambda x: jax.vmap(jax.vmap(f))(jnp.stack([x, x * 2])).sum()),
    "grad of a jitted vmap": lambda f: jax.grad(lambda x: jax.jit(jax.vmap(f))(x).sum()),
}


# There the index of the transposed cond is another variable, or values of several branches are mixed: how many pairs do follow.
FEWER = {
    ("cond in a cond", "vmap of grad"): 1,
    ("cond in a cond", "vmap of value_and_grad"): 1,
    ("where", "vmap of grad"): 0,
    ("where", "vmap of value_and_grad"): 0,
} | {(cond, "grad of a jitted vmap"): 0 for cond in CONDS}


@pytest.mark.parametrize("pulled", PULLED)
@pytest.mark.parametrize("cond", CONDS)
def test_branches_that_save_nothing_are_paired_by_the_index_of_their_cond(cond: str, pulled: str) -> None:
    stepped = Stepped(PULLED[pulled](CONDS[cond]), X)
    pairs = stepped.pairs()
    assert all(forward == backward for forward, backward in pairs)
    assert len(pairs) == len(set(pairs)) == FEWER.get((cond, pulled), 2 if cond in ("cond", "where") else 3)
    assert stepped.wrong_links() == []


def own_choice(x: Any) -> Any:
    """Chosen as a person would, from what was masked the other way around."""
    k = (x > 0).astype(np.int32)
    one = marked("one")(jnp.where(k == 1, x, 0.0))
    two = marked("two", lambda x: x * 2)(jnp.where(k == 0, x, 0.0))
    return jnp.where(k == 0, one, two)


def as_jax_would(x: Any) -> Any:
    k = (x > 0).astype(np.int32)
    one = marked("one")(jnp.where(k == 1, x, lax.stop_gradient(x)))
    two = marked("two", lambda x: x * 2)(jnp.where(k == 0, x, lax.stop_gradient(x)))
    return jnp.where(k == 0, one, two)


def crossed(x: Any) -> Any:
    k = (x > 0).astype(np.int32)
    one = marked("one")(lax.select_n(k == 1, lax.stop_gradient(x), x))
    two = marked("two", lambda x: x * 2)(lax.select_n(k == 0, lax.stop_gradient(x), x))
    return lax.select_n(k, one, two)


def swapped_gradients(x: Any) -> Any:
    one, at_one = jax.value_and_grad(lambda x: marked("one")(x).sum())(x)
    two, at_two = jax.value_and_grad(lambda x: marked("two", lambda x: x * 2)(x).sum())(x)
    return jnp.where(x > 0, one, two), jnp.where(x > 0, at_two, at_one)


@pytest.mark.parametrize("fun", [own_choice, as_jax_would, crossed, after])
def test_what_a_person_chooses_is_no_branch(fun: Fun) -> None:
    for change in PULLED.values() if fun is after else (lambda f: jax.grad(lambda x: f(x).sum()),):
        stepped = Stepped(change(fun), X)
        assert all(forward == backward for forward, backward in stepped.pairs())


def test_branches_that_are_chosen_from_through_a_call_are_not_paired_by_their_order() -> None:
    def inner(x: Any) -> Any:
        return jnp.where(x > 1, marked("one", lambda x: x * 3)(x), x * 2)

    fun = jax.vmap(jax.grad(lambda x: lax.cond(x > 0, inner, marked("two", lambda x: x * 2), x)))
    assert all(forward == backward for forward, backward in Stepped(fun, X).pairs())


def test_one_gradient_after_another_is_not_paired_crosswise() -> None:
    pairs = Stepped(swapped_gradients, X).pairs()
    assert sorted(pairs) == [("at_one", "at_one"), ("at_two", "at_two")]
