"""What equations of plain params say is known to the whole process: the same for every program, never what a stranger could change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import core as jax_core
from jax.extend.core import Primitive

from visualizer.tracing._serialize import serialize
from visualizer.tracing.eqns import _plain_params as plain_params

X = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[Any, Any]]:
    """Nothing known at first."""
    held: dict[Any, Any] = {}
    monkeypatch.setattr(plain_params, "_known", held)
    yield held


def body(x: Any) -> Any:
    y = jnp.sum(x, axis=0)[None] * jnp.ones((3, 1), jnp.float32)
    z, _ = jax.lax.scan(lambda c, row: (jnp.tanh(c) + row, None), y[0], y.astype(jnp.bfloat16).astype(jnp.float32))
    return jnp.where(z > 0, z, jnp.transpose(x)[:, 0]) @ jnp.transpose(x)


def test_a_program_says_the_same_whatever_was_read_before(known: dict[Any, Any]) -> None:
    closed = jax.make_jaxpr(jax.grad(lambda x: body(x).sum()))(X)
    first = serialize(closed).program
    assert known
    entries = len(known)
    assert serialize(closed).program == first
    assert serialize(jax.make_jaxpr(jax.grad(lambda x: body(x).sum()))(X)).program["jaxprs"].keys() == first["jaxprs"].keys()
    assert len(known) == entries


def test_calls_of_any_jaxpr_say_the_same_but_for_it(known: dict[Any, Any]) -> None:
    def calls(inner: Any) -> dict[str, Any]:
        def step(carry: Any, row: Any) -> Any:
            return jax.jit(inner, inline=False)(carry), row

        return serialize(jax.make_jaxpr(lambda x: jax.lax.scan(step, jax.jit(inner)(x[0]), x))(X)).program

    first = calls(jnp.sin)
    kept = [found for found in known.values() if found[2]]
    assert [[name for _, name in found[2]] for found in kept] == [["jaxpr"]] * len(kept)
    assert len(kept) >= 2
    entries = len(known)
    other = calls(lambda x: jnp.cos(x) * jnp.sin(x))
    names = [sorted(body["name"] for body in program["jaxprs"].values()) for program in (first, other)]
    assert names[0] != names[1]
    for program in (first, other):
        for eqn in [eqn for body in program["jaxprs"].values() for eqn in body["eqns"] if eqn["nested"]]:
            said = {param["name"]: param["text"] for param in eqn["params"]}
            assert [said[call["param"]] for call in eqn["nested"]] == [call["jaxpr"] for call in eqn["nested"]]
            assert list(said) == sorted(said)
    assert len([found for found in known.values() if found[2]]) <= len(kept) + 1  # the name of a jitted function is a param
    assert len(known) > entries
    assert calls(jnp.sin) == first


def holder(value: Any) -> Any:
    primitive = Primitive("holder")
    primitive.def_abstract_eval(lambda x, **_: x)
    return primitive, lambda p, v: serialize(jax.make_jaxpr(lambda x: p.bind(x, held=v))(X)).program["jaxprs"]["j0"]["eqns"][0]


def test_values_that_python_calls_equal_are_told_apart() -> None:
    primitive, said = holder(None)
    values: list[Any] = [1, True, np.int64(1), (1,), (True,), (np.int64(1),), "1", None, (), (None,), np.dtype("int32"), "int32"]
    for _ in range(2):
        for value in values:
            assert said(primitive, value)["params"] == [{"name": "held", "text": str(value)}]


class Changing:
    """Prints as it is now."""

    text = "before"

    def __repr__(self) -> str:
        return self.text


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: (value,), lambda value: (1, (value,))])
def test_what_may_change_is_read_anew(known: dict[Any, Any], wrap: Any) -> None:
    primitive, said = holder(None)
    value = Changing()
    assert "before" in said(primitive, wrap(value))["params"][0]["text"]
    value.text = "after"
    assert "after" in said(primitive, wrap(value))["params"][0]["text"]
    assert not known


def test_another_printing_rule_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    primitive, said = holder(None)
    assert said(primitive, 3)["printed"] is None

    def rule(eqn: Any, context: Any, settings: Any) -> Any:
        return jax_core._pp_eqn(eqn.replace(params={}), context, settings)

    monkeypatch.setitem(jax_core.pp_eqn_rules, primitive, rule)
    assert said(primitive, 3)["printed"] == {"params": [], "pieces": None}


def test_two_primitives_of_one_name_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    (first, said), (second, _) = holder(None), holder(None)

    def rule(eqn: Any, context: Any, settings: Any) -> Any:
        return jax_core._pp_eqn(eqn.replace(params={}), context, settings)

    monkeypatch.setitem(jax_core.pp_eqn_rules, first, rule)
    assert said(first, 3)["printed"] is not None
    assert said(second, 3)["printed"] is None


def test_what_is_known_does_not_add_up(known: dict[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_params, "MOST", 5)
    primitive, said = holder(None)
    for number in range(20):
        assert said(primitive, number)["params"][0]["text"] == str(number)
        assert len(known) <= 5
