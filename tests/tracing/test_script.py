"""`jaxpr-visualizer run`: scripts of people, run in processes of their own, against what Python and JAX say by themselves."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from visualizer.model import Trace

ROOT = Path(__file__).parents[2]
HEAD = "import sys, threading\nimport jax, jax.numpy as jnp\nfrom functools import partial\n"


def python(*arguments: str, cwd: Path, **options) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "140", **options.pop("env", {})}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120, check=False, env=environment, **options
    )


def watched(
    text: str, tmp_path: Path, *arguments: str, options: tuple[str, ...] = (), **more
) -> tuple[Trace, subprocess.CompletedProcess[str]]:
    (tmp_path / "script.py").write_text(text, "utf-8")
    done = python("-m", "visualizer", "run", *options, "script.py", *arguments, cwd=tmp_path, **more)
    report = (tmp_path / "script.trace.json").read_text("utf-8")
    assert [file.name for file in tmp_path.iterdir() if "trace.json" in file.name] == ["script.trace.json"]
    return Trace.model_validate_json(report), done


def told(trace: Trace) -> dict[str, list[tuple[int, int, int]]]:
    """By name: calls, traces and compiles of each program, in order."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for program in trace.programs:
        assert program.ran is not None
        found.setdefault(program.name, []).append((program.ran.calls, program.ran.traces, program.ran.compiles))
    return found


LOOPS = (
    HEAD
    + """
@jax.jit
def loss(w, x):
    return jnp.mean((x @ w) ** 2)

@jax.jit
def step(w, x):
    return w - 0.1 * jax.grad(loss)(w, x)

@partial(jax.jit, static_argnames="n")
def power(x, n):
    return x ** n

w, x = jnp.zeros(3), jnp.ones((8, 3))
for _ in range(50):
    w = step(w, x)
for rows in (8, 8, 4, 4, 2, 8):
    loss(w, x[:rows])
for n in (2, 3, 2, 3, 3):
    power(w, n)
for _ in range(3):
    jax.jit(lambda v: v * 2)(w)
for _ in range(4):
    jax.vmap(step, in_axes=(None, 0))(w, x[None])
jax.lax.scan(lambda c, row: (c + row.sum(), c), 0.0, x)
"""
)


def test_every_program_is_counted_as_it_ran(tmp_path):
    trace, done = watched(LOOPS, tmp_path)
    assert done.returncode == 0, done.stderr
    assert told(trace) == {
        "step": [(50, 1, 1), (4, 0, 1)],
        "loss": [(3, 0, 1), (2, 1, 1), (1, 1, 1)],  # of eight rows it was traced within step
        "power": [(2, 1, 1), (3, 1, 1)],
        "<lambda>": [(3, 3, 3)],
        "scan": [(1, 1, 1)],
    }
    loss = [program for program in trace.programs if program.name == "loss"]
    assert [program.ran.types for program in loss] == ["w: f32[3], x: f32[8,3]", "w: f32[3], x: f32[4,3]", "w: f32[3], x: f32[2,3]"]
    assert [program.ran.why for program in loss] == ["", "x: f32[4,3], before: f32[8,3]", "x: f32[2,3], before: f32[4,3]"]
    assert [program.ran.why for program in trace.programs if program.name == "power"] == ["", "static: 3, before: 2"]
    assert next(program.ran.anew for program in trace.programs if program.name == "<lambda>") == 2
    lines = LOOPS.split("\n")
    for program in trace.programs[:3]:
        assert program.ran.file == "script.py"
        assert lines[program.span.line - 1].startswith("@")
        assert set(program.texts) == {"jaxpr", "stablehlo"}
    assert trace.text == LOOPS
    step = trace.programs[0]
    spans = {lines[eqn.span.line - 1].strip() for jaxpr in step.jaxprs.values() for eqn in jaxpr.eqns if eqn.span}
    assert spans == {"return jnp.mean((x @ w) ** 2)", "return w - 0.1 * jax.grad(loss)(w, x)"}


