"""The API with the real sandbox and the real tracing behind it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from visualizer.model import LevelMessage, Trace, merge_messages
from visualizer.sandbox import Limits, Supervisor
from visualizer.web import Settings, create_app

pytestmark = pytest.mark.sandbox

EXAMPLES = Path(__file__).parents[2] / "visualizer" / "examples"
URL = "/api/v1/trace"
SCAN = (EXAMPLES / "02_training_scan.py").read_text("utf-8")


@pytest.fixture(scope="module")
def server():
    # Wall time enough for three seconds of processor on a machine that does much else.
    limits = Limits(cpu_seconds=3, wall_seconds=120)
    with Supervisor("visualizer.tracing:worker", python=sys.executable, limits=limits) as supervisor:
        yield create_app(Settings(), supervisor).test_client()


def scan_of(trace: Trace):
    program = trace.programs[0]
    assert program.entry is not None
    (scan,) = [eqn for eqn in program.jaxprs[program.entry].eqns if eqn.primitive == "scan"]
    return program, scan


def test_the_training_scan_with_its_roles(server):
    trace = Trace.model_validate_json(server.post(URL, json={"source": SCAN}).data)
    program, scan = scan_of(trace)
    names = program.jaxprs[program.entry].vars
    operands = [(operand.role, names[operand.atom.var].label) for operand in scan.operands]
    assert operands == [("const", "lr"), ("carry", "w"), ("xs", "xs"), ("xs", "ys")]
    assert scan.trips == 6
    assert {"jaxpr", "stablehlo"} <= set(program.texts)
    assert [diagnostic.code for diagnostic in trace.diagnostics] == []


def test_the_stream_gives_the_same_trace_level_by_level(server):
    response = server.post(URL, json={"source": SCAN}, headers={"Accept": "application/x-ndjson", "Cache-Control": "no-cache"})
    lines = response.data.splitlines()
    messages = [LevelMessage.model_validate_json(line) for line in lines]
    assert [message.level for message in messages] == ["jaxpr", "stablehlo"]
    merged = Trace.model_validate(merge_messages(lines))
    whole = Trace.model_validate_json(server.post(URL, json={"source": SCAN}).data)
    assert merged.programs == whole.programs


def test_an_entry_that_the_request_names(server):
    source = "import jax, jax.numpy as jnp\ndef loss(w):\n    return jnp.sum(w * w)\n"
    trace = server.post(URL, json={"source": source, "fun": "jax.grad(loss)", "args": "(jnp.ones(3),)", "levels": ["jaxpr"]}).json
    assert [program["origin"] for program in trace["programs"]] == ["entry"]
    assert list(trace["programs"][0]["texts"]) == ["jaxpr"]


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("while True:\n    pass\n", "cpu-limit", None),
        ("x = 1\ny = bytearray(10_000_000_000)\n", "memory-limit", 2),
        ("import numpy as np\ny = np.ones(10_000_000_000, 'u1')\n", "memory-limit", 2),
        ("import os\nos._exit(0)\n", "crashed", None),
        ("import os\nos._exit(97)\n", "crashed", None),
        ("import os\nos.fork()\n", "python-error", 2),
        ("import socket\nsocket.create_connection(('127.0.0.1', 80))\n", "python-error", 2),
        ("open('/etc/passwd').read()\n", "python-error", 1),
        ("raise ValueError\n", "python-error", 1),
        ("assert False\n", "python-error", 1),
        ("x = 1\ndef f(:\n", "python-error", 2),
        ("x = (1,\n", "python-error", 1),
        ("x = " + "1+" * 90_000 + "1", "python-error", None),
        ("", "empty-paste", None),
        ("\x00\x01", "not-text", None),
    ],
)
def test_hostile_and_broken_programs_are_answers_and_the_next_one_works(server, source, code, line):
    """Each says what happened, where if it can be known, and what to do."""
    response = server.post(URL, json={"source": source})
    assert response.status_code == 200
    trace = Trace.model_validate_json(response.data)
    (error,) = [diagnostic for diagnostic in trace.diagnostics if diagnostic.severity == "error"]
    assert error.code == code
    assert error.message
    assert error.advice
    if line is not None:
        assert error.span is not None
        assert error.span.line == line
    assert b"visualizer/" not in response.data
    assert server.post(URL, json={"source": "import jax\nprint(jax.make_jaxpr(lambda x: x + 1)(1.0))"}).json["diagnostics"] == []


def test_markup_in_names_stays_text(server):
    name = "<img src=x onerror=alert(1)></script>"
    source = f"import jax\ndef f(x):\n    return x + 1\nf.__name__ = {name!r}\nprint(jax.make_jaxpr(f)(1.0))\n"
    response = server.post(URL, json={"source": source})
    assert response.mimetype == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert json.loads(response.data)["programs"]


@pytest.mark.parametrize("source", ["", "\n\n", "x = 1\n", "print('é→\U0001f600')\n", "\x00\x01\x02"])
def test_pastes_without_jax_are_answers(server, source):
    response = server.post(URL, json={"source": source})
    assert response.status_code == 200
    Trace.model_validate_json(response.data)


def test_health(server):
    health = server.get("/healthz").json
    assert health["ready"] is True
    assert health["jax"]
    assert health["problem"] is None


ENDLESS = "import jax, time\n@jax.jit\ndef step(x):\n    return x * 0.99\nx = 1.0\nprint('before')\nwhile True:\n    x = step(x)"


@pytest.mark.parametrize("code", ["cpu-limit", "wall-limit"])
def test_a_paste_without_end_is_stopped_at_its_line(server, code):
    """The whole way: the kernel's signal or the supervisor's, the worker's answer, the sandbox's words."""
    if code == "cpu-limit":
        trace = server.post(URL, json={"source": ENDLESS}).json
    else:
        limits = Limits(cpu_seconds=10, wall_seconds=1.5)
        with Supervisor("visualizer.tracing:worker", python=sys.executable, limits=limits) as supervisor:
            client = create_app(Settings(), supervisor).test_client()
            trace = client.post(URL, json={"source": ENDLESS.replace("x = step(x)", "x = step(x); time.sleep(100)")}).json
    (found,) = trace["diagnostics"]
    assert (found["code"], found["type"], found["span"]["line"]) == (code, "TimeoutError", 8)
    assert found["message"].startswith("Stopped after 3 s of processor time" if code == "cpu-limit" else "Stopped after 1.5 s, the longest")
    assert found["advice"]
    assert trace["output"]["text"] == "before\n"
    assert [program["name"] for program in trace["programs"]] == ["step"]
