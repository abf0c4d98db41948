"""A paste whose time is over says where it was; one whose threads go on is shown."""

from __future__ import annotations

import pytest

from visualizer.model import LevelMessage

LOOP = """import jax, jax.numpy as jnp
@jax.jit
def step(x):
    return x * 0.99
x = jnp.ones(3)
print("before")
while True:
    x = step(x)
"""


def stopped(jobs, source: str) -> dict:
    message, *_ = jobs.messages({"source": source}, cpu=1)
    trace = LevelMessage.model_validate(message).trace
    assert trace is not None
    return message["trace"]


def test_an_endless_loop_stops_at_its_line_with_what_was_found_until_then(jobs):
    trace = stopped(jobs, LOOP)
    assert trace["output"]["text"] == "before\n"
    assert [p["name"] for p in trace["programs"]] == ["step"]
    (found,) = trace["diagnostics"]
    assert (found["code"], found["type"], found["stage"]) == ("cpu-limit", "TimeoutError", "run")
    assert found["span"]["line"] == 8
    assert [frame["function"] for frame in found["frames"]] == ["<module>"]


def test_what_was_found_is_lowered_in_the_moment_that_is_left(jobs):
    _, lowered = jobs.messages({"source": LOOP}, cpu=1)
    patch = LevelMessage.model_validate(lowered).patch
    assert patch is not None and not patch.diagnostics
    assert list(patch.programs["p0"].modules) == ["stablehlo"]
    (alone,) = jobs.messages({"source": LOOP, "levels": ["jaxpr"]}, cpu=1)
    assert alone["trace"]["programs"][0]["name"] == "step"


CATCHES = """def spin():
    while True:
        try:
            while True: pass
        except BaseException: pass
spin()
"""
IN_A_TRACE = """import jax
def f(x):
    while True: x = x + 1
jax.jit(f)(1.0)
"""
WITH_TOOLS = """import sys, threading
sys.settrace(lambda frame, event, arg: None)
sys.setrecursionlimit(80)
while True: pass
"""


@pytest.mark.parametrize(
    ("source", "line", "functions"),
    [(CATCHES, 4, ["<module>", "spin"]), (IN_A_TRACE, 3, ["<module>", "f"]), (WITH_TOOLS, 4, ["<module>"])],
    ids=["catches everything", "in a trace", "settrace and a low recursion limit"],
)
def test_it_cannot_be_caught_and_tells_the_innermost_line(jobs, source, line, functions):
    (found,) = stopped(jobs, source)["diagnostics"]
    assert (found["code"], found["span"]["line"]) == ("cpu-limit", line)
    assert [frame["function"] for frame in found["frames"]] == functions


def test_a_paste_that_takes_the_signal_is_ended_by_the_kernel(jobs):
    source = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    assert jobs.messages({"source": source}, cpu=1) == [{"lost": 9}]


def test_the_signal_of_the_sandbox_means_the_longest_wait_is_over(jobs):
    source = "import os, signal, time\nos.kill(os.getpid(), signal.SIGVTALRM)\ntime.sleep(100)"
    (message,) = jobs.messages({"source": source}, cpu=20)
    (found,) = message["trace"]["diagnostics"]
    assert (found["code"], found["type"], found["span"]["line"]) == ("wall-limit", "TimeoutError", 2)


@pytest.mark.parametrize("body", ["while True: pass", "import time; print('in it', flush=True); time.sleep(1000)"])
def test_a_thread_without_end_does_not_hold_back_the_trace(jobs, body):
    source = f"""import threading, jax.numpy as jnp
def endless():
    {body}
def f(x): return jnp.sin(x)
threading.Thread(target=endless).start()
print(f(jnp.zeros(2)))
"""
    trace = jobs.trace(source)
    assert [p["name"] for p in trace["programs"]] == ["f"]
    assert "[0. 0.]" in trace["output"]["text"]
    assert ("in it" in trace["output"]["text"]) is ("in it" in body)
    assert trace["diagnostics"] == []
    assert trace["notes"] == ["A thread of the paste was still running after its last line: what it printed until then is shown."]


def test_threads_that_end_are_waited_for(jobs):
    source = "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.1), print('late'))).start()\nprint('early')"
    trace = jobs.trace(source)
    assert (trace["output"]["text"], trace["notes"]) == ("early\nlate\n", [])
