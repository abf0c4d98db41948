"""What `_undo` remembers of each kind of object, and how that is put back.

Promises: what has not changed is not touched. Must never: call a method that the paste may have written.
"""

from __future__ import annotations

import io
import queue
import random
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

_DICTS = frozenset({dict, OrderedDict, defaultdict, Counter})
SEQUENCES = (list, set, deque, tuple)
QUEUES = frozenset({queue.Queue, queue.LifoQueue, queue.PriorityQueue})
CONTAINERS = _DICTS | frozenset(SEQUENCES)
PLAIN = frozenset({int, float, str, bytes, bool, complex, type(None), types.ModuleType, types.BuiltinFunctionType})
MAX_BYTES = 1 << 20
_MISSING = object()
_get = object.__getattribute__
Put = Callable[[Any, Any], None]
_get_random, _set_random = random.getstate, random.setstate
_get_numpy_random, _set_numpy_random = np.random.get_state, np.random.set_state


def is_own(value: Any, kind: type) -> bool:
    """Whether a class is the paste's, or an instance of one, or one of another whose state is in its attributes."""
    if isinstance(value, type):
        return bool(type.__getattribute__(value, "__module__") == "__main__")
    return kind.__module__ == "__main__" or kind in QUEUES


def random_states() -> list[tuple[Callable[[Any], None], Any]]:
    """The random states of Python and NumPy, and what puts each back."""
    return [(_set_random, _get_random()), (_set_numpy_random, _get_numpy_random())]


def slots_of(value: Any, kind: type) -> dict[str, Any]:
    """The attributes of an object that are not in its dict."""
    found: dict[str, Any] = {}
    for owner in kind.__mro__:
        names = owner.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else tuple(names):
            member = owner.__dict__.get(name)
            if type(member) is types.MemberDescriptorType:
                found[name] = member.__get__(value, kind) if _is_set(member, value, kind) else _MISSING
    return found


def _is_set(member: Any, value: Any, kind: type) -> bool:
    try:
        member.__get__(value, kind)
    except AttributeError:
        return False
    return True


def items_of(value: Any) -> Any:
    """The items of a sequence, whatever its class makes of iterating."""
    return next(base for base in SEQUENCES if isinstance(value, base)).__iter__(value)


def put_dict(target: Any, before: dict[Any, Any]) -> None:
    """The keys and values of a dict. One that threads may be reading is never empty in between, unless its order has changed."""
    if isinstance(target, OrderedDict):
        _put_ordered(target, before)
        return
    for key, value in before.items():
        if dict.get(target, key, _MISSING) is not value:
            dict.__setitem__(target, key, value)
    for key in [key for key in dict.keys(target) if key not in before]:
        dict.__delitem__(target, key)
    if list(dict.keys(target)) != list(before) and "__builtins__" not in before:
        dict.clear(target)
        dict.update(target, before)


def pairs_of(value: dict[Any, Any]) -> Any:
    """The keys and values of a dict, in its order, whatever its class makes of that."""
    return (OrderedDict if isinstance(value, OrderedDict) else dict).items(value)


def _put_ordered(target: OrderedDict[Any, Any], before: dict[Any, Any]) -> None:
    now = [*pairs_of(target)]
    if list(map(id, _flat(now))) != list(map(id, _flat(before.items()))):
        OrderedDict.clear(target)
        for key, value in before.items():
            OrderedDict.__setitem__(target, key, value)


def _flat(pairs: Iterable[tuple[Any, Any]]) -> list[Any]:
    return [part for pair in pairs for part in pair]


def put_items(target: Any, before: list[Any]) -> None:
    """The items of a list, set or deque."""
    now = [*items_of(target)]
    if len(now) == len(before) and all(one is other for one, other in zip(now, before, strict=True)):
        return
    if isinstance(target, list):
        list.__setitem__(target, slice(None), before)
    elif isinstance(target, deque):
        deque.clear(target)
        deque.extend(target, before)
    else:
        set.clear(target)
        set.update(target, before)


def put_slots(target: Any, before: dict[str, Any]) -> None:
    """The attributes of an object that are not in its dict."""
    for name, value in before.items():
        if value is not _MISSING:
            object.__setattr__(target, name, value)
        elif _get_or(target, name) is not _MISSING:
            object.__delattr__(target, name)


def _get_or(target: Any, name: str) -> Any:
    try:
        return _get(target, name)
    except AttributeError:
        return _MISSING


def put_cell(target: Any, before: Any) -> None:
    """A variable of a closure."""
    target.cell_contents = before


def put_class(owner: type, before: dict[str, Any]) -> None:
    """The attributes of a class."""
    now = dict(type.__getattribute__(owner, "__dict__"))
    for name, value in before.items():
        if now.get(name, _MISSING) is not value:
            type.__setattr__(owner, name, value)
    for name in now.keys() - before.keys():
        if not name.startswith("__"):
            type.__delattr__(owner, name)


def _array(value: Any) -> tuple[Put, Any]:
    plain = value.dtype.hasobject or value.nbytes > MAX_BYTES or not value.flags.writeable
    return (_nothing, None) if plain else (_put_array, value.copy())


def _put_array(target: Any, before: Any) -> None:
    if target.shape == before.shape and target.flags.writeable and not np.array_equal(target, before):
        target[...] = before


def _nothing(_target: Any, _before: Any) -> None:
    pass


def _put_bits(target: Any, before: Any) -> None:
    target.bit_generator.state = before


def _stream(value: Any) -> tuple[Put, Any]:
    return (_nothing, None) if value.closed else (_put_stream, value.__getstate__())


def _put_stream(target: Any, before: Any) -> None:
    if not target.closed and target.__getstate__() != before:
        target.__setstate__(before)


# What gives the state of an object of each class, with what puts it back.
STATES: dict[type, Callable[[Any], tuple[Put, Any]]] = {
    np.ndarray: _array,
    np.random.Generator: lambda value: (_put_bits, value.bit_generator.state),
    np.random.RandomState: lambda value: (np.random.RandomState.set_state, value.get_state()),
    random.Random: lambda value: (random.Random.setstate, value.getstate()),
    io.StringIO: _stream,
    io.BytesIO: _stream,
}
