"""The stack as a paste sees it is that of a run without us."""

from __future__ import annotations

import inspect
import sys
import traceback
import warnings

import pytest

from visualizer.tracing.running._stack import stack_as_seen

SOURCE = """import collections, enum, inspect, logging, sys, traceback, warnings
import jax, jax.numpy as jnp

def f(x):
    warnings.warn("old", DeprecationWarning, stacklevel=2)
    warnings.warn("deep", stacklevel=3)
    warnings.warn("beyond", stacklevel=99)
    warnings.warn("here")
    return x * 2

def caller(x):
    return f(x)

caller(jnp.ones(3))

def g(x):
    names = [frame.name for frame in traceback.extract_stack()], [record.function for record in inspect.stack()]
    around = sys._getframe(1), inspect.currentframe().f_back
    return x + 1, names, around[0].f_code.co_name, around[0].f_lineno

def outer(x):
    return g(x)[1:]

print(outer(jnp.ones(2)))
print(g(jnp.ones(2))[1:])
try:
    sys._getframe(3)
except ValueError as error:
    print(error)
print(collections.namedtuple("P", "a b").__module__, enum.Enum("E", "A").__module__)
traceback.print_stack()
"""
SAID = """<paste>:12: DeprecationWarning: old
<paste>:14: UserWarning: deep
UserWarning: beyond
<paste>:8: UserWarning: here
((['<module>', 'outer', 'g'], ['g', 'outer', '<module>']), 'outer', 22)
((['<module>', 'g'], ['g', '<module>']), '<module>', 25)
call stack is not deep enough
__main__ __main__
  File "<paste>", line 31, in <module>
    traceback.print_stack()
"""


def test_it_has_the_pastes_frames_alone(jobs):
    trace = jobs.trace(SOURCE)
    assert trace["output"]["text"] == SAID
    assert [found["code"] for found in trace["diagnostics"]] == []


def test_all_is_put_back_and_frames_of_others_are_there():
    places = [(sys, "_getframe"), (traceback, "walk_stack"), (warnings, "warn"), (inspect, "getouterframes")]
    before = [getattr(*place) for place in places]
    with stack_as_seen(__file__):
        assert [getattr(*place) for place in places] != before
        assert sys._getframe().f_code.co_name == "test_all_is_put_back_and_frames_of_others_are_there"
        assert len(inspect.stack()) > 10  # no first frame of a paste: all of them
        with pytest.raises(ValueError, match="not deep enough"):
            sys._getframe(10_000)
        with pytest.warns(UserWarning, match="heard") as heard:
            warnings.warn("heard", stacklevel=1)
        assert heard[0].filename == __file__
    assert [getattr(*place) for place in places] == before
