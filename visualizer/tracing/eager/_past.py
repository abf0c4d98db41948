"""What made each array of a real run, so that its programs can be said again as those of a run with held arrays.

Promises: an array of the paste lives no longer for being remembered; of what goes on for ever no more than `MOST` operations are.
Must never: change what an operation does or gives.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from visualizer.tracing import compat

from ._held import MOST, Node, kept, really

_reference = weakref.ref


class Past:
    """An array that was made: by which operation, as which of its results. `keys`: the type of the random keys that it stands for."""

    __slots__ = ("_i", "_node", "keys")

    def __init__(self, node: Node, index: int, keys: Any) -> None:
        self._node = node
        self._i = index
        self.keys = keys


# id of an array -> (reference to it, what made it). Random keys are objects over an array: JAX wraps and unwraps that without a copy.
_known: dict[int, tuple[Any, Node, int]] = {}


def made(run: Callable[..., Sequence[Any]], args: Sequence[Any], primitive: Any, params: dict[str, Any]) -> list[Any]:
    """Run an operation now and remember it as what made its results."""
    node = Node(run, [_of_past(arg) for arg in args], primitive, params)
    with really():
        outs = list(run(*args))
    node.run = None
    if Node.alive > MOST:
        node.cut_off()
        return outs
    for index, out in enumerate(outs):
        for array in (out, out._base_array) if type(out) is compat.KeyArray else (out,):
            name = id(array)
            if type(array) in _ARRAYS and name not in _known:
                _known[name] = (_reference(array, lambda _, name=name: _known.pop(name, None)), node, index)  # type: ignore[misc]
    return outs


def past_of(value: Any) -> Past | None:
    """What made an array, where that was remembered."""
    keys = type(value) is compat.KeyArray
    for array in (value, value._base_array) if keys else (value,):
        found = _known.get(id(array)) if type(array) in _ARRAYS else None
        if found is not None and found[0]() is array:
            return Past(found[1], found[2], value.dtype if keys else None)
    return None


_ARRAYS = (compat.ArrayImpl, compat.KeyArray)


def _of_past(arg: Any) -> Any:
    return past_of(arg) or kept(arg)
