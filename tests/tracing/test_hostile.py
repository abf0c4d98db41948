"""Pastes that change Python or JAX under us: a correct trace or a clear diagnostic, never our own failure."""

from __future__ import annotations

import pytest

from visualizer.model import Trace

PROGRAM = "import jax, jax.numpy as jnp\ndef f(x): return jnp.sin(x)\nf(jnp.ones(3))\n"
SURVIVED = {
    "jax's entry points": "jax.make_jaxpr = jax.jit = jax.tree = None",
    "json": "import json\njson.dumps = json.JSONEncoder = None",
    "builtins": "import builtins\nbuiltins.len = lambda x: 0\nbuiltins.isinstance = None\ndel builtins.type\nbuiltins.print = None",
    "all builtins": "import builtins\nbuiltins.__dict__.clear()",
    "its own names": "globals().clear()",
    "every module": "import sys\nsys.modules.clear()",
    "__main__": "import sys\ndel sys.modules['__main__']",
    "sys.stdout": "import sys\nsys.stdout = None\nsys.stderr = 3",
    "a closed stdout": "import sys\nprint('a')\nsys.stdout.close()",
    "tracing of Python": "import sys\nsys.settrace(lambda *a: 1 / 0)",
    "profiling of Python": "import sys\nsys.setprofile(None)\nsys.setrecursionlimit(60)",
    "warnings": "import warnings\nwarnings.catch_warnings = warnings.simplefilter = None",
    "numpy's random": "import numpy as np\nnp.random.get_state = None",
    "linecache": "import linecache\nlinecache.cache.clear()\nlinecache.getlines = None",
    "the clock": "import time\ntime.perf_counter = lambda: float('nan')",
    "contextlib": "import contextlib\ncontextlib.suppress = None",
    "a thread that fails": "import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()",
    "exit handlers": "import atexit\natexit.register(lambda: 1 / 0)",
}


@pytest.mark.parametrize("change", SURVIVED.values(), ids=SURVIVED.keys())
def test_the_program_is_shown_whatever_is_replaced_after_it(jobs, change):
    trace = jobs.trace(PROGRAM + change, levels=["jaxpr"])
    Trace.model_validate(trace)
    assert [(p["name"], p["origin"], p["count"]) for p in trace["programs"]] == [("f", "call", 1)]
    assert [eqn["primitive"] for j in trace["programs"][0]["jaxprs"].values() for eqn in j["eqns"]] == ["sin"]


ANSWERED = {
    "jax's core": PROGRAM + "from jax._src import core\ncore.Jaxpr.eqns = property(lambda self: 1 / 0)",
    "os": "import os, jax.numpy as jnp\nfor name in list(vars(os)):\n    if name != '__name__': delattr(os, name)\n" + PROGRAM,
    "builtins first": "import builtins\ndel builtins.isinstance\n" + PROGRAM,
    "the hook": "__called__ = None\n" + PROGRAM,
    "numpy first": "import numpy as np\nnp.ndarray = np.asarray = None\n" + PROGRAM,
    "every dict of ours": "import gc\nfor o in gc.get_objects():\n    if type(o) is dict and 'programs' in o: o.clear()\n" + PROGRAM,
    "an exception that lies": "class M(type):\n    @property\n    def __name__(cls): raise SystemExit\n"
    "class E(BaseException, metaclass=M):\n    def __str__(self): raise KeyboardInterrupt\n"
    "    __class__ = property(lambda self: 1 / 0)\nraise E",
    "depth": "x = " + "-" * 100_000 + "1",
    "parentheses": "x = " + "(" * 3_000 + "1" + ")" * 3_000,
    "arguments": "f(" + ", ".join(["1"] * 20_000) + ")",
    "endless recursion": "import jax.numpy as jnp\ndef f(x): return f(jnp.sin(x))\nf(jnp.ones(2))",
}


@pytest.mark.parametrize("source", ANSWERED.values(), ids=ANSWERED.keys())
def test_what_cannot_be_shown_is_said(jobs, source):
    trace = jobs.trace(source, levels=["jaxpr"])
    Trace.model_validate(trace)
    assert trace["programs"] or [d for d in trace["diagnostics"] if d["severity"] == "error" and d["message"]]
    for found in trace["diagnostics"]:
        assert "visualizer" not in found["message"]
        assert "/" not in found["message"].replace("</", "")


def test_a_lowering_without_jax_leaves_the_jaxpr(jobs):
    trace = jobs.trace(PROGRAM + "jax.jit = jax.tree = None")
    Trace.model_validate(trace)
    assert len(trace["programs"]) == 1
    assert [d["stage"] for d in trace["diagnostics"]] in ([], ["lower"])


def test_a_megabyte_of_prints_is_cut(jobs):
    output = jobs.trace("print('é' * 1_000_000)\n" + PROGRAM, levels=["jaxpr"])["output"]
    assert output["truncated"]
    assert output["text"] == "é" * (32 * 1024)


def test_html_and_surrogates_are_values_like_others(jobs):
    trace = jobs.trace(
        PROGRAM + "f.__name__ = '<b>'\nprint('<script>', '\\ud800')\nf(1.)\nraise ValueError('<i>\\ud800\\0')", levels=["jaxpr"]
    )
    Trace.model_validate(trace)
    assert trace["output"]["text"] == "<script> \\ud800\n"
    assert [d["message"] for d in trace["diagnostics"]] == ["<i>\\ud800\\0"]


