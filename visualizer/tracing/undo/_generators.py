"""Generators that go through once more what one that was not begun will go through.

Promises: the new one has the function, the arguments and the variables of the other, and runs nothing until it is asked.
Must never: make one of a generator that is in the middle of its body, unless nothing of that is needed to go on.
"""

from __future__ import annotations

import dis
import gc
import inspect
import types
from collections.abc import Callable
from typing import Any

_referents, _state, _instructions = gc.get_referents, inspect.getgeneratorstate, dis.get_instructions


def generator_again(generator: types.GeneratorType[Any, Any, Any], part: Callable[[Any], Any]) -> Any:
    """A generator like one that was not begun, each argument as `part` gives it; None where there can be none."""
    state, code = _state(generator), generator.gi_code
    if state == inspect.GEN_CLOSED:
        return generator  # it gives nothing, however often it is asked
    if state != inspect.GEN_CREATED and not (state == inspect.GEN_SUSPENDED and _is_one_loop(code)):
        return None
    function = next((one for one in _referents(generator) if type(one) is types.FunctionType and one.__code__ is code), None)
    frame = generator.gi_frame
    if function is None or frame is None:
        return None
    given = frame.f_locals
    names = list(code.co_varnames)
    by_place, by_name = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    args = [part(given[name]) for name in names[:by_place]]
    kwargs = {name: part(given[name]) for name in names[by_place:by_name]}
    rest = names[by_name:]
    if code.co_flags & inspect.CO_VARARGS:
        args += [*map(part, given[rest.pop(0)])]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        kwargs |= {name: part(value) for name, value in given[rest.pop(0)].items()}
    return function(*args, **kwargs)


def _is_one_loop(code: types.CodeType) -> bool:
    """Whether a generator is one loop over an iterator that it was given (`(f(x) for x in xs)`): it goes on from where that is."""
    return code.co_name == "<genexpr>" and sum(step.opname == "FOR_ITER" for step in _instructions(code)) == 1
