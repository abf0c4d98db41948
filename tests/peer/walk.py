"""Every jaxpr of a program, found without any code of the package: by what the params are made of, not by what they are called.

Where a jaxpr stands is spelt as the wire spells it: `jaxpr`, `branches[1]`, `jaxprs.solve`, `table['a']`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from jax.extend.core import ClosedJaxpr, Jaxpr

MAX_DEPTH = 12


class Nested(NamedTuple):
    """A jaxpr in the params of an equation: where it stands, and the values of its constvars."""

    path: str
    jaxpr: Any
    consts: tuple[Any, ...]


def nested(eqn: Any) -> list[Nested]:
    """The jaxprs in the params of an equation, in the order of the params' names."""
    return [found for name, value in sorted(eqn.params.items()) for found in _look(name, value, ())]


def _look(path: str, value: Any, above: tuple[int, ...]) -> Iterator[Nested]:
    if isinstance(value, ClosedJaxpr):
        yield Nested(path, value.jaxpr, tuple(value.consts))
    elif isinstance(value, Jaxpr):
        yield Nested(path, value, ())
    elif id(value) not in above and len(above) < MAX_DEPTH:
        for step, part in _parts(value):
            yield from _look(path + step, part, (*above, id(value)))


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, (tuple, list)):
        fields = getattr(value, "_fields", None)
        yield from ((f".{fields[i]}" if fields else f"[{i}]", part) for i, part in enumerate(value))
    elif isinstance(value, Mapping):
        yield from ((f"[{key!r}]", part) for key, part in value.items())
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{field.name}", getattr(value, field.name, None)) for field in dataclasses.fields(value))


def jaxprs(closed: Any) -> dict[int, Any]:
    """Every distinct jaxpr of a program, itself among them, by identity."""
    found: dict[int, Any] = {}
    todo = [closed.jaxpr]
    while todo:
        jaxpr = todo.pop()
        if id(jaxpr) not in found:
            found[id(jaxpr)] = jaxpr
            todo += [inner.jaxpr for eqn in jaxpr.eqns for inner in nested(eqn)]
    return found


def count_eqns(closed: Any, limit: int) -> int:
    """The equations of a program, each distinct jaxpr counted once; stops counting beyond `limit`."""
    seen, count, todo = set(), 0, [closed.jaxpr]
    while todo and count <= limit:
        jaxpr = todo.pop()
        if id(jaxpr) not in seen:
            seen.add(id(jaxpr))
            count += len(jaxpr.eqns)
            todo += [inner.jaxpr for eqn in jaxpr.eqns for inner in nested(eqn)]
    return count


def hidden(eqn: Any) -> list[str]:
    """Where a jaxpr stands that `nested` does not see: inside an object of a plain class, a closure, a partial. For finding gaps."""
    known = {id(found.jaxpr) for found in nested(eqn)}
    places: list[str] = []
    seen: set[int] = set()

    def look(path: str, value: Any, depth: int) -> None:
        if id(value) in seen or depth > 5 or isinstance(value, type):
            return
        seen.add(id(value))
        if isinstance(value, (ClosedJaxpr, Jaxpr)):
            inner = value.jaxpr if isinstance(value, ClosedJaxpr) else value
            if id(inner) not in known:
                places.append(path)
            return
        parts = list(_parts(value))
        if not parts and type(value).__module__.startswith("jax"):
            names = [*getattr(value, "__dict__", ()), *(name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ()))]
            parts = [(f".{name}", getattr(value, name, None)) for name in names]
        for step, part in parts:
            look(path + step, part, depth + 1)

    for name, value in eqn.params.items():
        look(name, value, 0)
    return places
