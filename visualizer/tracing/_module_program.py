"""The program that made some held values: the paste's own eager operations, said again to a tracer.

Promises: a jaxpr without inputs whose equations stand where the person wrote the operations.
Must never: compute a value.
"""

from __future__ import annotations

from typing import Any

import jax

from . import compat
from ._held import Held, Node

_make_jaxpr = jax.make_jaxpr
_leaves = jax.tree.leaves


def held_in(value: Any) -> list[Held]:
    """The held arrays of a pytree."""
    return [leaf for leaf in _leaves(value) if type(leaf) is Held]


def program_of(values: list[Held]) -> Any:
    """The ClosedJaxpr that makes `values`."""

    def module() -> list[Any]:
        made: dict[int, Any] = {}
        todo = [value._node for value in values]
        while todo:  # no recursion: an eager loop is thousands of operations deep
            node = todo[-1]
            if id(node) in made:
                todo.pop()
                continue
            needed = [arg._node for arg in node.args if type(arg) is Held and id(arg._node) not in made]
            if needed:
                todo.extend(needed)
                continue
            made[id(node)] = _say(node, made)
            todo.pop()
        return [made[id(value._node)][value._i] for value in values]

    return _make_jaxpr(module)()


def _say(node: Node, made: dict[int, Any]) -> Any:
    args = [made[id(arg._node)][arg._i] if type(arg) is Held else arg for arg in node.args]
    if node.primitive.name == "stage":
        return args
    with compat.at_source(node.where):
        out = node.primitive.bind(*args, **node.params)
    return out if node.primitive.multiple_results else [out]
