"""Where the head of a function and its parameters stand in a text.

Promises: places as Python's compiler counts them.
"""

from __future__ import annotations

import ast

from ._functions import Function, Place, place


def arguments_of(function: Function) -> list[ast.arg]:
    """Every parameter of a function."""
    arguments = function.args
    stars = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *stars]


def place_of(argument: ast.arg) -> Place:
    """Where a parameter stands, with its annotation."""
    return argument.lineno, argument.col_offset, argument.end_lineno or argument.lineno, argument.end_col_offset or argument.col_offset


def head_of(function: Function) -> Place:
    """The head of a function: its decorators, name and parameters; the whole of a lambda."""
    if isinstance(function, ast.Lambda):
        return place(function)
    first = min([(one.lineno, max(one.col_offset - 1, 0)) for one in function.decorator_list] + [(function.lineno, function.col_offset)])
    ends = [place_of(argument)[2:] for argument in arguments_of(function)]
    ends += [(one.end_lineno or 0, one.end_col_offset or 0) for one in (function.returns, *function.args.defaults) if one is not None]
    name = (function.lineno, function.col_offset + len("def ") + len(function.name.encode()))
    return (*first, *max([name, *ends]))
