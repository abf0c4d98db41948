"""Calls that a paste makes in threads of its own.

They are remembered and traced after the run, in the main thread: our second run of a body must not be heard, and silence is process-wide.

Promises: the order of the calls in the source, whichever thread came first. Must never: trace, or wait for a thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import jax

from visualizer.tracing.arguments._recordable import is_array, is_number, kind_of

_leaves = jax.tree.leaves
_threads, _thread_id = threading.enumerate, threading.get_ident
_Failure = Exception
MAX_CALLS = 64
Call = tuple[str, Any, int, tuple[Any, ...], dict[str, Any]]


class Threads:
    """What was called in the threads of one run."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._calls: list[Call] = []
        self._inside = threading.local()

    def called(self, function: Any, site: int) -> Any:
        """The hook of a call in a thread. Raises what the object raises."""
        if getattr(self._inside, "now", False) or len(self._calls) >= MAX_CALLS:
            return function
        kind = kind_of(function, self._filename)
        # Threads of the runtime call host functions, which are no programs.
        if kind not in ("own", "made") or all(thread.ident != _thread_id() for thread in _threads()):
            return function
        return self._watched(kind, function, site)

    def calls(self) -> list[Call]:
        """The calls, in the order of the source."""
        return sorted(self._calls, key=lambda call: call[2])

    def _watched(self, kind: str, function: Any, site: int) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            try:
                leaves = _leaves((args, kwargs))
                through = kind == "own" and not any(is_array(leaf) or is_number(leaf) for leaf in leaves)
            except _Failure:
                through = True
            if through:
                return function(*args, **kwargs)
            self._inside.now = True
            try:
                out = function(*args, **kwargs)
            finally:
                self._inside.now = False
            self._calls.append((kind, function, site, args, kwargs))
            return out

        return watched
