"""Arguments that a trace holds static: hidden from pytree flattening, given back when the function is called.

Promises: the function sees exactly the arguments that the person wrote. Must never: change a function or an argument of the person's.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import jax

from ._recordable import is_array

_unflatten = jax.tree.unflatten
_suppress = contextlib.suppress
_update_wrapper = functools.update_wrapper


class Fixed:
    """An argument that is not traced, hidden from pytree flattening."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return type(other) is Fixed and self.value is other.value


jax.tree_util.register_pytree_node(Fixed, lambda fixed: ((), fixed), lambda fixed, _: fixed)
_map = jax.tree.map


def is_fixed(value: Any) -> bool:
    """Whether a leaf is hidden from tracing."""
    return type(value) is Fixed


def unfix(tree: Any) -> Any:
    """A pytree with every fixed argument given back."""
    return _map(lambda leaf: leaf.value if type(leaf) is Fixed else leaf, tree, is_leaf=is_fixed)


def is_code(leaf: Any) -> bool:
    """Whether a leaf of a result is a function: a model that is a pytree has its activations among its leaves."""
    return callable(leaf) and not is_array(leaf)


def _without_code(tree: Any) -> Any:
    return _map(lambda leaf: None if is_code(leaf) else leaf, tree)


def hold_fixed(function: Any, leaves: list[Any], dynamic: list[bool], tree: Any, *, code: bool = False) -> tuple[Any, Any, Any]:
    """`function` and its arguments (args, kwargs) with every leaf that is not dynamic hidden from tracing.

    `code`: there are functions in its results, which are left out.
    """
    if all(dynamic) and not code:
        return (function, *_unflatten(tree, leaves))

    def held(*args: Any, **kwargs: Any) -> Any:
        out = function(*unfix(args), **unfix(kwargs))
        return _without_code(out) if code else out

    with _suppress(Exception):
        _update_wrapper(held, function)  # signature and names as the person wrote them
    return (held, *_unflatten(tree, [leaf if free else Fixed(leaf) for leaf, free in zip(leaves, dynamic, strict=True)]))
