"""What a traced function holds, by the names that its code reads it by: `self`, free variables, defaults, what `partial` was given.

Promises: a name is that of a parameter or a free variable of a function of the paste (of the module `home`), read off its code.
Must never: run code of the paste, or name what a library's function holds.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from jax.tree_util import Partial

from visualizer.tracing.arguments._fixed import is_fixed

from ._constants import fields_of

_FUNCTION, _METHOD, _PARTIALS = types.FunctionType, types.MethodType, (functools.partial, Partial)
MAX_FUNCTIONS = 100


class Root(NamedTuple):
    """A value that a function holds, and the code whose variable it is. `free`: it was bound outside of that function."""

    name: str
    value: Any
    code: types.CodeType
    free: bool


def roots_of(function: Any, args: tuple[Any, ...] = (), home: str = "__main__") -> list[Root]:
    """What a function holds, itself and through the functions that it was made of; and which of its arguments were not traced."""
    found: list[Root] = [*_untraced(function, args, home)]
    seen: dict[int, Any] = {}
    todo = [function]
    while todo and len(seen) < MAX_FUNCTIONS:
        now = todo.pop(0)
        if id(now) not in seen:
            seen[id(now)] = now
            for part in _held(now, todo, home):
                if all(part.value is not other.value or part[2:] != other[2:] or part.name != other.name for other in found):
                    found.append(part)
    return found


def _held(function: Any, todo: list[Any], home: str) -> Iterator[Root]:
    kind = type(function)
    bound = _bound(function)
    if bound is not None:
        todo.append(bound[0])
        yield from _passed(bound[0], 0, (bound[1],), home)
    elif kind in _PARTIALS:
        todo.append(function.func)
        yield from _passed(function.func, 0, function.args, home)
        code = _code_of(function.func, home)
        if code is not None:
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            yield from (Root(name, value, code, False) for name, value in function.keywords.items() if name in names)
    elif kind is _FUNCTION:
        inner = vars(function).get("__wrapped__")
        if inner is not None:
            todo.append(inner)
        yield from _variables(function, todo, home)
    elif not isinstance(function, type):
        if kind.__module__ == home:
            call = next((vars(owner)["__call__"] for owner in kind.__mro__ if "__call__" in vars(owner)), None)
            todo.append(call)
            yield from _passed(call, 0, (function,), home)
        elif (inner := fields_of(function).get("__wrapped__")) is not None:
            todo.append(inner)


def _variables(function: Any, todo: list[Any], home: str) -> Iterator[Root]:
    """The free variables of a function, and its defaults; of a library's, the functions among the first."""
    code, own = function.__code__, _is_own(function, home)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            value = cell.cell_contents
        except ValueError:  # not bound yet
            continue
        if type(value) in (_FUNCTION, _METHOD, *_PARTIALS) or "__wrapped__" in fields_of(value):
            todo.append(value)
        if own:
            yield Root(name, value, code, True)
    if own:
        defaults = function.__defaults__ or ()
        names = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
        pairs = [*zip(names, defaults, strict=True), *(function.__kwdefaults__ or {}).items()]
        yield from (Root(name, value, code, False) for name, value in pairs)


def _passed(function: Any, first: int, values: tuple[Any, ...], home: str) -> Iterator[Root]:
    """Values for the parameters of a function, from the `first` on."""
    bound = _bound(function)
    if bound is not None:
        function, first = bound[0], first + 1
    code = _code_of(function, home)
    if code is not None:
        names = code.co_varnames[first : code.co_argcount]
        yield from (Root(name, value, code, False) for name, value in zip(names, values, strict=False))


def _untraced(function: Any, args: tuple[Any, ...], home: str) -> Iterator[Root]:
    inner = function
    if type(inner) is _FUNCTION and not _is_own(inner, home):
        inner = vars(inner).get("__wrapped__", inner)  # ours: it gives back what was held static
    for index, arg in enumerate(args):
        if is_fixed(arg):
            yield from _passed(inner, index, (arg.value,), home)


def _bound(method: Any) -> tuple[Any, Any] | None:
    """The function and the object of a method: Python's own, or one that equinox makes of it."""
    if type(method) is _METHOD:
        return method.__func__, method.__self__
    held = fields_of(method)
    return (held["__func__"], held["__self__"]) if "__func__" in held and "__self__" in held else None


def _code_of(function: Any, home: str) -> types.CodeType | None:
    """The code of a function of the paste, through what wraps it and keeps its parameters."""
    for _ in range(8):
        function = (_bound(function) or (function,))[0]
        if type(function) is _FUNCTION and _is_own(function, home):
            return function.__code__
        function = fields_of(function).get("__wrapped__")
    return None


def _is_own(function: Any, home: str) -> bool:
    return bool(function.__globals__.get("__name__") == home)
