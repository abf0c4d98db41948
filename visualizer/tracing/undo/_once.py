"""What a second run of a function must not touch itself: generators, iterators, files, connections, caches. It gets stand-ins.

Promises: a copy where there can be one, as it was when it was looked at, the same wherever it is met, also by another that goes through it
(`zip(it, it)`); else a stand-in that gives nothing and notes that it was asked.
"""

from __future__ import annotations

import contextlib
import contextvars
import copy
import functools
import hashlib
import io
import itertools
import os
import queue
import types
from collections.abc import Callable
from typing import Any

import jax
from numpy.random import SeedSequence

from visualizer.tracing._capture import is_ours

from ._caches import Cache, Wrapper
from ._generators import generator_again

# Their copies go on from where they are, over the very same items.
_COPIED = frozenset({type(iter([])), type(iter(())), type(iter(range(0))), type(iter("")), type(reversed([]))})
_EMPTY: dict[Any, Any] = {}
_OF_DICTS = [way(part) for part in (_EMPTY.keys(), _EMPTY.values(), _EMPTY.items()) for way in (iter, reversed)]
# Made again of what they go through, and where they are in it.
_MADE_AGAIN = frozenset(
    {itertools.count, itertools.cycle, itertools.chain, itertools.islice, itertools.repeat, itertools.takewhile, itertools.dropwhile}
    | {itertools.starmap, itertools.product, itertools.permutations, itertools.combinations, zip, map, filter, enumerate}
    | {itertools.accumulate, itertools.zip_longest, itertools.groupby, itertools.compress, itertools.filterfalse}
    | {itertools.combinations_with_replacement, type(iter(set())), type(iter(b"")), type(iter(bytearray())), type(iter(int, 1))}
    | {type(iter(range(1 << 70))), *map(type, _OF_DICTS)}
)
# They say themselves how they are copied.
_TWINS: dict[type, Callable[[Any], Any]] = {
    contextvars.Context: contextvars.Context.copy,
    **{type(made): type(made).copy for made in (hashlib.sha256(), hashlib.blake2b(), hashlib.blake2s())},
    SeedSequence: lambda value: SeedSequence(**value.state),
}
_TAKEN_FROM = frozenset({queue.SimpleQueue, types.CoroutineType})
# Of these modules every object is tied to something outside of the process, or to another of them.
_TIED = frozenset({"sqlite3", "_sqlite3", "socket", "_socket", "mmap", "subprocess"})
# Functions that take from what the process has open, or give to it.
_OUTSIDE = frozenset({os.read, os.readv, os.write, os.writev, os.lseek, os.pipe, os.dup, os.dup2, os.close, os.fork, os.kill, os.system})
# They have a state of their own that is put back.
_STREAMS = frozenset({io.StringIO, io.BytesIO})
_METHOD, _BUILTIN, _PARTIAL = types.MethodType, types.BuiltinMethodType, functools.partial
_COMPOSITE = frozenset({tuple, _METHOD, _BUILTIN, _PARTIAL, staticmethod, classmethod, property})
_copy_context = contextvars.copy_context
_map, _update_wrapper = jax.tree.map, functools.update_wrapper
MAX_PARTS = 100
MAX_DEPTH = 4


class OnceError(Exception):
    """A function takes from something that gives each value once."""

    def __init__(self) -> None:
        super().__init__("It takes from a generator, an iterator, a file or a connection, and those give each value only once.")


