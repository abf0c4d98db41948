"""What wrappers of `functools.lru_cache` hold, and stand-ins that hold the same while a function is run again.

Promises: a stand-in has the entries, their order and the counts that its wrapper had when it was looked at; what is asked of the stand-in
leaves the wrapper as it is.
Must never: ask the wrapper for a value.
"""

from __future__ import annotations

import functools
import gc
import types
from typing import Any

Wrapper: Any = type(functools.lru_cache(maxsize=1)(len))
_info = Wrapper.cache_info
_lru_cache = functools.lru_cache
_clear = Wrapper.cache_clear
_referents = gc.get_referents
# What is larger is not copied: a second run then finds it empty.
MAX_ENTRIES = 10_000
_probe = functools.lru_cache(maxsize=None)(lambda **_: None)
_probe(a=1)


def _table_of(wrapper: Any) -> dict[Any, Any]:
    """The table of a wrapper: by key, its results or what they hang on."""
    size, own = _info(wrapper).currsize, wrapper.__dict__
    return next((part for part in _referents(wrapper) if type(part) is dict and part is not own and len(part) == size), {})


# What stands between the positional arguments of a key and those by name.
_MARK = next(iter(_table_of(_probe)))[0]


class Cache:
    """What a wrapper holds, oldest first, and how often it was asked."""

    def __init__(self, wrapper: Any) -> None:
        self._wrapper = wrapper
        self._info = _info(wrapper)
        self.entries = _entries(wrapper) if self._info.currsize <= MAX_ENTRIES else []

    def again(self) -> Any:
        """A stand-in with the same entries and counts."""
        wrapper, info = self._wrapper, self._info
        typed = _is_typed(wrapper)
        given: list[Any] = []
        function = wrapper.__wrapped__

        def fill_or_call(*args: Any, **kwargs: Any) -> Any:
            return given.pop() if given else function(*args, **kwargs)

        made = _lru_cache(info.maxsize, typed)(fill_or_call)
        for key, result in self.entries:
            args, kwargs = _call_of(key, typed)
            given[:] = [result]
            made(*args, **kwargs)
        given.clear()
        vars(made).update(vars(wrapper))
        _count_on(made, info)
        return made


def _count_on(made: Any, info: Any) -> None:
    """Let a stand-in say the counts of its wrapper, and go on from there."""
    now = _info(made)
    more = [info.hits - now.hits, info.misses - now.misses]

    def cache_info() -> Any:
        now = _info(made)
        return type(now)(now.hits + more[0], now.misses + more[1], now.maxsize, now.currsize)

    def cache_clear() -> None:
        more[:] = [0, 0]
        _clear(made)

    vars(made).update(cache_info=cache_info, cache_clear=cache_clear)


def _is_typed(wrapper: Any) -> bool:
    said = wrapper.__dict__.get("cache_parameters")
    return type(said) is types.FunctionType and said.__module__ == "functools" and bool(said()["typed"])


def _entries(wrapper: Any) -> list[tuple[Any, Any]]:
    """The keys and results of a wrapper, oldest first."""
    table = _table_of(wrapper)
    if _info(wrapper).maxsize is None:
        return [*table.items()]
    keys, parts = {id(key) for key in table}, iter(_referents(wrapper))
    found: list[tuple[Any, Any]] = []
    for part in parts:
        if len(found) == len(table):
            break
        if id(part) in keys:
            found.append((part, next(parts)))
    return found


def _call_of(key: Any, typed: bool) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments that have a key."""
    if type(key) is not tuple:
        return (key,), {}
    marked = next((at for at, part in enumerate(key) if part is _MARK), None)
    if marked is None:
        return (key[: len(key) // 2] if typed else key), {}
    pairs = key[marked + 1 :]
    if typed:  # their types follow, and those of the arguments before
        pairs = pairs[: (len(pairs) - marked) // 3 * 2]
    return key[:marked], dict(zip(pairs[::2], pairs[1::2], strict=True))
