"""Calls of the paste's own coroutine functions (`await step(w, x)`).

A call only makes the coroutine; an event loop runs it, between others. So such calls are remembered, and each is traced when the run is
over, by running it to its end in an event loop of its own.

Promises: calls in the order in which they were made, without those that another of them made. Must never: keep a coroutine alive, or start
one that the paste did not.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from ._frames import nearest

_update_wrapper = functools.update_wrapper
MAX_CALLS = 64
# (kind, function, site, args, kwargs)
Call = tuple[str, Any, int, tuple[Any, ...], dict[str, Any]]


class Coroutines:
    """What coroutines were made in one run, and what they were made by."""

    def __init__(self) -> None:
        self.calls: list[tuple[Call, Any]] = []
        """Each with what its state before it is known by."""
        self._made: list[weakref.ref[Any]] = []
        self._plain: dict[Any, Callable[..., Any]] = {}

    def running(self) -> int | None:
        """The number of the one that is running now, and makes what is made now."""
        frames: dict[int, int] = {}
        for number, made in enumerate(self._made):
            coroutine = made()
            if coroutine is not None and coroutine.cr_frame is not None:
                frames[id(coroutine.cr_frame)] = number
        return frames.get(id(nearest(lambda frame: id(frame) in frames))) if frames else None

    def add(self, call: Call, before: Any, coroutine: Any) -> None:
        """Remember a call and the coroutine that it made."""
        if len(self.calls) < MAX_CALLS:
            self.calls.append((call, before))
            self._made.append(weakref.ref(coroutine))

    def plain(self, function: Any) -> Callable[..., Any]:
        """A function that gives what the coroutine of `function` returns; the same for the same."""
        known = self._plain.get(function)
        if known is None:
            known = self._plain[function] = _to_the_end(function)
        return known


def _to_the_end(function: Any) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        from asyncio import new_event_loop

        loop = new_event_loop()
        try:
            return loop.run_until_complete(function(*args, **kwargs))
        finally:
            loop.close()

    return _update_wrapper(run, function)
