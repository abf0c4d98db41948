"""What can be gone through only once: generators, iterators, files, simple queues. Our second run of a function must not take from them.

Promises: a copy where there can be one, at the very place; else a stand-in that gives nothing and notes that it was asked.
"""

from __future__ import annotations

import copy
import io
import queue
import types
from typing import Any

# Their copies go on from where they are, over the very same items.
_COPIED = frozenset({type(iter([])), type(iter(())), type(iter(range(0))), type(iter("")), type(reversed([]))})
# They have a state of their own that is put back.
_STREAMS = frozenset({io.StringIO, io.BytesIO})


class OnceError(Exception):
    """A function takes from something that gives each value once."""

    def __init__(self) -> None:
        super().__init__("It takes from a generator, an iterator or a file, and those give each value only once.")


class Once:
    """Whether anything was asked for a value that it gives only once."""

    asked = False


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

    def __enter__(self) -> Any:
        return self.__next__()

    def __exit__(self, *_: object) -> None:
        pass


def is_once(value: Any) -> bool:
    """Whether a value is no object of the paste's, and gives each value only once."""
    kind = type(value)
    if kind in _STREAMS or kind.__module__ == "__main__":
        return False
    return hasattr(kind, "__next__") or kind is queue.SimpleQueue or kind is types.CoroutineType


def stand_in(value: Any, once: Once) -> Any:
    """What a second run sees in place of a value: the value itself, if it can be gone through again."""
    if not is_once(value):
        return value
    return copy.copy(value) if type(value) in _COPIED else _StandIn(once)
