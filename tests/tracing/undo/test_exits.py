"""What a paste registers with atexit runs when it has ended, as in a run of Python's."""

from __future__ import annotations

import atexit

import pytest

SOURCE = """import atexit, jax

@atexit.register
def bye():
    print("bye", jax.jit(lambda x: x + 1)(1.0))

atexit.register(print, "two", end="!\\n")
def fails(): raise ValueError("no")
atexit.register(fails)
def gone(): print("never")
atexit.register(gone)
atexit.unregister(gone)

def f(x):
    atexit.register(print, "registered once")
    return x * 2
print(jax.grad(f)(2.0))
"""
HOOK = """import atexit, sys
sys.unraisablehook = lambda told: print("hook:", told.err_msg, told.exc_value)
atexit.register(lambda: 1 / 0)
def gone(): print("never")
atexit.register(gone)
def more():
    atexit.register(print, "too late")
    atexit.unregister(gone)
    print("the last one first")
atexit.register(more)
raise SystemExit(3)
"""


def test_they_run_last_first_and_the_second_run_of_a_function_registers_none(jobs):
    trace = jobs.trace(SOURCE)
    lines = trace["output"]["text"].splitlines()
    assert lines[:2] == ["2.0", "registered once"]
    assert lines[2].startswith("Exception ignored in atexit callback: <function fails at 0x")
    assert lines[3:5] == ["Traceback (most recent call last):", '  File "<paste>", line 8, in fails']
    assert lines[-3:] == ["ValueError: no", "two!", "bye 2.0"]
    assert [program["name"] for program in trace["programs"]] == ["jax.grad(f)", "jax.jit(lambda x: x + 1)"]
    assert trace["diagnostics"] == []


def test_they_run_after_an_exit_and_by_the_hook_of_the_paste(jobs):
    trace = jobs.trace(HOOK)
    assert trace["output"]["text"] == "the last one first\nhook: Exception ignored in atexit callback division by zero\n"
    assert [(found["code"], found["span"]["line"]) for found in trace["diagnostics"]] == [("exit", 11)]


@pytest.mark.parametrize("given", ["3", "print, *[1], nothing=", "len"])
def test_what_cannot_be_registered_or_fails_is_told_as_python_tells_it(jobs, given):
    trace = jobs.trace(f"import atexit\natexit.register({given})\n")
    if given == "len":
        assert "TypeError: len() takes exactly one argument (0 given)" in trace["output"]["text"]
        assert trace["diagnostics"][0]["code"] == "nothing-to-trace"
    else:
        (found,) = trace["diagnostics"]
        assert found["span"]["line"] == 2


def test_nothing_of_it_is_left_with_python():
    assert atexit.register.__module__ == "atexit"
