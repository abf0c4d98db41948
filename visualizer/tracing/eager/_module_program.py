"""The program that made some held values: the paste's own eager operations, said again to a tracer.

Promises: a jaxpr without inputs whose equations stand where the person wrote the operations.
Must never: compute a value.
"""

from __future__ import annotations

from typing import Any

import jax

from visualizer.tracing import compat

from ._held import Held, Node, computed, held_of
from ._past import Past, past_of

_make_jaxpr = jax.make_jaxpr
_leaves = jax.tree.leaves


def held_in(value: Any) -> list[Any]:
    """The arrays of a pytree of which is known what made them."""
    return [leaf for leaf in _leaves(value) if _origin(leaf) is not None]


def program_of(values: list[Any]) -> Any:
    """The ClosedJaxpr that makes `values`."""

    def module() -> list[Any]:
        made: dict[int, Any] = {}
        todo = [origin._node for origin in map(_origin, values) if origin is not None]
        while todo:  # no recursion: an eager loop is thousands of operations deep
            node = todo[-1]
            if id(node) in made:
                todo.pop()
                continue
            needed = [held._node for held in map(_origin, node.args) if held is not None and id(held._node) not in made]
            if needed:
                todo.extend(needed)
                continue
            made[id(node)] = _say(node, made)
            todo.pop()
        return [_said(value, made) for value in values]

    return _make_jaxpr(module)()


def _origin(value: Any) -> Held | Past | None:
    """What made an array; None where that is not known, or no longer."""
    if type(value) is Past:
        return value
    held = held_of(value)
    if held is None:
        return past_of(value)
    return held if held._node.primitive is not None else None


def _said(value: Any, made: dict[int, Any]) -> Any:
    """What the tracer made of a value; as it is where nothing is known of it."""
    origin = _origin(value)
    if origin is None:
        return computed(value)
    out = made[id(origin._node)][origin._i]
    keys = origin.keys if type(origin) is Past else value.dtype if origin is not value else None
    if compat.is_key_type(out.dtype) == (keys is not None):
        return out
    # The numbers of random keys, taken from under them, or keys put over numbers.
    return compat.unwrap_key(out) if keys is None else compat.wrap_key(out, keys)


def _say(node: Node, made: dict[int, Any]) -> Any:
    args = [_said(arg, made) for arg in node.args]
    if node.primitive.name == "stage":
        return args
    with compat.at_source(node.where):
        out = node.primitive.bind(*args, **node.params)
    return out if node.primitive.multiple_results else [out]
