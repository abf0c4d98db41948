"""What made each array of a real run, so that its programs can be said again as those of a run with held arrays.

Promises: an array of the paste lives no longer for being remembered.
Must never: change what an operation does or gives.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from . import compat
from ._held import Node, kept, really

_reference = weakref.ref


class Past:
    """An array that was made: by which operation, as which of its results. `keys`: it stands for an array of random keys."""

    __slots__ = ("_i", "_node", "keys")

    def __init__(self, node: Node, index: int, keys: bool) -> None:
        self._node = node
        self._i = index
        self.keys = keys


# id of an array -> (reference to it, what made it)
_known: dict[int, tuple[Any, Node, int]] = {}


def made(run: Callable[..., Sequence[Any]], args: Sequence[Any], primitive: Any, params: dict[str, Any]) -> list[Any]:
    """Run an operation now and remember it as what made its results."""
    node = Node(run, [_of_past(arg) for arg in args], primitive, params)
    with really():
        outs = list(run(*args))
    node.run = None
    for index, out in enumerate(outs):
        array = out._base_array if type(out) is compat.KeyArray else out
        name = id(array)
        if type(array) is compat.ArrayImpl and name not in _known:
            _known[name] = (_reference(array, lambda _, name=name: _known.pop(name, None)), node, index)  # type: ignore[misc]
    return outs


def past_of(value: Any) -> Past | None:
    """What made an array, where that was remembered."""
    keys = type(value) is compat.KeyArray
    array = value._base_array if keys else value
    found = _known.get(id(array)) if type(array) is compat.ArrayImpl else None
    return None if found is None or found[0]() is not array else Past(found[1], found[2], keys)


def _of_past(arg: Any) -> Any:
    return past_of(arg) or kept(arg)
