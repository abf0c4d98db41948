"""Objects whose calls can be traced only with the object as an argument: a module that counts, or keeps statistics, while it is called
(`nnx.BatchNorm`, `nnx.Dropout`) refuses to be changed from inside a trace, but not if it is a part of it.

Promises: the function is the one that a call of the object runs. Must never: take for an argument what is no pytree with arrays.
"""

from __future__ import annotations

import types
from typing import Any

import jax

from ._recordable import is_array

_leaves = jax.tree.leaves


def owner_as_argument(function: Any) -> tuple[Any, Any] | None:
    """The function behind a callable object or a bound method, which takes the object first, and the object; None where it is no pytree."""
    plain: Any
    if type(function) is types.MethodType:
        owner, plain = function.__self__, function.__func__
    else:
        owner, plain = function, getattr(type(function), "__call__", None)  # noqa: B004 - what a call runs, not whether one can be made
    if type(plain) is not types.FunctionType or isinstance(owner, type):
        return None
    leaves = _leaves(owner)
    is_tree = not (len(leaves) == 1 and leaves[0] is owner)
    return (plain, owner) if is_tree and any(map(is_array, leaves)) else None
