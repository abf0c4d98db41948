"""A jaxpr is found in whatever a param is made of, and where it stands is said; a stranger's object does no harm."""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from typing import Any

import jax
import pytest
from jax._src.core import Primitive
from jax._src.frozen_dict import FrozenDict

from tests.peer.check import check_program
from visualizer.tracing import serialize
from visualizer.tracing.eqns._nested import jaxprs_in

SIN = jax.make_jaxpr(lambda x: jax.numpy.sin(x) * 2)(1.0)
COS = jax.make_jaxpr(jax.numpy.cos)(1.0)
Pair = namedtuple("Pair", "first second")

holder = Primitive("holder")
holder.def_abstract_eval(lambda x, **params: x)


@dataclasses.dataclass(frozen=True)
class Held:
    a: Any
    b: Any = None


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (SIN, ["v"]),
        (SIN.jaxpr, ["v"]),
        ((SIN, 3, COS), ["v[0]", "v[2]"]),
        (((1, (SIN,)),), ["v[0][1][0]"]),
        (FrozenDict({"k": SIN, 2: (COS,)}), ["v['k']", "v[2][0]"]),
        (Pair(SIN, Pair(1, COS)), ["v.first", "v.second.second"]),
        (Held(SIN, Held(1, (COS,))), ["v.a", "v.b.b[0]"]),
        (Held(FrozenDict({"k": Pair(SIN, None)})), ["v.a['k'].first"]),
        ("jaxpr", []),
        (FrozenDict({"k": 1}), []),
    ],
    ids=range(10),
)
def test_found_in_every_container(value: Any, paths: list[str]) -> None:
    closed = jax.make_jaxpr(lambda x: holder.bind(x, v=value))(1.0)
    program = serialize(closed)
    (eqn,) = program.jaxprs["j0"].eqns
    assert [call.param for call in eqn.nested] == paths
    # No more is known of an equation that nobody has heard of than that types fit: one number in, one number out.
    assert all([(wire.from_, wire.index) for wire in call.inputs] == [("operand", 0)] for call in eqn.nested)
    assert check_program(closed, program) == []


def test_what_cannot_be_read_holds_nothing() -> None:
    class Hostile(tuple):
        def __iter__(self) -> Any:
            raise ValueError

        def __hash__(self) -> int:
            raise ValueError

    @dataclasses.dataclass
    class Field:
        ready: Any
        broken: Any = None

        def __getattribute__(self, name: str) -> Any:
            if name == "broken":
                raise ValueError
            return object.__getattribute__(self, name)

    loop: list[Any] = [SIN]
    loop.append(loop)
    assert [path for path, _ in jaxprs_in({"a": Hostile((SIN,)), "b": Field(COS), "c": loop})] == ["a[0]", "b.ready", "c[0]"]
