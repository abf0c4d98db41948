"""Find every jaxpr inside the params of an equation.

Promises: looks through tuples, lists, dicts (JAX's frozen ones too), named tuples and dataclasses (attributes too), in a fixed order, each
container once; never keyed on the names of params, so a primitive that nobody has heard of is walked like `scan`.
Must never: fail on a hostile object, follow a cycle, or look into modules, classes, functions and arrays.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from visualizer.tracing.compat import ClosedJaxpr, FrozenDict, Jaxpr, thawed

# What cannot hold a jaxpr. Most params are one of these, so the test for them comes first.
PLAIN = frozenset({int, float, bool, complex, str, bytes, type(None), type, range, slice})
MAX_DEPTH = 12


def jaxprs_in(params: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Every (path, Jaxpr or ClosedJaxpr) of an equation's params: `jaxpr`, `branches[1]`, `jaxprs.solve`, `table['a']`."""
    return [found for name in sorted(params) for found in jaxprs_under(name, params[name])]


def jaxprs_under(name: str, value: Any) -> list[tuple[str, Any]]:
    """The same of one param."""
    kind = type(value)
    if kind is ClosedJaxpr or kind is Jaxpr:
        return [(name, value)]
    try:
        return [] if _is_plain(value, MAX_DEPTH) else list(_search(name, value, 0, set()))
    except Exception:  # a class may refuse even to be hashed or compared
        return []


def _is_plain(value: Any, depth: int) -> bool:
    """Whether a value is one of the plain types, or a tuple (a named one too) of such: a quick answer for most params."""
    kind: Any = type(value)
    if kind in PLAIN:
        return True
    if not issubclass(kind, tuple) or depth == 0:
        return not _can_hold(kind)
    for item in tuple.__iter__(value):  # noqa: SIM110 - a generator costs more than the loop, and this runs for every param
        if type(item) not in PLAIN and not _is_plain(item, depth - 1):
            return False
    return True


def may_hold(value: Any) -> bool:
    """Whether `value` is a container that `jaxprs_in` looks into."""
    kind: Any = type(value)
    return _can_hold(kind)


@lru_cache(256)
def _can_hold(kind: Any) -> bool:
    return issubclass(kind, (tuple, list, dict, FrozenDict, ClosedJaxpr, Jaxpr)) or hasattr(kind, "__dataclass_fields__")


def _is_dataclass(value: Any) -> bool:
    return hasattr(type(value), "__dataclass_fields__")


def _search(path: str, value: Any, depth: int, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if type(value) in PLAIN:
        return
    if isinstance(value, (ClosedJaxpr, Jaxpr)):
        yield path, value
        return
    if depth >= MAX_DEPTH or id(value) in seen or not may_hold(value):
        return
    seen.add(id(value))
    for step, child in children(value):
        yield from _search(path + step, child, depth + 1, seen)
    seen.discard(id(value))


def children(value: Any) -> list[tuple[str, Any]]:
    """The parts of a container with the step that leads to each: `[0]`, `['key']`, `.field`. Empty where it refuses to be read."""
    try:
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return [(f".{name}", tuple.__getitem__(value, i)) for i, name in enumerate(value._fields)]
        if isinstance(value, tuple):
            return [(f"[{i}]", item) for i, item in enumerate(tuple.__iter__(value))]
        if isinstance(value, list):
            return [(f"[{i}]", item) for i, item in enumerate(list.__iter__(value))]
        if isinstance(value, (dict, FrozenDict)):
            return [(f"[{key!r}]", item) for key, item in dict.items(value if isinstance(value, dict) else thawed(value))]
        if _is_dataclass(value):
            return list(_attributes(value, [field.name for field in dataclasses.fields(value)]))
    except Exception:  # a stranger's object may do anything when it is looked at
        return []
    return []


def _attributes(value: Any, names: list[str]) -> Iterator[tuple[str, Any]]:
    read: Callable[[Any, str], Any] = getattr
    for name in names:
        try:
            yield f".{name}", read(value, name)
        except Exception:  # noqa: S112 - one field that cannot be read must not hide the others
            continue
