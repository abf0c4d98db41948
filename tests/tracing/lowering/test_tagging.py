"""Tags: the same program, each equation with its id on its name stack."""

from __future__ import annotations

import collections
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.tracing.lowered import TRAIN, shape, train
from visualizer.tracing._serialize import serialize
from visualizer.tracing.lowering._tagging import tag, tag_in, tag_name


def tags(closed: Any) -> list[str | None]:
    """The tag of each equation of a jaxpr, at its own depth."""
    return [tag_in(str(eqn.source_info.name_stack)) for eqn in closed.eqns]


def test_every_equation_is_tagged_at_every_depth_and_the_program_prints_the_same():
    closed = jax.make_jaxpr(train)(*TRAIN)
    tagged = tag(closed, serialize(closed).eqn_of)
    assert str(tagged) == str(closed)
    assert tags(tagged) == ["e0"]
    assert tags(tagged.eqns[0].params["jaxpr"]) == [f"e{n}" for n in range(1, 18)]
    assert tags(closed) == [None]


def test_a_shared_body_stays_shared():
    inner = jax.jit(lambda x: jnp.sin(x) * 2)
    closed = jax.make_jaxpr(lambda x: inner(inner(x)))(shape(3))
    assert closed.eqns[0].params["jaxpr"] is closed.eqns[1].params["jaxpr"]
    tagged = tag(closed, serialize(closed).eqn_of)
    assert tagged.eqns[0].params["jaxpr"] is tagged.eqns[1].params["jaxpr"]
    assert tagged.eqns[0].params["jaxpr"] is not closed.eqns[0].params["jaxpr"]


def test_bodies_in_tuples_lists_dicts_and_named_tuples():
    Pair = collections.namedtuple("Pair", "left right")
    body = jax.make_jaxpr(lambda x: x + 1)(shape(3))
    table = {"bodies": {"a": [body]}, "pair": Pair(body, 3), "plain": (1, "two", [3.0])}
    closed = jax.make_jaxpr(jnp.sin)(shape(3))
    closed = closed.replace(jaxpr=closed.jaxpr.replace(eqns=[closed.eqns[0].replace(params=table)]))
    (eqn,) = tag(closed, serialize(closed).eqn_of).eqns
    assert tags(eqn.params["bodies"]["a"][0]) == ["e1"]
    assert eqn.params["pair"].left is eqn.params["bodies"]["a"][0]
    assert type(eqn.params["pair"]) is Pair
    assert eqn.params["plain"] is table["plain"]


def test_a_container_that_cannot_be_rebuilt_is_left_as_it_is():
    class Sealed(tuple):
        def __new__(cls, *items: object) -> Sealed:
            return super().__new__(cls, items)

    body = jax.make_jaxpr(lambda x: x + 1)(shape(3))
    holder = jax.extend.core.Primitive("sealed_holder")
    holder.def_abstract_eval(lambda x, **_: x)
    sealed = Sealed(body)
    closed = jax.make_jaxpr(lambda x: holder.bind(x, bodies=sealed))(shape(3))
    (eqn,) = tag(closed, serialize(closed).eqn_of).eqns
    assert eqn.params["bodies"] is sealed
    assert tag_in(str(eqn.source_info.name_stack)) == "e0"


def test_an_equation_without_an_id_is_not_tagged():
    closed = jax.make_jaxpr(lambda x: jnp.sin(x) * 2)(shape(3))
    assert tags(tag(closed, {})) == [None, None]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (f"jit(f)/{tag_name('e3')}/while/body/{tag_name('e12')}/mul", "e12"),
        (f"transpose(jvp({tag_name('e7')}))/div", "e7"),
        ("jit(f)/e3/mul", None),
        ("", None),
    ],
)
def test_the_innermost_tag_of_a_name(name: str, found: str | None):
    assert tag_in(name) == found
