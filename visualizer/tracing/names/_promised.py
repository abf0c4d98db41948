"""Whether a function that a paste calls says of itself that it returns more than one array.

Promises: reads annotations only; looks names up in modules, which runs nothing.
Must never: call anything of the paste, or ask an object of its for an attribute.
"""

from __future__ import annotations

import ast
from types import FunctionType, ModuleType
from typing import Any

_SEVERAL = ("tuple", "list", "dict", "Sequence", "Result")
# `jit` around `partial` around a function: no more is wrapped than by hand.
_DEEPEST = 8


def returns_several(function: ast.expr, namespace: dict[str, Any]) -> bool:
    """Whether the function that an expression names is known to return, or to return at times, something with parts."""
    found = _looked_up(function, namespace)
    for _ in range(_DEEPEST):
        if type(found) is FunctionType:
            promise = found.__annotations__.get("return", "")
            return any(word in str(promise) for word in _SEVERAL)
        if not type(found).__module__.startswith("jax"):
            return False
        found = getattr(found, "__wrapped__", None)
    return False


def _looked_up(node: ast.expr, namespace: dict[str, Any]) -> Any:
    """The value of `jnp.linalg.qr`, through modules alone; None where it goes another way."""
    if isinstance(node, ast.Name):
        return namespace.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _looked_up(node.value, namespace)
        return vars(owner).get(node.attr) if isinstance(owner, ModuleType) else None
    return None
