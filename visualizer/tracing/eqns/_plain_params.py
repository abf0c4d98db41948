"""What the equations of plain params say, known to the whole process: `mul`, `broadcast_in_dim` and the like come in every program. So do
calls (`jit`, `scan`), whose params are plain but for their jaxprs: those are left open.

Promises: an entry is that of the same primitive and printing rule with params of the same types and values, so whatever program it was read
from, it holds for any. Nothing changes what is shared.
Must never: know anything of a param that a stranger's code could change: the values are of Python's, NumPy's and JAX's own immutable types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from visualizer.tracing.compat import MESHES, ClosedJaxpr, Jaxpr, MemorySpace, UnspecifiedValue, printing_rule, rule_ignores_jaxprs

Dict = dict[str, Any]
Said = tuple[list[Dict], Dict | None, list[tuple[int, str]]]
"""The params as text, the `Printed` of the equation, and which of the params, by place and name, are jaxprs that are left open."""

# Entries are a kilobyte at most: programs of a process that traces for days must not add up.
MOST = 4096
# (Of floats, 0.0 is -0.0.)
_IN_TUPLES = frozenset({int, bool, str, type(None), UnspecifiedValue, np.int32, np.int64})
_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64")
_FIXED = _IN_TUPLES | {type(np.dtype(name)) for name in _DTYPES} | {MemorySpace} | MESHES
_JAXPRS = frozenset({ClosedJaxpr, Jaxpr})
_known: dict[tuple[Any, ...], Said] = {}


def key_of(primitive: Any, params: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What decides what an equation says of its params; None where one of them may be anything."""
    kinds: list[Any] = []
    values: list[Any] = []
    for value in params.values():
        kind = type(value)
        kinds.append(kind)
        if kind in _JAXPRS:
            continue
        values.append(value)
        if kind is tuple:
            inner = tuple(map(type, value))
            if not _IN_TUPLES.issuperset(inner):
                return None
            kinds.append(inner)
        elif kind not in _FIXED:
            return None
    return (primitive, printing_rule(primitive), *params, *values, *kinds)


def left_open(params: Mapping[str, Any], texts: list[Dict]) -> list[tuple[int, str]]:
    """Which of the texts of params of one key are those of jaxprs."""
    return [(place, text["name"]) for place, text in enumerate(texts) if type(params[text["name"]]) in _JAXPRS]


def is_the_same_around(primitive: Any, printed: Dict | None) -> bool:
    """Whether an equation with jaxprs is printed as one with any others would be."""
    if printing_rule(primitive) is None:
        return True
    return rule_ignores_jaxprs(primitive) and not (printed and any(param["pieces"] for param in printed["params"]))


def said(key: tuple[Any, ...]) -> Said | None:
    """What is known of the equations of one key."""
    return _known.get(key)


def remember(key: tuple[Any, ...], found: Said) -> None:
    """Keep what equations of one key say."""
    if len(_known) >= MOST:
        _known.clear()
    _known[key] = found
