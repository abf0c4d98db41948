"""Each limit's words: which limit, how much, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer.model import Diagnostic, Span
from visualizer.sandbox import Limits, _diagnostics, _integrity, _reader

LIMITS = Limits()
CASES = [
    (_diagnostics.cpu_limit(LIMITS, "run"), "cpu-limit", "Stopped after 5 s of processor time, the limit for one run.", "jax.lax.scan"),
    (_diagnostics.wall_limit(LIMITS, "run"), "wall-limit", "Stopped after 20 s, the longest one run may take.", "remove what waits"),
    (_diagnostics.memory_limit(LIMITS, "run"), "memory-limit", "Stopped at the memory limit, 1024 MB for one run.", "jax.ShapeDtypeStruct"),
    (
        _diagnostics.cpu_limit(LIMITS.compiling(), "compile"),
        "cpu-limit",
        "XLA was stopped after 35 s of processor time, the limit of a run that compiles.",
        "The levels above are whole",
    ),
    (
        _diagnostics.wall_limit(LIMITS.compiling(), "compile"),
        "wall-limit",
        "XLA was stopped after 140 s, the longest a run that compiles may take.",
        "a scan over the layers",
    ),
    (
        _diagnostics.memory_limit(LIMITS, "compile"),
        "memory-limit",
        "XLA was stopped at the memory limit, 1024 MB for one run.",
        "The levels above are whole",
    ),
    (
        _diagnostics.thread_limit(LIMITS, "run"),
        "thread-limit",
        "Stopped at the thread limit, 128 threads for one run.",
        "Start fewer threads",
    ),
    (
        _diagnostics.output_limit(LIMITS, "run"),
        "output-limit",
        "The output was cut after 64 kB, the most that is kept of what a run prints.",
        "Print less",
    ),
    (
        _diagnostics.result_limit(LIMITS, "run"),
        "result-limit",
        "The traced program is larger than 32 MB, the most that one answer may hold.",
        "Trace a part",
    ),
    (
        _diagnostics.bad_result("nesting that is too deep", "run"),
        "not-shown",
        "Bodies are nested more than 200 deep in this program, which is the most that is shown.",
        "Trace or paste an inner part",
    ),
    (
        _diagnostics.bad_result("two equations with one id", "run"),
        "bad-result",
        "The run gave an answer that is not a trace (two equations with one id), so it is not shown.",
        "file descriptors",
    ),
    (_diagnostics.too_large(LIMITS), "request-limit", "The request is larger than 32 MB, the most that is read.", "Paste only"),
    (_diagnostics.busy(10.0), "busy", "No run became free within 10 s; this server is busy.", "Try again"),
    (_diagnostics.busy(0.0), "busy", "Too many runs are waiting already; this server is busy.", "Try again"),
    (_diagnostics.killed_by_signal(11, "run"), "crashed", "The process that ran the code crashed (SIGSEGV).", "ctypes"),
    (_diagnostics.killed_by_signal(14, "run"), "crashed", "The process that ran the code was ended by a timer (SIGALRM).", "timer"),
    (_diagnostics.killed_by_signal(63, "run"), "crashed", "The process that ran the code crashed (signal 63).", "ctypes"),
    (
        _diagnostics.ended_early(3, "run"),
        "crashed",
        "The code ended its own process (exit status 3) before there was an answer.",
        "os._exit",
    ),
]


@pytest.mark.parametrize(("diagnostic", "code", "message", "advice"), CASES, ids=range(len(CASES)))
def test_the_words(diagnostic, code, message, advice):
    assert (diagnostic.code, diagnostic.message) == (code, message)
    assert advice in diagnostic.advice
    assert diagnostic.severity == ("info" if code == "output-limit" else "error")


def test_what_honest_programs_can_be_refused_for_is_said_by_the_gate():
    told = "".join(Path(module.__file__).read_text("utf-8") for module in (_integrity, _reader))
    assert [why for why in _diagnostics._BEYOND if f'"{why}"' not in told] == []


def test_no_advice_speaks_of_our_machinery():
    for diagnostic, *_ in CASES:
        for word in ("zygote", "seccomp", "landlock", "rlimit", "Supervisor", "child"):
            assert word not in diagnostic.message + diagnostic.advice


def reported(code: str, kind: str = "TimeoutError", message: str = "") -> Diagnostic:
    span = Span(line=9, col=4, end_line=9, end_col=15)
    return Diagnostic(severity="error", code=code, type=kind, message=message, advice="", span=span, frames=(), stage="run")


@pytest.mark.parametrize(
    ("found", "ours"),
    [
        (reported("cpu-limit"), _diagnostics.cpu_limit(LIMITS, "run")),
        (reported("wall-limit"), _diagnostics.wall_limit(LIMITS, "run")),
        (reported("python-error", "MemoryError"), _diagnostics.memory_limit(LIMITS, "run")),
    ],
)
def test_a_job_that_tells_of_its_limit_keeps_its_place_and_gets_our_words(found, ours):
    explained = _diagnostics.explain(found, LIMITS)
    assert (explained.code, explained.message, explained.advice) == (ours.code, ours.message, ours.advice)
    assert (explained.type, explained.span) == (found.type, found.span)


def test_other_diagnostics_are_left_as_they_are():
    found = reported("python-error", "TimeoutError", "mine")
    assert _diagnostics.explain(found, LIMITS) is found
