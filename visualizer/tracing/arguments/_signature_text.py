"""A value in the words of a signature: what `_signature_types` reads back.

Promises: arrays by their type (`f32[3]`, `~f32[]` for a weak one), containers as Python writes them, everything else by its repr, cut where
it gets too long to be read. Never raises.
Must never: read the value of an array.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from visualizer.tracing import compat
from visualizer.tracing.eqns._params import safe_repr, safe_text

from ._fixed import is_fixed
from ._recordable import is_array

_flatten = jax.tree_util.tree_flatten_with_path
_Attribute = jax.tree_util.GetAttrKey
_is_dataclass, _fields = dataclasses.is_dataclass, dataclasses.fields
_Array = jax.Array
_PLAIN = (bool, int, float, complex, str, bytes, range, slice, enum.Enum, np.dtype, type(...))
MAX_TEXT = 4000
MAX_DEPTH = 40
_CUT = "..."


def signature_text(value: Any, traced: Callable[[Any], bool] = is_array) -> str:
    """The text of a pytree. `traced` says of a leaf whether it is one of the program's arguments; the others are static values."""
    try:
        text = _text(value, traced, MAX_DEPTH)
    except Exception:  # a container of the person's may do anything
        return safe_text(type(value).__name__)
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + _CUT


def type_text(leaf: Any) -> str:
    """The type of an array or a number as JAX prints it, `~` before a weak one."""
    return _aval_text(aval_of(leaf))


def aval_of(leaf: Any) -> Any:
    """The type of an array or a number, as tracing sees it."""
    aval = leaf.aval if isinstance(leaf, _Array) else None  # typeof would look for a sharding, too
    return compat.typeof(leaf) if aval is None else aval


@functools.lru_cache(4096)
def _aval_text(aval: Any) -> str:
    return ("~" if getattr(aval, "weak_type", False) else "") + compat.aval_text(aval)


def _text(value: Any, traced: Callable[[Any], bool], depth: int) -> str:
    if depth <= 0:
        return _CUT
    if value is None:
        return "None"
    if is_array(value):
        return type_text(value)
    if is_fixed(value):
        return _text(value.value, _never, depth - 1)
    kind = type(value)
    if isinstance(value, dict) and kind.__name__ in ("dict", "OrderedDict", "defaultdict", "FrozenDict"):
        inner = ", ".join(f"{safe_repr(key)}: {_text(part, traced, depth - 1)}" for key, part in value.items())
        return f"{{{inner}}}" if kind is dict else f"{kind.__name__}({{{inner}}})"
    if kind is list:
        return f"[{', '.join(_text(part, traced, depth - 1) for part in value)}]"
    if kind is tuple:
        inner = ", ".join(_text(part, traced, depth - 1) for part in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return _call(kind, [(name, _text(getattr(value, name), traced, depth - 1)) for name in kind._fields])
    parts, _ = _flatten(value, is_leaf=lambda part: part is not value)
    if len(parts) == 1 and parts[0][1] is value:
        return _leaf(value, traced)
    return _node(value, {_name(path): part for path, part in parts}, traced, depth)


def _node(value: Any, parts: dict[str, Any], traced: Callable[[Any], bool], depth: int) -> str:
    """A container of a class that is registered with JAX."""
    kind = type(value)
    if _is_dataclass(value):
        named = [field.name for field in _fields(value) if field.init]
        shown = [(name, _text(getattr(value, name), traced if name in parts else _never, depth - 1)) for name in named]
        return _call(kind, shown)
    return _call(kind, [(name, _text(part, traced, depth - 1)) for name, part in parts.items()])


def _name(path: Any) -> str:
    """The name of a part of a container, "" and a number where it has none."""
    return str(path[0].name) if len(path) == 1 and isinstance(path[0], _Attribute) else f"[{path[0]}]"


def _call(kind: type, parts: list[tuple[str, str]]) -> str:
    return f"{kind.__name__}({', '.join(f'{name}={text}' if name.isidentifier() else text for name, text in parts)})"


def _leaf(leaf: Any, traced: Callable[[Any], bool]) -> str:
    if traced(leaf):
        return type_text(leaf)
    if isinstance(leaf, _PLAIN):
        return safe_repr(leaf)
    if callable(leaf) and isinstance(getattr(leaf, "__name__", None), str):
        return safe_text(leaf.__name__)
    return f"{type(leaf).__name__}(...)"  # its repr may read the values of arrays in it


def _never(_: Any) -> bool:
    return False
