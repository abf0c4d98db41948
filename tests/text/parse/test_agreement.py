"""What is read from a print is what tracing says of the program, field by field; and it is written back as it was printed."""

from __future__ import annotations

import inspect
from typing import Any

import jax
import pytest
from hypothesis import given, settings

from tests.generated import programs as generated
from tests.generated import seeded
from tests.text.parse.agreement import differences, said, truth
from tests.text.test_generated import ARGUMENTS, MODULES, functions
from tests.text.test_nested import NESTED, _names, _nested
from tests.text.test_rules import EXPECTED
from tests.tracing import differentiated, kernels, programs
from visualizer.model import Program
from visualizer.text import jaxpr_text


def check(closed: Any) -> None:
    text = str(closed)
    program = said(text)
    assert differences(program, truth(closed)) == []
    assert jaxpr_text(Program.model_validate(program)) == text


def _traceable(module: Any) -> list[Any]:
    members = inspect.getmembers(module, inspect.isfunction)
    own = [(name, fun) for name, fun in members if fun.__module__ == module.__name__ and not name.startswith("_")]
    return [pytest.param(fun, id=name) for name, fun in own if not inspect.signature(fun).parameters]


@pytest.mark.parametrize("program", [*_traceable(programs), *_traceable(kernels), *_traceable(differentiated)])
def test_each_way_that_a_jaxpr_is_nested(program: Any) -> None:
    fun, args, *_ = program()
    check(jax.make_jaxpr(fun)(*args))


@pytest.mark.parametrize("what", EXPECTED)
def test_each_printing_rule(what: str) -> None:
    fun, args, _ = EXPECTED[what]
    check(jax.make_jaxpr(fun)(*args))


@settings(max_examples=40, deadline=None)
@given(generated())
def test_random_programs(program: Any) -> None:
    check(jax.make_jaxpr(program.fun)(*program.args))


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_seeded_programs(first: int) -> None:
    for number in range(first, first + 25):
        program = seeded(number)
        check(jax.make_jaxpr(program.fun)(*program.args))


@pytest.mark.filterwarnings("ignore")  # some warn of arguments like these
@pytest.mark.parametrize("module", MODULES)
def test_functions_of_jax(module: str) -> None:
    checked = 0
    for _, fun in functions(*MODULES[module]):
        for args in ARGUMENTS:
            try:
                closed = jax.make_jaxpr(fun)(*args)
            except (TypeError, ValueError, NotImplementedError, AttributeError, AssertionError, IndexError, KeyError):
                continue  # not a function of such arguments
            check(closed)
            checked += 1
            break
    assert checked >= 8


@pytest.mark.corpus
@pytest.mark.skipif(not NESTED.is_file(), reason="the shared cases are not here")
@pytest.mark.parametrize("name", _names())
def test_each_primitive_that_carries_jaxprs(name: str) -> None:
    fun, args = getattr(_nested(), name)()
    check(jax.make_jaxpr(fun)(*args))


def test_twins_are_found_where_the_text_decides() -> None:
    fun, args, *_ = differentiated.grad_of_a_scan()
    closed = jax.make_jaxpr(fun)(*args)
    (mine,), (theirs,) = said(str(closed))["twins"], truth(closed)["twins"]
    assert mine == theirs
