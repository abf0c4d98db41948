"""What the expressions of a paste are in its programs, held against what Python itself saw while it traced them."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest

from tests.tracing.witnessed import witnessed
from visualizer.model import Trace
from visualizer.tracing._source import trace_source

Dict = dict[str, Any]
ROOT = Path(__file__).parents[3]
HEAD = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n"
EXAMPLES = sorted((ROOT / "visualizer" / "examples").glob("*.py"))
PROGRAMS = {
    "loop": "def f(x):\n    for size in (2, 3):\n        x = jnp.concatenate([x, jnp.ones(size)]) * 2\n    return x\nf(jnp.ones(1))\n",
    "calls": "def g(x):\n    return x[None] * 2\ndef f(x):\n    return g(g(x)) + g(x)[0]\nf(jnp.ones(3))\n",
    "comprehension": "def f(xs):\n    return jnp.stack([x.sum() for x in xs]) + sum(x @ x for x in xs)\nf(jnp.ones((3, 2)))\n",
    "several lines": "def f(x):\n    y = (\n        jnp.exp(x)\n        .reshape(\n            -1, 1\n        )\n    )\n"
    "    return y.T @ y\nf(jnp.ones(4))\n",
    "vjp": "def f(x):\n    y, pull = jax.vjp(lambda x: jnp.sin(x) * x, x)\n    return pull(y * 2)[0] + y\nf(jnp.ones(3))\n",
    "custom rule": "@jax.custom_jvp\ndef g(x):\n    return jnp.sin(x)[:1]\ng.defjvp(lambda p, t: (g(p[0]), (t[0] * 2)[:1]))\n"
    "def f(x):\n    return g(x * 2).sum()\njax.make_jaxpr(jax.grad(f))(jnp.ones(3))\n",
    "many": "def f(x):\n    q, r = jnp.linalg.qr(x)\n    m, e = jnp.frexp(x)\n    both = jnp.frexp(x)\n"
    "    a, b = jnp.meshgrid(x[0], x[:, 0])\n"
    "    return q @ r + m + both[0], jnp.meshgrid(x[0], x[0])[1], a, lax.top_k(x, 1)\nf(jnp.ones((3, 2)))\n",
    "augmented": "def f(x):\n    y = x\n    y += jnp.ones((2, 1))\n    return y\nf(jnp.ones(3))\n",
    "shared": "g = jax.jit(lambda x: jnp.where(x > 0, x, 0.0))\ndef f(x):\n    return g(x) + g(x * 2)\nf(jnp.ones(3))\n",
}


def text_at(text: str, span: Dict) -> str:
    lines = text.split("\n")[span["line"] - 1 : span["end_line"]]
    lines[-1] = lines[-1][: span["end_col"]]
    lines[0] = lines[0][span["col"] :]
    return "\n".join(lines)


def hints(text: str, **request: Any) -> dict[str, list[Dict]]:
    """The types of every expression of the first program: {text: [{path: type}]}."""
    trace = trace_source(text, levels=["jaxpr"], **request)
    Trace.model_validate(trace)
    program = trace["programs"][0]
    found: dict[str, list[Dict]] = {}
    for written in program["written"]:
        for value in written["values"]:
            variables = program["jaxprs"][value["jaxpr"]]["vars"]
            parts = {path: variables[var]["aval"] for path, var in value["parts"].items()}
            found.setdefault(text_at(text, written["span"]), []).append(parts)
    return found


@pytest.mark.parametrize("text", [path.read_text() for path in EXAMPLES], ids=[path.stem for path in EXAMPLES])
def test_what_an_example_says_is_what_python_saw(text):
    assert _check(text) >= 7


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_said_is_what_python_saw(name):
    assert _check(HEAD + PROGRAMS[name]) >= 2


def _check(text: str) -> int:
    """Hold every value of every program against what was seen; how many were."""
    trace = trace_source(text, levels=["jaxpr"])
    assert trace["diagnostics"] == []
    with contextlib.redirect_stdout(io.StringIO()):
        seen = witnessed(text)
    checked = 0
    for program in trace["programs"]:
        eqns = {eqn["id"]: eqn for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"]}
        for written in program["written"]:
            span = written["span"]
            place = (span["line"], span["col"], span["end_line"], span["end_col"])
            for value in written["values"]:
                variables = program["jaxprs"][value["jaxpr"]]["vars"]
                parts = {(path, variables[var]["aval"]) for path, var in value["parts"].items()}
                assert any(parts <= leaves for leaves in seen[place]), (text_at(text, span), parts, seen[place])
                assert value["eqn"] is None or value["eqn"] in eqns
                checked += 1
    return checked


def test_an_expression_has_the_value_of_its_last_equation_that_is_read():
    found = hints(HEAD + "def f(x):\n    return jnp.mean(x)\njax.make_jaxpr(jax.grad(f))(jnp.ones(3))\n")
    assert found["jnp.mean(x)"] == [{"": "f32[]"}]


def test_each_time_is_told():
    found = hints(HEAD + PROGRAMS["loop"])
    assert found["jnp.concatenate([x, jnp.ones(size)])"] == [{"": "f32[3]"}, {"": "f32[6]"}]


def test_a_call_has_the_value_that_its_function_returns():
    found = hints(HEAD + PROGRAMS["calls"])
    assert found["g(x)"] == [{"": "f32[1,3]"}]
    assert found["g(g(x))"] == [{"": "f32[1,1,3]"}]


def test_a_scan_gives_its_carry_and_its_ys_also_when_differentiated():
    found = hints(EXAMPLES[0].read_text())
    assert found["jax.lax.scan(cell, h0, xs)"] == [{"[0]": "f32[]", "[1]": "f32[8]"}]
    assert found["jnp.tanh(gain * h + x)"] == [{"": "f32[]"}]


def test_what_a_checkpoint_computes_again_is_another_time():
    recompute = next(path for path in EXAMPLES if path.stem == "07_recompute")
    assert len(hints(recompute.read_text())["jnp.tanh(h @ w)"]) == 4


def test_a_derivative_has_no_value_of_the_function_it_calls():
    text = HEAD + "def f(x):\n    return jax.jvp(lambda x: jnp.sin(x) * 2, (x,), (x,))\nf(jnp.ones(3))\n"
    assert "jax.jvp(lambda x: jnp.sin(x) * 2, (x,), (x,))" not in hints(text)


def test_a_function_that_says_it_returns_a_tuple_is_none_array():
    text = HEAD + "from jax.scipy.linalg import cho_factor\ndef f(x):\n    c = cho_factor(x)\n    return c[0] * 2\nf(jnp.eye(3))\n"
    assert "cho_factor(x)" not in hints(text)


def test_parameters_under_a_vmap_around_them_have_no_type_of_their_own():
    text = HEAD + "@jax.jit\ndef f(x):\n    return x * 2\njax.make_jaxpr(jax.vmap(f))(jnp.ones((3, 2)))\n"
    program = trace_source(text, levels=["jaxpr"])["programs"][0]
    assert all(value["jaxpr"] != program["entry"] for written in program["written"] for value in written["values"])


def test_a_body_knows_the_head_of_its_function():
    text = HEAD + "@jax.jit\n@jax.named_call\ndef f(x,\n      y=2.0):\n    return x * y\nf(jnp.ones(3))\n"
    program = trace_source(text, levels=["jaxpr"])["programs"][0]
    heads = {text_at(text, jaxpr["defined"]) for jaxpr in program["jaxprs"].values() if jaxpr["defined"]}
    assert heads == {"@jax.jit\n@jax.named_call\ndef f(x,\n      y=2.0"}
