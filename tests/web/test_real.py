"""The API with the real sandbox and the real tracing behind it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.links.contents import address
from visualizer.links import kept_trace
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
        # What fills it to the last byte leaves room for the answer all the same.
        # Most of it is taken at once, as zeros that nobody touches: a slow machine would take its three seconds to fill it.
        ("d, i = {0: bytes(700 << 20)}, 1\n\nwhile True:\n    d[i] = bytes(2000)\n    i += 1\n", "memory-limit", 4),
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


LOSS = "import jax, jax.numpy as jnp\ndef loss(w, xs):\n    return jnp.mean(jnp.tanh(xs @ w) ** 2)\ndef f(x):\n    return x\n"
TYPES = {"w": "f32[3]", "xs": "f32[6,3]"}


def wish(*names: str, program: str = "p0"):
    return {"program": program, "steps": [{"name": name} for name in names]}


def test_a_signature_and_transforms_the_whole_way(server):
    request = {"source": LOSS, "fun": "loss", "signature": TYPES, "transforms": [wish("grad"), wish("vmap", "grad"), wish("x64")]}
    trace = Trace.model_validate_json(server.post(URL, json=request).data)
    assert [(program.id, program.name, program.origin) for program in trace.programs] == [
        ("p0", "loss", "entry"),
        ("p0.t0", "grad(loss)", "entry"),
        ("p0.t2", "x64(loss)", "entry"),
    ]
    assert all(program.links["stablehlo"] for program in trace.programs)
    assert [[parameter.text for parameter in program.parameters or ()] for program in trace.programs] == [
        ["f32[3]", "f32[6,3]"],
        ["f32[3]", "f32[6,3]"],
        ["f64[3]", "f64[6,3]"],
    ]
    (problem,) = trace.diagnostics
    assert (problem.field, problem.message) == ("transforms[1].steps[1]", "grad needs a scalar result, vmap(loss) gives f32[8].")
    # The cache has this request, and not another signature's.
    assert server.post(URL, json=request).headers["X-Cache"] == "hit"
    other = server.post(URL, json={**request, "signature": {**TYPES, "w": "f32[4]"}})
    assert other.headers["X-Cache"] == "miss"
    assert [found["type"] for found in other.json["diagnostics"]] == ["TypeError"]


def test_an_unknown_transformation_is_a_bad_request(server):
    response = server.post(URL, json={"source": LOSS, "transforms": [wish("gradd")]})
    assert (response.status_code, response.json["error"]["code"]) == (400, "bad-field")
    assert "transforms[0].steps[0].name" in response.json["error"]["message"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("f32[10**9, 10**9]", "entry-signature", "more than 2**48 elements"),
        ("f32[(1,) * 10**7]", "entry-signature", "at most 64 axes"),
        ("[" * 5000, "entry-signature", "too many nested parentheses"),
        ("-" * 19_000 + "1", "entry-signature", "nested too deeply"),
        ("f32[" * 19_000, "entry-signature", "longer than 20000 characters"),
        ("[f32[]] * 10**10", "memory-limit", "There is not enough memory."),
        ("'x' * 10**11", "memory-limit", "There is not enough memory."),
        ("open('/etc/passwd').read()", "entry-signature", "/etc/passwd"),
        ("__import__('socket').create_connection(('127.0.0.1', 80))", "entry-signature", "not permitted"),
        ("__import__('os').fork()", "entry-signature", "not permitted"),
        ("exit(3)", "entry-signature", "3"),
        ("f32[\uff13]", "entry-signature", "invalid character"),
        ("f32[\ud800]", "entry-signature", ""),
        ("__import__('os')._exit(0)", "crashed", ""),
    ],
)
def test_a_hostile_signature_is_an_answer(server, text, code, message):
    body = json.dumps({"source": LOSS, "fun": "f", "signature": {"x": text}, "levels": ["jaxpr"]})
    response = server.post(URL, data=body, content_type="application/json")
    assert response.status_code == 200
    trace = Trace.model_validate_json(response.data)
    (error,) = [diagnostic for diagnostic in trace.diagnostics if diagnostic.severity == "error"]
    assert error.code == code
    assert message in error.message
    assert error.advice
    assert error.field == (None if code == "crashed" else "signature.x")
    assert b"visualizer/" not in response.data


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


READER = """
import glob, os
for path in ({database!r}, {database!r} + "-wal", *glob.glob("/proc/[0-9]*/cmdline"), *glob.glob("/proc/[0-9]*/environ")):
    try:
        print(len(open(path, "rb").read()), path)
    except OSError:
        print("refused")
print(sorted(name for name in os.environ if "DATABASE" in name))
"""


def test_code_that_is_traced_reads_no_links_and_no_password(server, tmp_path, monkeypatch):
    if server.get("/healthz").json["tier"] not in {"A", "B"}:
        pytest.skip("files are not fenced off here: no Landlock")
    monkeypatch.setenv("JAXPR_VISUALIZER_DATABASE", "postgresql://me:secret-word@host/links")
    database = tmp_path / "links.sqlite3"
    for path in (database, Path(f"{database}-wal")):
        path.write_bytes(b"someone else's code")
        path.chmod(0o644)
    told = server.post(URL, json={"source": READER.format(database=str(database)), "levels": ["jaxpr"]}).json["output"]["text"]
    assert "secret" not in told
    assert set(told.splitlines()) <= {"refused", "[]"}
    assert told.count("refused") >= 2


def test_a_link_keeps_what_the_page_is_answered(tmp_path):
    limits = Limits(cpu_seconds=3, wall_seconds=120)
    with Supervisor("visualizer.tracing:worker", python=sys.executable, limits=limits) as supervisor:
        app = create_app(Settings(database=str(tmp_path / "links.sqlite3")), supervisor)
        client = app.test_client()
        state = {"source": SCAN, "view": "stablehlo", "program": ["p0", "train"]}
        made = client.post("/api/v1/links", json={"state": address(state)})
        assert (made.status_code, made.json["picture"]) == (201, True)
        page = client.post(URL, json={"source": SCAN, "levels": ["jaxpr", "stablehlo"], "static_numbers": False, "parts": True})
        assert page.headers["X-Cache"] == "hit"
        with app.extensions["links"].store() as store:
            link = store.get(made.json["id"])
        app.extensions["links"].close()
    kept = Trace.model_validate(kept_trace(link.kept))
    assert kept.programs == Trace.model_validate_json(page.data).programs[:1]
    assert set(kept.programs[0].modules) == {"stablehlo"}
    assert link.title == kept.programs[0].name
