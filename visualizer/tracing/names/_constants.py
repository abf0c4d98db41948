"""The names of concrete arrays that a program closed over: the names of the paste that lead to these very objects.

Promises: a constant has a name where one name, or one part of one, is the same object; of a NumPy array, the one that JAX took a view
of, or the only one that has these values and a type that JAX converts. Looks into tuples, lists, dicts, named tuples and the fields of
dataclasses, and where that is wished into attributes of the paste's own objects and classes, up to a cap.
Must never: run code of the paste, or choose between two globals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

_field = object.__getattribute__
_MAX_PARTS = 20_000
_MAX_DEPTH = 8
_MAX_COMPARED = 1_000_000
# (global, path in it)
Where = tuple[str, str]


def names_of(consts: Sequence[Any], names: Iterable[tuple[Any, Any]], objects: bool = False, home: str = "__main__") -> list[Where | None]:
    """For each constant the name, and the part of what it stands for, that holds it. `objects`: attributes are parts, too."""
    wanted = {id(same): index for index, const in enumerate(consts) for same in _same(const)}
    found: list[set[Where]] = [set() for _ in consts]
    arrays: list[tuple[Where, Any]] = []
    budget = [_MAX_PARTS]
    for name, value in names:
        if type(name) is str and not (name.startswith("__") and name.endswith("__")):
            for path, part in _parts(value, "", (), budget, home if objects else None):
                index = wanted.get(id(part))
                if index is not None:
                    found[index].add((name, path))
                elif type(part) is np.ndarray:
                    arrays.append(((name, path), part))
    for const, where in zip(consts, found, strict=True):
        if not where and isinstance(const, np.ndarray) and arrays:
            where.update(_converted(const, arrays))
    return [_only(where) for where in found]


def _converted(const: Any, arrays: list[tuple[Where, Any]]) -> Iterator[Where]:
    """The NumPy arrays that JAX would have made a constant of: of another type (f64 becomes f32), with these very values.

    Values that are all the same (zeros, ones) tell no array from another.
    """
    if not 1 < const.size <= _MAX_COMPARED or bool((const == const.flat[0]).all()):
        return
    for where, array in arrays:
        converts = array.shape == const.shape and array.dtype.kind == const.dtype.kind and array.dtype != const.dtype
        if converts and np.array_equal(array.astype(const.dtype), np.asarray(const), equal_nan=const.dtype.kind in "fc"):
            yield where


def _only(where: set[Where]) -> Where | None:
    """The one name; of a name of its own and a place in a container, the name of its own."""
    own = [pair for pair in where if not pair[1]]
    if len(own) == 1:
        return own[0]
    return next(iter(where)) if len(where) == 1 else None


def _same(const: Any) -> Iterator[Any]:
    """The objects of a paste that a constant stands for."""
    yield const
    if isinstance(const, np.ndarray):
        base: Any = const.base
        for _ in range(4):
            if not isinstance(base, np.ndarray):
                return
            if base.shape == const.shape and base.dtype == const.dtype and base.strides == const.strides:
                yield base
            base = base.base


def _parts(value: Any, path: str, above: tuple[int, ...], budget: list[int], objects: str | None) -> Iterator[tuple[str, Any]]:
    yield path, value
    if len(above) <= _MAX_DEPTH and id(value) not in above:
        for step, part in _steps(value) if objects is None else (*_steps(value), *_attributes(value, objects)):
            budget[0] -= 1
            if budget[0] < 0:
                return
            yield from _parts(part, path + step, (*above, id(value)), budget, objects)


def _attributes(value: Any, home: str) -> Iterator[tuple[str, Any]]:
    """The attributes of an object or a class of the paste's (of `home`) that are no fields of a dataclass; nothing that computes one."""
    kind = type(value)
    own = type.__getattribute__(value, "__module__") if isinstance(value, type) else kind.__module__
    if own != home:
        return
    owners: Any = (value,) if isinstance(value, type) else kind.__mro__
    found: dict[str, Any] = {}
    for owner in owners:
        for name, part in type.__getattribute__(owner, "__dict__").items():
            if type(part) is MemberDescriptorType and owner is not value:
                try:
                    part = part.__get__(value, kind)
                except AttributeError:
                    continue
            found.setdefault(name, part)
    if owners[0] is not value:
        computed = {name for name, part in found.items() if hasattr(type(part), "__set__")}
        held = fields_of(value)
        found |= {name: part for name, part in held.items() if name not in computed and type(name) is str}
        if "__dataclass_fields__" in kind.__dict__:  # `_steps` has them
            found = {name: part for name, part in found.items() if name not in held}
    yield from ((f".{name}", part) for name, part in found.items() if not name.startswith("__"))


def _steps(value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a container, read without anything that its class may define."""
    kind = type(value)
    fields: Any = kind.__dict__.get("_fields")
    if kind in (tuple, list):
        yield from ((f"[{index}]", part) for index, part in enumerate(value))
    elif kind is dict:
        yield from ((f"[{key!r}]", part) for key, part in value.items() if type(key) in (str, int))
    elif issubclass(kind, tuple) and type(fields) is tuple:
        yield from ((f".{field}", part) for field, part in zip(fields, tuple.__iter__(value), strict=False))
    elif not issubclass(kind, (type, ModuleType)) and type(kind.__dict__.get("__dataclass_fields__")) is dict:
        yield from ((f".{field}", part) for field, part in fields_of(value).items())


def fields_of(value: Any) -> dict[Any, Any]:
    """What an object holds by name, read without anything that its class may define; empty where it has, or shows, nothing of the kind."""
    try:
        found = _field(value, "__dict__")
    except Exception:  # a class may have none, or hide it
        return {}
    return found if type(found) is dict else {}
