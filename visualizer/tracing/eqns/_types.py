"""Types of values as text, each computed once per program.

Promises: `f32[6,2,3]` as JAX prints it, the shape with symbolic dimensions as text, the dtype's name, and whether the type is weak.
Must never: raise on an aval that has no shape (tokens, refs, opaque types).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from visualizer.tracing.compat import aval_text

from ._params import safe_text


class Type(NamedTuple):
    """What the wire says of a variable's type."""

    text: str
    shape: list[int | str]
    dtype: str
    weak: bool


class Types:
    """Interns avals by identity; holds them, so that an id is not given to another."""

    def __init__(self) -> None:
        self.known: dict[int, Type] = {}
        self._alive: list[Any] = []

    def __call__(self, aval: Any) -> Type:
        known = self.known.get(id(aval))
        if known is None:
            known = self.known[id(aval)] = _read(aval)
            self._alive.append(aval)
        return known


def _read(aval: Any) -> Type:
    try:
        text = aval_text(aval)
    except Exception:  # an aval of a stranger's own
        text = safe_text(aval)
    inner = getattr(aval, "inner_aval", aval)  # a Ref wraps the aval of what it holds
    try:
        shape = [dim if type(dim) is int else _dimension(dim) for dim in getattr(inner, "shape", ())]
        kind = getattr(inner, "dtype", "")
        dtype = _dtype(kind) if isinstance(kind, np.dtype) else safe_text(kind)
    except Exception:
        shape, dtype = [], ""
    return Type(safe_text(text), shape, dtype, getattr(aval, "weak_type", False) is True)


@lru_cache(64)
def _dtype(kind: Any) -> str:
    """NumPy puts the name of a type together anew for everyone who asks."""
    return safe_text(kind)


def _dimension(dim: Any) -> int | str:
    try:
        return int(dim) if hasattr(dim, "__index__") else safe_text(dim)
    except Exception:  # a symbolic dimension refuses to be a number
        return safe_text(dim)
