"""What `_undo` remembers of each kind of object, and how that is put back.

Promises: what has not changed is not touched. Must never: call a method that the paste may have written.
"""

from __future__ import annotations

import array
import contextlib
import io
import queue
import random
import sys
import threading
import types
import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

_DICTS = frozenset({dict, OrderedDict, defaultdict, Counter})
SEQUENCES = (list, set, deque, tuple)
QUEUES = frozenset({queue.Queue, queue.LifoQueue, queue.PriorityQueue})
CONTAINERS = _DICTS | frozenset(SEQUENCES)
PLAIN = frozenset({int, float, str, bytes, bool, complex, type(None)})
# Modules of Python's library whose objects keep a state in attributes.
_STATEFUL = frozenset(
    {"collections", "contextlib", "functools", "logging", "queue", "threading", "_thread", "types", "unittest", "weakref", "_weakrefset"}
)
MAX_BYTES = 1 << 20
_MISSING = object()
_get = object.__getattribute__
Put = Callable[[Any, Any], None]


def is_own(value: Any, kind: type) -> bool:
    """Whether a class is the paste's, or an instance of one, or one of another whose state is in its attributes."""
    if isinstance(value, type):
        return is_written_in(type.__getattribute__(value, "__module__"))
    return is_written_in(kind.__module__) or (kind.__module__.partition(".")[0] in _STATEFUL and kind is not threading.Thread)


def is_written_in(module: Any) -> bool:
    """Whether a module of this name is the paste's: its own, or one that it made."""
    if module == "__main__":
        return True
    if type(module) is not str or module in _IMPORTED:
        return False
    found = sys.modules.get(module) or sys.modules.get(module.partition(".")[0])
    if found is not None and getattr(found, "__spec__", None) is not None:
        _IMPORTED.add(module)
        return False
    return True


_IMPORTED = {"builtins"}


def is_written(names: dict[str, Any]) -> bool:
    """Whether a function with these globals is the paste's."""
    return names.get("__name__") == "__main__" or names.get("__spec__") is None


def keeps_state(function: Any) -> bool:
    """Whether a function is one of Python's library that keeps a state in its closure (`functools.singledispatch`)."""
    return function.__globals__.get("__name__") in _STATEFUL


def state_of(kind: type) -> Callable[[Any], tuple[Put, Any]] | None:
    """What gives the state of the objects of a class, for those that keep one outside of their attributes."""
    found = STATES.get(kind)
    if found is None and kind.__module__ == "__main__":
        return next((STATES[base] for base in kind.__mro__ if base in STATES), None)
    return found


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


def put_cell(target: Any, before: list[Any]) -> None:
    """A variable of a closure."""
    target.cell_contents = before[0]


def put_defaults(target: Any, before: list[Any]) -> None:
    """The default arguments of a function."""
    if any(one is not other for one, other in zip(target.__defaults__ or (), before, strict=False)):
        target.__defaults__ = tuple(before)


def put_class(owner: type, before: dict[str, Any]) -> None:
    """The attributes of a class."""
    now = dict(type.__getattribute__(owner, "__dict__"))
    for name, value in before.items():
        if now.get(name, _MISSING) is not value:
            type.__setattr__(owner, name, value)
    for name in now.keys() - before.keys():
        if not name.startswith("__"):
            type.__delattr__(owner, name)


class _Nothing:
    """What a class is of that is of no other class any more."""


def _nothing_like(owner: type) -> type:
    """The same for what was of `owner`: Python exchanges bases only where they, and what they are of, are laid out alike."""
    bases = type.__getattribute__(owner, "__bases__")
    if bases == (object,) or any(is_own(base, type(base)) for base in owner.__mro__[1:]):
        return _Nothing
    return type.__new__(type(owner), "_Nothing", bases, {})


# What a class was made of before it was taken from one of its bases.
_bases: weakref.WeakKeyDictionary[type, tuple[type, ...]] = weakref.WeakKeyDictionary()


def put_subclasses(owner: type, before: list[type]) -> None:
    """The classes that are made of a class (`__subclasses__`): those that came are taken from it, those that went come back."""
    now: list[type] = type.__subclasses__(owner)
    for made in now:
        if not any(made is one for one in before):
            bases = type.__getattribute__(made, "__bases__")
            with contextlib.suppress(TypeError):  # of another layout: it stays until it is collected
                nothing = _nothing_like(owner)
                type.__setattr__(made, "__bases__", tuple([nothing if base is owner else base for base in bases]))
                _bases[made] = bases
    for made in before:
        if made in _bases and not any(made is one for one in now):
            type.__setattr__(made, "__bases__", _bases.pop(made))


def _array(value: Any) -> tuple[Put, Any]:
    plain = value.nbytes > MAX_BYTES or not value.flags.writeable
    return (_nothing, None) if plain else (_put_array, value.copy())


def _put_array(target: Any, before: Any) -> None:
    # Objects are not compared: that would call them.
    if target.shape == before.shape and target.flags.writeable and (before.dtype.hasobject or target.tobytes() != before.tobytes()):
        target[...] = before


def _row(value: Any) -> tuple[Put, Any]:
    return (_nothing, None) if len(value) > MAX_BYTES else (_put_row, value[:])


def _put_row(target: Any, before: Any) -> None:
    if target != before:
        target[:] = before


def _view(value: Any) -> tuple[Put, Any]:
    plain = value.readonly or value.nbytes > MAX_BYTES or not value.c_contiguous
    return (_nothing, None) if plain else (_put_view, value.tobytes())


def _put_view(target: Any, before: bytes) -> None:
    if target.tobytes() != before:
        target.cast("B")[:] = before


def _put_lock(target: Any, before: bool) -> None:
    if target.locked() and not before:
        target.release()
    elif before and not target.locked():
        target.acquire(blocking=False)


def _nothing(_target: Any, _before: Any) -> None:
    pass


def _put_bits(target: Any, before: Any) -> None:
    target.bit_generator.state = before


def _put_state(target: Any, before: Any) -> None:
    target.state = before


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
    bytearray: _row,
    array.array: _row,
    memoryview: _view,
    type(threading.Lock()): lambda value: (_put_lock, value.locked()),
    **{
        kind: lambda value: (_put_state, value.state)
        for kind in (np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64)
    },
    io.StringIO: _stream,
    io.BytesIO: _stream,
}