def test_one_paste_does_not_reach_the_next(jobs):
    jobs.trace("import jax, builtins\njax.config.update('jax_enable_x64', True)\njax.numpy.sin = None\nbuiltins.len = None")
    (program,) = jobs.trace(PROGRAM, levels=["jaxpr"])["programs"]
    assert [v["aval"] for v in program["jaxprs"][program["entry"]]["vars"].values()] == ["f32[3]", "f32[3]"]


def test_a_printed_traceback_shows_only_the_persons_frames(jobs):
    source = "import traceback\ndef f(x): return 1 / 0\ntry:\n    f(1.)\nexcept ZeroDivisionError:\n    traceback.print_exc()\n"
    lines = jobs.trace(source)["output"]["text"].split("\n")
    assert [line.strip().split(",")[0] for line in lines if line.strip().startswith("File")] == ['File "<paste>"', 'File "<paste>"']
    assert lines[-2] == "ZeroDivisionError: division by zero"


PARTS = ["builtins", "sys", "ast", "gc", "collections", "functools", "contextlib", "typing", "time", "io", "itertools", "operator", "numpy"]
WRECK = (
    "import {} as part\nfor n in list(vars(part)):\n    if n[:2] != '__' and n not in ('list', 'vars', 'setattr'): setattr(part, n, None)"
)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_python_that_is_wrecked_after_the_program_is_mended(jobs, part):
    trace = jobs.trace(PROGRAM + WRECK.format(part))
    Trace.model_validate(trace)
    assert [(p["name"], sorted(p["texts"])) for p in trace["programs"]] == [("f", ["jaxpr", "stablehlo"])]
    assert [d["code"] for d in trace["diagnostics"]] == []


SAID = {
    "no builtins": ("__builtins__ = {}\n" + PROGRAM, "internal", 3, "__builtins__"),
    "a long sum": ("x = " + "1+" * 90_000 + "1", "python-error", None, "nested too deeply"),
    "an exit code that fails": ("class S(SystemExit):\n    code = property(lambda self: 1 / 0)\nraise S(3)", "exit", 3, "exit code 3"),
    "no message": ("raise ValueError", "python-error", 1, "without a message"),
    "a message of newlines": ("raise ValueError('\\n\\n')", "python-error", 1, "without a message"),
    "an assertion": ("assert 1 == 2", "python-error", 1, "does not hold"),
    "a long name": ("raise type('E' * 1_000_000, (Exception,), {})('a')", "python-error", 1, "a"),
    "a debugger": ("import pdb\npdb.set_trace()\nx = 1", "python-error", 3, "without a message"),
    "a callback": (
        "import jax\njax.jit(lambda x: jax.pure_callback(lambda x: 1 / 0, jax.ShapeDtypeStruct((), 'float32'), x))(1.).block_until_ready()",
        "python-error",
        2,
        "ZeroDivisionError: division by zero",
    ),
    "no array": ("import jax, numpy as np\njax.jit(lambda x: x)(np.array([object()]))", "python-error", 2, "as an abstract array"),
    "a syntax error": ("def f(:\n", "python-error", 1, "invalid syntax"),
}


@pytest.mark.parametrize(("source", "code", "line", "part"), SAID.values(), ids=SAID.keys())
def test_each_says_what_where_and_what_to_do(jobs, source, code, line, part):
    trace = jobs.trace(source, levels=["jaxpr"])
    Trace.model_validate(trace)
    (found,) = trace["diagnostics"]
    assert (found["code"], found["span"] and found["span"]["line"]) == (code, line)
    assert part in found["message"]
    assert found["advice"]
    assert len(found["type"]) <= 200
    assert "visualizer/" not in str(trace)
    assert "sandbox/" not in str(trace)


def test_a_breakpoint_does_not_stop_the_program(jobs):
    trace = jobs.trace("breakpoint()\n" + PROGRAM, levels=["jaxpr"])
    assert [program["name"] for program in trace["programs"]] == ["f"]
    assert trace["diagnostics"] == []
    assert "breakpoint() does nothing here" in trace["output"]["text"]


@pytest.mark.parametrize("length", [-1, 10**18])
def test_a_scan_of_any_length_is_shown(jobs, length):
    trace = jobs.trace(f"import jax\njax.lax.scan(lambda c, x: (c, c), 1., None, length={length})", levels=["jaxpr"])
    Trace.model_validate(trace)
    (program,) = trace["programs"]
    (scan,) = program["jaxprs"][program["entry"]]["eqns"]
    assert scan["trips"] is None
    assert {"name": "length", "text": str(length)} in scan["params"]


def test_a_jax_that_is_not_there_is_said(jobs):
    trace = jobs.trace(PROGRAM, jax="0.4.30")
    assert [(d["code"], d["severity"]) for d in trace["diagnostics"]] == [("unknown-jax", "error")]
    assert trace["jax"] in trace["diagnostics"][0]["message"]
    assert trace["programs"] == []
    assert len(jobs.trace(PROGRAM, jax=trace["jax"], levels=["jaxpr"])["programs"]) == 1


def test_programs_past_the_most_that_is_shown_are_told_of(jobs):
    trace = jobs.trace("import jax\nfor i in range(70): jax.make_jaxpr(lambda x, i=i: x * i)(1.)\n", levels=["jaxpr"])
    note = "The first 64 programs are shown; calls after them were not followed."
    assert (note in trace["notes"]) == (len(trace["programs"]) == 64)
    source = "import jax\n" + "\n".join(f"jax.make_jaxpr(lambda x: x * {i})(1.)" for i in range(70))
    trace = jobs.trace(source, levels=["jaxpr"])
    assert len(trace["programs"]) == 64
    assert trace["notes"] == [note]
