"""`jaxpr-visualizer trace --format jaxpr`."""

from __future__ import annotations

import json
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from click.testing import CliRunner

import visualizer._cli._given as given
from tests.web.conftest import FakeTracer
from visualizer.cli import main
from visualizer.tracing import serialize


@pytest.fixture
def tracer(monkeypatch: pytest.MonkeyPatch) -> FakeTracer:
    fake = FakeTracer()
    monkeypatch.setattr(given, "make_tracer", lambda *_: fake)
    return fake


def answer(tracer: FakeTracer, programs: list[dict[str, Any]], diagnostics: list[Any], **more: Any) -> None:
    empty = {
        "schema": 1,
        "input": "python",
        "jax": "",
        "output": {"text": "", "truncated": False},
        "notes": [],
        "offers": [],
        "timings": {},
    }
    trace = {**empty, "programs": programs, "diagnostics": diagnostics, **more}
    tracer.lines = [json.dumps({"level": "jaxpr", "trace": trace, "patch": None}).encode()]


def run(source: str) -> Any:
    return CliRunner().invoke(main, ["trace", "-", "--format", "jaxpr"], input=source)


def program(fun: Any, name: str, **changes: Any) -> dict[str, Any]:
    return {**serialize(jax.make_jaxpr(fun)(1.0), name=name).model_dump(mode="json"), "texts": {}, **changes}


def test_one_program_is_its_jaxpr(tracer: FakeTracer) -> None:
    answer(tracer, [program(jnp.sin, "f")], [])
    done = run("import jax")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n", "")
    assert tracer.asked[0]["levels"] == ["jaxpr"]


def test_several_have_names(tracer: FakeTracer) -> None:
    span = {"line": 3, "col": 0, "end_line": 3, "end_col": 4}
    module = program(jnp.sin, "m", entry=None, jaxprs={}, id="p2")
    answer(tracer, [program(jnp.sin, "f\ng", span=span), program(jnp.cos, "h", id="p1"), module], [])
    assert run("import jax").stdout == (
        "# f g, line 3\n{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n\n"
        "# h\n{ lambda ; a:f32[]. let b:f32[] = cos a in (b,) }\n\n"
        "# m: a module without a jaxpr\n"
    )


def test_problems_go_to_standard_error(tracer: FakeTracer) -> None:
    span = {"line": 2, "col": 0, "end_line": 2, "end_col": 4}
    problem = {
        "severity": "error",
        "code": "python-error",
        "type": "TypeError",
        "message": "no",
        "advice": "",
        "frames": [],
        "stage": "run",
    }
    answer(tracer, [], [{**problem, "span": span}])
    done = run("import jax")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", "error: line 2: no\n")


@pytest.mark.sandbox
def test_for_real() -> None:
    source = "import jax, jax.numpy as jnp\ndef f(x):\n    return jnp.sin(x) * 2\nprint(jax.make_jaxpr(f)(1.0))\n"
    done = run(source)
    assert done.exit_code == 0, done.stderr
    assert done.stdout == "{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = mul b 2.0:f32[] in (c,) }\n"


def test_what_was_assumed_and_what_could_be_traced_go_to_standard_error(tracer: FakeTracer) -> None:
    offer = {"fun": "loss", "args": [], "span": None}
    answer(tracer, [], [], notes=["Types of 64 bits are traced with 32."], offers=[offer])
    done = run("import jax")
    assert done.stdout == ""
    assert "note: Types of 64 bits are traced with 32.\n" in done.stderr
    assert "--signature (loss)" in done.stderr
