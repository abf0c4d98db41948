"""How a paste ends: what its own hook is told, and what runs then."""

from __future__ import annotations

HOOK = """import sys, weakref
def hook(kind, error, trace): print("hook:", kind.__name__, error, trace.tb_lineno); {more}
sys.excepthook = hook
class Kept: pass
kept = Kept(); weakref.finalize(kept, print, "finalized")
raise ValueError("no")
"""


def test_the_hook_of_the_paste_is_told(jobs):
    trace = jobs.trace(HOOK.format(more="pass"))
    assert trace["output"]["text"] == "hook: ValueError no 6\nfinalized\n"
    assert [(found["type"], found["span"]["line"]) for found in trace["diagnostics"]] == [("ValueError", 6)]


def test_a_hook_that_fails_is_told_as_python_tells_it(jobs):
    text = jobs.trace(HOOK.format(more="1 / 0"))["output"]["text"]
    assert text.startswith("hook: ValueError no 6\nError in sys.excepthook:\nTraceback (most recent call last):\n")
    assert "ZeroDivisionError: division by zero\n\nOriginal exception was:\n" in text
    assert text.endswith("ValueError: no\nfinalized\n")