class Once:
    """The stand-ins of a second run, and whether anything was asked for a value that it gives only once."""

    def __init__(self) -> None:
        self.asked = False
        self._open = False
        self._seeds: dict[int, tuple[Any, Any]] = {}
        self._made: dict[int, tuple[Any, Any]] = {}
        self._copies: dict[int, tuple[Any, Any]] = {}
        self._context = _copy_context()

    def begin(self) -> None:
        """Another run: nothing was taken yet."""
        self.end()
        self.asked, self._open = False, True

    def end(self) -> None:
        """The run is over: a generator that it left in the middle ends now, while nothing of that is seen or heard."""
        for _, made in self._copies.values():
            if type(made) is types.GeneratorType:
                with contextlib.suppress(BaseException):
                    made.close()
        self._made.clear()
        self._copies.clear()
        self._open = False

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function with the context variables of then; what it makes of them is not seen afterwards."""
        return self._context.copy().run(function, *args, **kwargs)

    def keeps(self, value: Any, depth: int = 0) -> bool:
        """Look at a value: whether it has a stand-in, or holds one that has."""
        kind = type(value)
        if kind in _COMPOSITE:
            found = [self.keeps(part, depth + 1) for part in _parts(value, kind)] if depth < MAX_DEPTH else []
            return True in found  # all of them were looked at
        if id(value) in self._seeds:
            return True
        if kind is Wrapper:
            self._seeds[id(value)] = (value, Cache(value))
        elif is_once(value):
            _again(value, self, self._seeds)
        else:
            return False
        return True

    def of(self, value: Any, depth: int = 0) -> Any:
        """What a second run sees in place of a value: the value itself, if that needs no stand-in."""
        kind = type(value)
        if kind in _COMPOSITE:
            if kind is _BUILTIN and value in _OUTSIDE:
                return _StandIn(self)
            return value if depth >= MAX_DEPTH else self._composite(value, kind, depth)
        if kind is not Wrapper and id(value) not in self._seeds:
            return value
        made = self._made.get(id(value))
        if made is None:
            if id(value) not in self._seeds:
                self.keeps(value)
            seed = self._seeds[id(value)][1]
            made = self._made[id(value)] = (value, seed.again() if type(seed) is Cache else _again(seed, self, self._copies))
            self._made[id(made[1])] = (made[1], made[1])
        return made[1]

    def renewed(self, value: Any) -> Any:
        """What a call sees in place of an argument: in the second run what it sees everywhere, later as it was before the first."""
        if not is_once(value):
            return value
        return self.of(value) if self._open else _again(self._seeds[id(value)][1], self, {})

    def _composite(self, value: Any, kind: type, depth: int) -> Any:
        parts = _parts(value, kind)
        made = [self.of(part, depth + 1) for part in parts]
        if all(one is other for one, other in zip(parts, made, strict=True)):
            return value
        if kind is _BUILTIN:
            return made[0] if type(made[0]) is _StandIn else getattr(made[0], value.__name__)
        if kind is _PARTIAL:
            count = len(value.args)
            again = _PARTIAL(made[0], *made[1 : 1 + count], **dict(zip(value.keywords, made[1 + count :], strict=True)))
            vars(again).update(vars(value))
            return again
        return tuple(made) if kind is tuple else kind(*made)


def _parts(value: Any, kind: type) -> tuple[Any, ...]:
    if kind is tuple:
        return value if len(value) <= MAX_PARTS else ()
    if kind is _METHOD:
        return (value.__func__, value.__self__)
    if kind is _BUILTIN:  # `scale.cache_info`, `lines.readline`
        owner = value.__self__
        return (owner,) if type(owner) is Wrapper or is_once(owner) else ()
    if kind is _PARTIAL:
        return (value.func, *value.args, *value.keywords.values())
    return (value.fget, value.fset, value.fdel, value.__doc__) if kind is property else (value.__func__,)


class _StandIn:
    """In the place of what gives each value once, while the function that takes from it is run again."""

    def __init__(self, once: Once) -> None:
        object.__setattr__(self, "_once", once)

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        object.__getattribute__(self, "_once").asked = True
        raise OnceError

    def __getattr__(self, _name: str) -> Any:
        return self.__next__()

    def __call__(self, *_: Any, **__: Any) -> Any:
        return self.__next__()

    def __enter__(self) -> Any:
        return self.__next__()

    def __exit__(self, *_: object) -> None:
        pass


def with_again(function: Callable[..., Any], once: Once) -> Callable[..., Any]:
    """The function, which finds in its arguments what it found there when it was first called, however often it is."""

    def again(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = _map(once.renewed, (args, kwargs), is_leaf=is_once)
        return function(*args, **kwargs)

    with contextlib.suppress(Exception):
        _update_wrapper(again, function)
    return again


def is_once(value: Any) -> bool:
    """Whether a value is no object of the paste's, and gives each value only once."""
    kind = type(value)
    if kind in _STREAMS or kind.__module__ == "__main__" or (kind is io.TextIOWrapper and is_ours(value)):
        return False
    return hasattr(kind, "__next__") or kind in _TAKEN_FROM or kind in _TWINS or kind.__module__ in _TIED


def _again(value: Any, once: Once, known: dict[int, tuple[Any, Any]]) -> Any:
    """An iterator that goes on from where this one is, as this one will; else what notes that it was asked. Once for each: see `known`."""
    if id(value) not in known:
        known[id(value)] = (value, _made_again(value, once, known))
    return known[id(value)][1]


def _made_again(value: Any, once: Once, known: dict[int, tuple[Any, Any]]) -> Any:
    kind = type(value)
    if kind is _StandIn:
        return value
    if kind in _COPIED:
        return copy.copy(value)
    if kind in _TWINS:
        return _TWINS[kind](value)
    try:
        if kind is types.GeneratorType:
            made = generator_again(value, lambda part: _again(part, once, known) if is_once(part) else part)
            return _StandIn(once) if made is None else made
        if kind in _MADE_AGAIN:
            maker, given, *more = value.__reduce__()
            made = maker(*(_again(part, once, known) if is_once(part) else part for part in given))
            for state in more:
                made.__setstate__(_state_again(state, once, known))
            return made
    except Exception:  # of a Python that cannot say where an iterator is
        return _StandIn(once)
    return _StandIn(once)


def _state_again(state: Any, once: Once, known: dict[int, tuple[Any, Any]]) -> Any:
    """The state of an iterator, with iterators and lists of its own."""
    if type(state) is tuple:
        return tuple(_state_again(part, once, known) for part in state)
    if type(state) is list:
        return [*state]
    return _again(state, once, known) if is_once(state) else state
