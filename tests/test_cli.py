"""The command line: what it prints, and how it exits."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

import visualizer._cli._doctor as doctor
import visualizer._cli._given as given
import visualizer._cli._open as open_command
import visualizer._cli._serve as serve_command
from visualizer import __version__
from visualizer.cli import main
from visualizer.model import Trace

from .web.conftest import FakeTracer, diagnostic, first, later

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "visualizer" / "examples" / "02_training_scan.py"


def run(*arguments: str, **options) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "visualizer", *arguments], cwd=ROOT, capture_output=True, timeout=120, check=False, **options
    )


@pytest.fixture
def tracer(monkeypatch) -> FakeTracer:
    fake = FakeTracer()
    for module in (given, serve_command, open_command, doctor):
        monkeypatch.setattr(module, "make_tracer", lambda *_: fake)
    return fake


def invoke(*arguments: str, **options):
    return CliRunner().invoke(main, arguments, prog_name="jaxpr-visualizer", **options)


def test_version_and_module():
    done = run("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"jaxpr-visualizer {__version__}\n")


def test_help_names_the_commands():
    text = invoke("--help").output
    assert all(f"\n  {name} " in text for name in ("serve", "trace", "draw", "run", "open", "doctor"))


def test_importing_the_command_line_loads_nothing_heavy():
    heavy = ("flask", "pydantic", "jax", "numpy", "gunicorn", "visualizer.web", "visualizer.sandbox", "visualizer.tracing")
    code = f"import sys, visualizer.cli; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"


# trace


def test_trace_prints_the_merged_trace(tracer, tmp_path):
    file = tmp_path / "paste.py"
    file.write_text("import jax  # é\n", "utf-8")
    done = invoke("trace", str(file), "--fun", "f", "--args", "(1,)", "--kwargs", "{}", "--level", "jaxpr", "--static-numbers")
    assert done.exit_code == 0
    assert Trace.model_validate_json(done.stdout).notes == ("one", "two")
    assert done.stdout.count("\n") == 1
    assert tracer.asked == [
        {
            "source": "import jax  # é\n",
            "jax": None,
            "fun": "f",
            "args": "(1,)",
            "kwargs": "{}",
            "levels": ["jaxpr"],
            "static_numbers": True,
            "signature": None,
            "transforms": [],
            "parts": True,
            "input": None,
            "data": None,
        }
    ]


def test_a_trace_is_kept_in_a_file_with_its_text(tracer, tmp_path):
    file, out = tmp_path / "paste.py", tmp_path / "kept.json"
    file.write_text("import jax  # é\n", "utf-8")
    done = invoke("trace", str(file), "-o", str(out))
    assert (done.exit_code, done.stdout) == (0, "")
    kept = Trace.model_validate_json(out.read_text("utf-8"))
    assert (kept.title, kept.text) == ("paste.py", "import jax  # é\n")
    assert "cannot be written" in invoke("trace", str(file), "-o", str(tmp_path)).output
    assert "--output is for the JSON" in invoke("trace", str(file), "-o", str(out), "--format", "jaxpr").output


def test_open_writes_one_report_of_many_files(tracer, tmp_path):
    (tmp_path / "dump").mkdir()
    for name in ("a.mlir", ".hidden.mlir", "a.jaxpr.html"):
        (tmp_path / "dump" / name).write_text("module {}")
    out = tmp_path / "report.json"
    done = invoke("open", str(tmp_path / "dump"), "-o", str(out))
    assert "0 programs are in " in done.output and " bytes)" in done.output
    assert len(tracer.asked) == 1
    assert done.exit_code == 1  # the tracer of this test has no program for anyone
    trace = Trace.model_validate_json(out.read_text())
    assert trace.title == "dump"
    assert trace.notes[-1] == "1 file is not drawn: 1 with the same jaxprs as pages."
    assert "is a saved trace already" in invoke("open", str(out), "-o", "-").output
    (tmp_path / "empty").mkdir()
    assert "There is no file in" in invoke("open", str(tmp_path / "empty")).output


def test_files_without_an_end_and_names_that_are_no_text_are_told(tracer, tmp_path):
    for command in (("trace", "/dev/zero"), ("open", "/dev/zero"), ("draw", "/dev/zero", "-o", "-", "--format", "svg")):
        done = invoke(*command)
        assert (done.exit_code, "most" in done.stderr) == (2, True)
    name = os.fsdecode(b"a\xff\x1b[31m.mlir")
    (tmp_path / name).write_text("module {}")
    for command in ("open", "trace"):
        done = invoke(command, str(tmp_path / name), "-o", str(tmp_path / "out.json"))
        assert "\x1b" not in done.output
        assert Trace.model_validate_json((tmp_path / "out.json").read_bytes()).title == "a\ufffd\ufffd[31m.mlir"


def test_trace_reads_a_signature_and_transforms(tracer):
    done = invoke(
        "trace",
        "-",
        *("--fun", "f", "--signature", "w: f32[3], p: {'a: b, c': [f32[], (i32[2], key<fry>[])]}, *rest: (f32[],), n:4"),
        *("--transform", "grad", "--transform", "p1.t0: grad(argnums=1), vmap(in_axes=(None, 0), size=4)"),
        input="x",
    )
    assert done.exit_code == 0
    (asked,) = tracer.asked
    assert asked["signature"] == {"w": "f32[3]", "p": "{'a: b, c': [f32[], (i32[2], key<fry>[])]}", "*rest": "(f32[],)", "n": "4"}
    none = {"argnums": None, "in_axes": None, "size": None, "has_aux": False}
    assert asked["transforms"] == [
        {"program": "p0", "steps": [{"name": "grad", **none}]},
        {
            "program": "p1.t0",
            "steps": [{"name": "grad", **none, "argnums": [1]}, {"name": "vmap", **none, "in_axes": [None, 0], "size": 4}],
        },
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--fun", "f", "--signature", "f32[3]"), "names no parameter"),
        (("--fun", "f", "--signature", "f32[], w: f32[]"), "names no parameter"),
        (("--fun", "f", "--signature", "w: f32[], w: f32[]"), "names a parameter twice"),
        (("--signature", "w: f32[]"), "--signature needs --fun"),
        (("--transform", "gradd"), "name: Input should be 'grad'"),
        (("--transform", "grad(argnums='x')"), "argnums: Input should be a valid tuple"),
        (("--transform", "grad("), "cannot be read"),
        (("--transform", "grad(1)"), "cannot be read"),
        (("--transform", "jax.grad"), "cannot be read"),
        (("--transform", "vmap(size=open('x'))"), "cannot be read"),
        (("--transform", "grad(wrong=1)"), "wrong: Extra inputs are not permitted"),
    ],
)
def test_a_wish_that_cannot_be_read_is_usage(tracer, arguments, said):
    done = invoke("trace", "-", *arguments, input="x")
    assert (done.exit_code, tracer.asked) == (2, [])
    assert said in " ".join(done.stderr.split())


def test_trace_reads_standard_input_and_indents(tracer):
    done = invoke("trace", "-", "--indent", "2", input="x = 1\n")
    assert tracer.asked[0]["source"] == "x = 1\n"
    assert tracer.asked[0]["levels"] == ["jaxpr", "stablehlo"]
    assert done.stdout.startswith('{\n  "schema": 1,')


def test_trace_writes_utf8_whatever_the_terminal(tracer):
    tracer.lines = [first(notes=["é→\U0001f600"])]
    done = CliRunner(charset="latin-1").invoke(main, ["trace", "-"], input="x")
    assert "é→\U0001f600".encode() in done.stdout_bytes


@pytest.mark.parametrize(("severity", "code"), [("error", 1), ("warning", 0), ("info", 0)])
def test_trace_exits_by_what_the_program_did(tracer, severity, code):
    tracer.lines = [first(), later(diagnostics=[{**diagnostic("x"), "severity": severity}])]
    assert invoke("trace", "-", input="x").exit_code == code


@pytest.mark.parametrize(
    "arguments",
    [
        ("trace", "no/such/file.py"),
        ("trace", str(ROOT)),
        ("trace",),
        ("trace", "-", "--level", "ptx"),
        ("trace", "-", "--nonsense"),
        ("nonsense",),
    ],
)
def test_usage_is_2(tracer, arguments):
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert "Error: " in done.stderr


def test_a_file_that_is_too_large_is_usage_too(tracer, tmp_path):
    file = tmp_path / "paste.py"
    file.write_bytes(b"#" * 16_000_001)
    done = invoke("trace", str(file))
    assert done.exit_code == 2
    assert "has 16,000,001 bytes; at most 16,000,000 are read" in done.stderr
    assert tracer.asked == []


@pytest.mark.parametrize(
    ("name", "kind"), [("a.mlir", "mlir"), ("a.MLIR", "mlir"), ("a.hlo", "hlo"), ("a.jaxpr.txt", "jaxpr"), ("a.txt", None), ("a.py", None)]
)
def test_the_name_of_a_file_says_what_it_is(tracer, tmp_path, name, kind):
    file = tmp_path / name
    file.write_text("text")
    assert invoke("trace", str(file)).exit_code == 0
    assert [(asked["source"], asked["input"], asked["data"]) for asked in tracer.asked] == [("text", kind, None)]


@pytest.mark.parametrize("name", ["a.mlirbc", "a.mlir.bc", "-"])
def test_bytes_are_sent_as_they_are(tracer, tmp_path, name):
    data = b"ML\xefR\x01StableHLO_v0.9.0\0\xff"
    file = tmp_path / name
    file.write_bytes(data)
    done = invoke("trace", name, input=data) if name == "-" else invoke("trace", str(file))
    assert done.exit_code == 0
    assert [(asked["source"], asked["input"], asked["data"]) for asked in tracer.asked] == [("", None, base64.b64encode(data).decode())]


def test_our_own_failure_is_3_and_one_line(tracer):
    tracer.lines = []
    done = invoke("trace", "-", input="x")
    assert done.exit_code == 3
    assert done.stdout == ""
    assert "the stream holds no trace" in done.stderr
    assert "Traceback" not in done.stderr


def test_our_own_failure_leaves_out_stack_traces(tracer):
    tracer.lines = [RuntimeError("it did not start: Traceback\n  File x\nNameError: y\n")]
    assert invoke("trace", "-", input="x").stderr.startswith("Error: RuntimeError: it did not start: Traceback ... NameError: y\n")


def test_our_own_failure_in_full_when_asked(tracer, monkeypatch):
    monkeypatch.setenv("JAXPR_VISUALIZER_DEBUG", "1")
    tracer.lines = []
    assert isinstance(invoke("trace", "-", input="x").exception, ValueError)


@pytest.mark.sandbox
def test_trace_for_real():
    done = run("trace", str(EXAMPLE))
    assert done.returncode == 0, done.stderr
    trace = Trace.model_validate_json(done.stdout)
    program = trace.programs[0]
    assert trace.jax
    assert {"jaxpr", "stablehlo"} <= set(program.texts)


@pytest.mark.sandbox
def test_a_program_that_fails_is_1_and_says_where():
    done = run("trace", "-", input=b"import jax.numpy as jnp\njnp.ones(3) @ jnp.ones(4)\n")
    assert done.returncode == 1
    error = json.loads(done.stdout)["diagnostics"][0]
    assert error["type"] == "TypeError"
    assert error["span"]["line"] == 2


@pytest.mark.sandbox
def test_a_reader_that_has_seen_enough():
    with subprocess.Popen(
        [sys.executable, "-m", "visualizer", "trace", str(EXAMPLE)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")


# serve


def test_a_busy_port_is_one_sentence(tracer):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = invoke("serve", "--port", str(port), "--no-open")
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: Port {port} on 127.0.0.1 is taken by another program. Choose another one with --port")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("way", [("--host", "0.0.0.0"), ("--proxies", "1"), ("--allow-host", "viz.example.org")])
def test_nothing_is_served_to_others_without_isolation(tracer, way):
    tracer.state = {"ready": True, "tier": "local", "leaks": ["fs-read", "fork"]}
    done = invoke("serve", *way, "--port", "0")
    assert done.exit_code == 1
    host = way[1] if way[0] == "--host" else "127.0.0.1"
    assert f"does not listen on {host} for others (what gets through: fs-read, fork)" in done.stderr


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none(tracer, port):
    assert invoke("serve", "--port", port).exit_code == 2


@pytest.mark.sandbox
def test_serve_for_real():
    command = [sys.executable, "-m", "visualizer", "serve", "--port", "0", "--no-open"]
    # A group of its own, because Ctrl-C in a terminal goes to the whole group: server, worker and zygote at once.
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("jaxpr-visualizer is at http://127.0.0.1:")
            body = json.dumps({"source": EXAMPLE.read_text("utf-8")}).encode()
            request = urllib.request.Request(f"{line.split()[3]}api/v1/trace", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as response:
                trace = Trace.model_validate_json(response.read())
            assert len(trace.programs) == 1
        finally:
            os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "Traceback" not in said


# doctor


def test_doctor(tracer, monkeypatch, tmp_path):
    (tmp_path / "index.html").write_text("")
    monkeypatch.setattr(doctor, "Settings", lambda: doctor_settings(tmp_path))
    tracer.state = {
        "ready": True,
        "tier": "A",
        "leaks": [],
        "layers": ["rlimits", "uid (slot)", "landlock", "seccomp"],
        "namespaces": ["net"],
    }
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = invoke("doctor", "--port", str(port))
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == f"ok    Python {'.'.join(map(str, sys.version_info[:3]))}"
    assert any(line.startswith("ok    isolation A:") for line in lines)
    assert "ok    the page is built" in lines
    assert lines[-1] == f"ok    port {port} is free"


def doctor_settings(static: Path):
    from visualizer.web import Settings

    return Settings(static=static)


def test_doctor_without_a_page_is_1(tracer, monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "Settings", lambda: doctor_settings(tmp_path))
    done = invoke("doctor")
    assert done.exit_code == 1
    assert "fail  the page is not built" in done.output


def test_doctor_says_what_each_missing_layer_means():
    health = {"ready": True, "tier": "local", "leaks": ["fork", "udp"], "layers": ["rlimits", "landlock"], "namespaces": []}
    lines = [f"{finding.verdict} {finding.text}" for finding in doctor.sandbox_findings(health)]
    assert lines[0].startswith("note isolation local: for your own code")
    assert lines[1] == "note the self-test got through by: fork, udp"
    assert any(line.startswith("note without seccomp: system calls are not filtered") for line in lines)
    assert any(line.startswith("note without uid: ") for line in lines)
    assert lines[-1].startswith("note no namespaces here")


def test_doctor_when_the_sandbox_does_not_start(tracer):
    def fail() -> None:
        raise RuntimeError("no jax")

    tracer.start = fail
    done = invoke("doctor")
    assert done.exit_code == 1
    assert "fail  the sandbox does not start: no jax" in done.output


# what an address looks like in a browser


@pytest.mark.parametrize(
    ("wanted", "page", "opened"), [(True, True, True), (False, True, False), (None, True, False), (True, False, False)]
)
def test_the_browser_opens_when_asked_and_when_there_is_a_page(tracer, monkeypatch, tmp_path, wanted, page, opened):
    if page:
        (tmp_path / "index.html").write_text("")
    seen: list[str] = []

    class Now:
        def __init__(self, target, args, daemon) -> None:
            self.start = lambda: target(*args)

    monkeypatch.setattr(serve_command, "Settings", lambda **options: doctor_settings(tmp_path))
    monkeypatch.setattr(serve_command.threading, "Thread", Now)
    monkeypatch.setattr(serve_command.webbrowser, "open", seen.append)

    def serve(_settings, _make, sock, _server, ready) -> None:
        sock.close()
        ready()

    monkeypatch.setattr(serve_command, "serve", serve)
    flags = {True: ["--open"], False: ["--no-open"], None: []}[wanted]
    done = invoke("serve", "--port", "0", *flags)
    assert done.exit_code == 0
    assert done.stdout.startswith("jaxpr-visualizer is at http://127.0.0.1:")
    assert len(seen) == opened


def shell(line: str) -> subprocess.CompletedProcess[str]:
    command = line.replace("VISUALIZER", f"{sys.executable} -m visualizer")
    return subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, timeout=120, check=False, text=True)


@pytest.mark.parametrize(
    ("line", "code", "part"),
    [
        ("VISUALIZER trace - <&-", 2, "no standard input"),
        ("VISUALIZER trace visualizer/examples/02_training_scan.py >&-", 2, "no standard output"),
        ("VISUALIZER trace visualizer/examples/02_training_scan.py >/dev/full", 2, "cannot be written to standard output"),
        ("VISUALIZER --help >/dev/full", 3, "No space left"),
    ],
)
def test_streams_that_are_closed_or_full(line, code, part):
    done = shell(line)
    assert done.returncode == code
    assert part in done.stderr
    assert "Traceback" not in done.stderr
    assert "fault of jaxpr-visualizer" not in done.stderr


def test_more_processor_time_can_be_given(monkeypatch):
    from visualizer import sandbox
    from visualizer._cli._tracer import make_tracer

    given = []
    monkeypatch.setattr(sandbox, "Supervisor", lambda worker, *, python, limits: given.append(limits))
    make_tracer(60)
    make_tracer()
    assert [(limits.cpu_seconds, limits.wall_seconds) for limits in given] == [(60, 240.0), (5, 20.0)]


def test_trace_names_the_jax_that_traces(tracer, tmp_path):
    file = tmp_path / "paste.py"
    file.write_text("import jax\n")
    invoke("trace", str(file), "--jax", "0.6.0")
    assert [asked["jax"] for asked in tracer.asked] == ["0.6.0"]


def test_the_versions_of_jax_are_listed_and_what_is_not_there_is_not_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("JAXPR_VISUALIZER_DATA", str(tmp_path))
    listed = invoke("jax", "list")
    assert listed.exit_code == 0
    assert re.match(r"\d+\.\d+\.\d+ +default\n", listed.stdout)
    assert "jaxpr-visualizer jax add" in listed.stdout
    removed = invoke("jax", "remove", "0.6.0")
    assert (removed.exit_code, removed.stderr) == (1, "Error: JAX 0.6.0 was not added. Those that were: none.\n")
    assert invoke("jax", "add", "newest").exit_code == 1
    assert list(tmp_path.iterdir()) == []