def test_what_is_recorded_is_what_jax_logs(tmp_path):
    """Every line of JAX's own log is a trace, a lowering or a compilation of the report, of its programs or of its operations."""
    trace, done = watched("import jax\njax.config.update('jax_log_compiles', True)\n" + LOOPS, tmp_path, options=("--all",))
    for words, times, milliseconds in (
        ("Finished tracing", "traces", "trace_ms"),
        ("Finished jaxpr to MLIR module conversion", "lowerings", "lower_ms"),
        ("Finished XLA compilation", "compiles", "compile_ms"),
    ):
        lines = re.findall(rf"{words}.*? in ([\d.]+) sec", done.stderr)
        assert sum(getattr(program.ran, times) for program in trace.programs) == len(lines) > 10
        spent = sum(getattr(program.ran, milliseconds) for program in trace.programs)
        assert spent == pytest.approx(1e3 * sum(map(float, lines)), abs=1)


def test_threads_are_told_apart(tmp_path):
    text = (
        HEAD
        + """
@jax.jit
def f(x):
    return x * 2

def work(n):
    x = jnp.ones(n)
    for _ in range(200):
        x = f(x)

f(jnp.ones(1))
threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    )
    trace, _ = watched(text, tmp_path)
    assert sorted(told(trace)["f"]) == [(200, 1, 1), (200, 1, 1), (200, 1, 1), (201, 1, 1)]


PARSER = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--steps', type=int)\np.add_argument('rest', nargs='*')\n"
NANS = """
jax.config.update('jax_debug_nans', True)
for v in (1.0, 1.0, -1.0):
    try:
        print(jax.jit(jnp.log)(v))
    except FloatingPointError:
        print('nan')
"""
ENVIRONMENT = """
import os
print({k: v for k, v in os.environ.items() if 'JAXPR' in k or k == 'PYTHONPATH'})
print(sys.meta_path, jax.__loader__, [n for n in sys.modules if n.startswith('visualizer')])
"""
BEHAVIOUR = {
    "arguments": PARSER + "print(p.parse_args(), __name__, __file__, sys.path[0])",
    "usage": PARSER + "p.parse_args(['--steps', 'x'])",
    "exception": "def inner():\n    raise ValueError('é broke')\nf(1.0)\ninner()",
    "in a jitted function": "@jax.jit\ndef bad(x):\n    return jnp.dot(x, jnp.ones(7))\nbad(jnp.ones(3))",
    "exit code": "f(1.0)\nsys.exit(7)",
    "exit text": "sys.exit('no')",
    "chained": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise RuntimeError('later') from e",
    "hook": "sys.excepthook = lambda *about: print('hooked', about[0].__name__, about[2].tb_frame.f_code.co_name)\n1 / 0",
    "at exit": "import atexit\natexit.register(lambda: print('bye', f(2.0)))",
    "input": "print(input('? ')[::-1])",
    "modules": "import visualizer\nprint(visualizer.MINE)",
    "nans": NANS,
    "environment": ENVIRONMENT,
}
ERRORS = {"exception": ["ValueError"], "in a jitted function": ["TypeError"], "chained": ["RuntimeError"], "hook": ["ZeroDivisionError"]}


@pytest.mark.parametrize("name", BEHAVIOUR)
def test_a_script_does_what_it_does_unwatched(name, tmp_path):
    (tmp_path / "visualizer.py").write_text("MINE = 1\n")
    text = HEAD + "f = jax.jit(lambda x: x + 1)\n" + BEHAVIOUR[name] + "\n"
    (tmp_path / "script.py").write_text(text, "utf-8")
    arguments = ["script.py", "--steps", "3"] if name == "arguments" else ["script.py"]
    bare = python(*arguments, cwd=tmp_path, input="abc\n")
    # The command itself is not to be the module of the same name beside the script.
    done = python("-P", "-m", "visualizer", "run", *arguments, cwd=tmp_path, input="abc\n")
    report = Trace.model_validate_json((tmp_path / "script.trace.json").read_text())
    address = re.compile(r"0x[0-9a-f]+")
    said, _, ours = done.stderr.partition("\njaxpr-visualizer: ")
    assert (done.returncode, address.sub("", done.stdout), address.sub("", said)) == (
        bare.returncode,
        address.sub("", bare.stdout),
        address.sub("", bare.stderr),
    )
    assert "report: script.trace.json" in ours
    assert [found.type for found in report.diagnostics] == ERRORS.get(name, [])


def test_an_interrupted_script_has_its_report(tmp_path):
    text = HEAD + "import time\njax.jit(lambda x: x + 1)(1.0)\nprint('ready', flush=True)\ntime.sleep(60)\n"
    (tmp_path / "script.py").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "visualizer", "run", "script.py"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # Whoever started the tests may ignore the signal.
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler), **pipes
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert b"KeyboardInterrupt" in stderr
    trace = Trace.model_validate_json((tmp_path / "script.trace.json").read_text())
    assert told(trace) == {"<lambda>": [(1, 1, 1)]}


def test_a_module_and_options_of_its_own(tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "__main__.py").write_text(HEAD + "print(sys.argv[1:], __package__)\njax.jit(lambda x: x * 2)(1.0)\n")
    done = python("-m", "visualizer", "run", "-o", "out.json", "--level", "jaxpr", "-m", "pack", "-o", "theirs", "--most", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "['-o', 'theirs', '--most'] pack\n"), done.stderr
    trace = Trace.model_validate_json((tmp_path / "out.json").read_text())
    assert trace.title == "-m pack -o theirs --most"
    assert [set(program.texts) for program in trace.programs] == [{"jaxpr"}]
    assert trace.programs[0].span is not None


def test_limits_are_told_and_hlo_is_there_on_request(tmp_path):
    text = HEAD + "for n in range(1, 6):\n    jax.jit(lambda x: x * 2)(jnp.ones(n))\n"
    trace, done = watched(text, tmp_path, options=("--most", "3", "--level", "hlo"))
    assert len(trace.programs) == 3
    assert "2 more were left out (--most)" in " ".join(trace.notes)
    assert "2 more programs were left out" in done.stderr
    assert all(program.texts["hlo"].text.startswith("HloModule") for program in trace.programs)
    assert all(program.modules["hlo"].functions for program in trace.programs)


def test_large_constants_are_let_go(tmp_path):
    text = HEAD + "big = jnp.ones((17, 1 << 20))\n@jax.jit\ndef f(x):\n    return big.sum() + x\nf(1.0)\nf(2.0)\n"
    trace, _ = watched(text, tmp_path)
    assert told(trace) == {"f": [(2, 1, 1)]}
    assert trace.programs[0].entry is None
    assert "only the numbers are here" in " ".join(trace.notes)


def test_without_jax_there_is_a_report_that_says_so(tmp_path):
    trace, done = watched("print(1)\n", tmp_path)
    assert (done.returncode, done.stdout, trace.programs) == (0, "1\n", ())
    assert "No function was jitted or traced." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("missing.py",), "does not exist"), (("-o", "no/where.json", "script.py"), "no folder"), (("-o", ".", "script.py"), "is a folder")],
)
def test_what_cannot_be_run_is_a_usage_error(arguments, said, tmp_path):
    (tmp_path / "script.py").write_text("print(1)\n")
    done = python("-m", "visualizer", "run", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_the_report_replaces_the_last_one_whole(tmp_path):
    (tmp_path / "script.trace.json").write_text("old")
    (tmp_path / "script.trace.json").chmod(0o400)
    trace, _ = watched(HEAD + "jax.jit(lambda x: x)(1.0)\n", tmp_path)
    assert len(trace.programs) == 1
    assert json.loads((tmp_path / "script.trace.json").read_text())["schema"] == 1
