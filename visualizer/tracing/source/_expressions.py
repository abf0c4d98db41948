"""Which expressions of a text have one array for a value, as far as the text alone can tell.

Promises: places as Python's compiler counts them. Operators give one array; a call gives one unless what is done with it says otherwise.
Must never: answer for two expressions that stand at one place.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import Literal

import numpy as np

from ._functions import Place, place, places_of
from ._sites import pairs_of, tree_of

_OPERATORS = (ast.BinOp, ast.UnaryOp, ast.AugAssign)
# What a tuple has no attribute of.
_ARRAYS = frozenset(dir(np.ndarray)) | {"at"}
# What takes a sequence apart: of an array the elements are equations of their own, of a tuple nothing says that it was one.
_TAKES_APART = frozenset({"zip", "enumerate", "list", "tuple", "dict", "set", "len", "reversed", "sorted", "map", "iter", "next"})


# An operator; a call or an attribute; one of these that is taken apart, so that its value may be a tuple.
Shape = Literal["operator", "call", "apart"]


class Expressions:
    """The expressions of a text that equations can give the value of."""

    def __init__(self, tree: ast.Module) -> None:
        self._shapes: dict[Place, Shape | None] = {}
        for parent, node in pairs_of(tree):
            if isinstance(node, _OPERATORS) or (isinstance(node, ast.Compare) and len(node.ops) == 1):
                self._note(place(node), "operator")
            elif isinstance(node, ast.Call):
                for where in places_of(node):
                    self._note(where, "apart" if _taken_apart(node, parent) else "call")
            elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Load):
                self._note(place(node), "apart" if _taken_apart(node, parent) else "call")

    def shape(self, where: Place) -> Shape | None:
        """What stands at a place; None where it is nothing whose value can be told."""
        return self._shapes.get(where)

    def _note(self, where: Place, shape: Shape) -> None:
        self._shapes[where] = None if where in self._shapes else shape


def _taken_apart(node: ast.expr, parent: ast.AST) -> bool:
    """Whether the value may well be a tuple: it is unpacked, indexed, or iterated over."""
    if isinstance(parent, ast.Starred):
        return True
    if isinstance(parent, ast.Subscript):
        return parent.value is node
    if isinstance(parent, ast.Attribute):
        return parent.attr not in _ARRAYS
    if isinstance(parent, (ast.For, ast.comprehension)):
        return parent.iter is node
    if isinstance(parent, ast.Assign):
        return any(isinstance(target, (ast.Tuple, ast.List)) for target in parent.targets)
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Name) and parent.func.id in _TAKES_APART and node in parent.args
    return False


@lru_cache(4)
def expressions_of(text: str) -> Expressions:
    """The Expressions of a text; none of one that does not parse."""
    try:
        return Expressions(tree_of(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Expressions(ast.Module([], []))
