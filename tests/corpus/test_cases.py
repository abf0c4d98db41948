"""In which way a paste agrees with its truth, and that a wrong program agrees in none."""

from __future__ import annotations

import copy

import jax
import jax.numpy as jnp
import pytest

from visualizer.tracing import serialize

from . import called, cases
from .test_compare import PROGRAM, TRUTH
from .test_inside import called as calling

SOURCE = """
import jax
import jax.numpy as jnp
def f(x, y):
    return (jnp.sin(x) * y).sum()
x, y = jnp.ones(3), jnp.ones(3)
jax.grad(lambda *a: f(*a), argnums=(0, 1))(x, y)
jax.grad(jnp.sum)(x)
f(x, y=y)
"""
EXPECT = {"entry": {"fun": "f", "args": "(x,)", "kwargs": "{}"}, "truth": {"run": {"ok": True}, "trace": {**TRUTH, "ok": True}}}
WHOLE = {**PROGRAM, "origin": "entry", "name": "f", "texts": {}, "span": None, "parameters": [{"name": "x", "text": "f32[3]"}]}
OFFER = {"fun": "f", "args": [{"name": "x", "suggestion": None}, {"name": "scale", "suggestion": "1.0"}]}


def trace(*programs: dict, offers: tuple[dict, ...] = ()) -> dict:
    return {"programs": list(programs), "offers": list(offers), "diagnostics": []}


def wrong() -> dict:
    program = copy.deepcopy(WHOLE)
    program["jaxprs"]["j0"]["eqns"][0]["operands"][1]["atom"]["literal"] = "3.0"
    return program


def test_a_paste_that_shows_the_truth_is_found():
    assert cases.as_pasted(lambda _: trace(WHOLE), "", EXPECT, None) == ("found", [])
    assert cases.as_pasted(lambda _: trace({**calling(WHOLE)}), "", EXPECT, None) == ("inside its call", [])


@pytest.mark.parametrize("program", [wrong(), calling(wrong())])
def test_a_wrong_program_is_wrong(program):
    said, reasons = cases.as_pasted(lambda _: trace(program), "", EXPECT, WHOLE)
    assert said == "wrong"
    assert reasons


def test_an_offer_is_traced_by_its_signature():
    asked = []

    def post(request):
        asked.append(request)
        return trace(WHOLE) if "signature" in request else trace(offers=(OFFER,))

    assert cases.as_pasted(post, "", EXPECT, WHOLE) == ("by its signature", [])
    assert asked[1]["signature"] == {"x": "f32[3]", "scale": "1.0"}


def test_an_offer_whose_program_is_wrong_is_wrong():
    post = lambda request: trace(wrong()) if "signature" in request else trace(offers=(OFFER,))  # noqa: E731
    assert cases.as_pasted(post, "", EXPECT, WHOLE)[0] == "wrong"
    nameless = {"fun": "f", "args": [{"name": "z", "suggestion": None}]}
    assert cases.as_pasted(lambda _: trace(offers=(nameless,)), "", EXPECT, WHOLE) == ("wrong", ["no type is known for z"])
    assert cases.as_pasted(lambda _: trace(offers=(OFFER,)), "", EXPECT, None)[0] == "wrong"  # the entry did not agree


def at(line: int, closed: object = None) -> dict:
    program = serialize(closed).model_dump(mode="json") if closed is not None else {}
    return {**program, "span": {"line": line, "end_line": line}}


def test_only_a_statement_that_transforms_the_function_is_taken():
    call = called.transformed_call(SOURCE, at(7), "f")
    assert call == ("jax.grad(lambda *a: f(*a), argnums=(0, 1))", "x, y")
    assert called.transformed_call(SOURCE, at(8), "f") is None
    assert called.transformed_call(SOURCE, at(9), "f") is None
    assert called.transformed_call(SOURCE, at(7), "g") is None


def test_a_transformed_call_is_held_against_jax():
    def f(x, y):
        return (jnp.sin(x) * y).sum()

    call = called.transformed_call(SOURCE, at(7), "f")
    assert call is not None
    right = jax.make_jaxpr(jax.grad(f, argnums=(0, 1)))(jnp.ones(3), jnp.ones(3))
    other = jax.make_jaxpr(jax.grad(f, argnums=(1, 0)))(jnp.ones(3), jnp.ones(3))
    assert called.against_jax(SOURCE, at(7, right), call) == []
    assert called.against_jax(SOURCE, at(7, other), call)
    assert called.against_jax(SOURCE + "\nraise ValueError('odd')", at(7, right), call)[0].startswith("the call does not run")
