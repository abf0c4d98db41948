"""The generated programs themselves: traceable, the same every time, and of every kind that they promise."""

from __future__ import annotations

import collections
from typing import Any

import jax
from hypothesis import find, given, settings

from tests.generated import generate, many, programs, seeded
from tests.generated_ops import NESTED, PLAIN


def kinds(block: Any) -> collections.Counter[str]:
    found: collections.Counter[str] = collections.Counter()
    for op in block.ops:
        found[op.kind] += 1
        for body in op.bodies:
            found += kinds(body)
    return found


@settings(max_examples=60)
@given(programs())
def test_every_generated_program_can_be_traced(program: Any) -> None:
    assert jax.make_jaxpr(program.fun)(*program.args).jaxpr.outvars


def test_a_number_names_one_program() -> None:
    first, again = (jax.make_jaxpr(program.fun)(*program.args) for program in (seeded(11), seeded(11)))
    assert str(first) == str(again)
    assert seeded(11) == seeded(11) != seeded(12)


def test_every_kind_of_step_is_generated() -> None:
    found = sum((kinds(program.body) for program in many(200)), collections.Counter())
    assert set(found) == {*PLAIN, *NESTED}


def test_simplest_choices_are_the_simplest_program() -> None:
    smallest = generate(lambda n: 0)
    assert [op.kind for op in smallest.body.ops] == ["add"]
    assert [len(jax.tree.leaves(smallest.args)), smallest.transform] == [1, ""]


def test_a_failure_shrinks() -> None:
    def has_scan(program: Any) -> bool:
        return bool(kinds(program.body)["scan"])

    small = find(programs(), has_scan, settings=settings(max_examples=500, database=None))
    assert sum(kinds(small.body).values()) <= 3
