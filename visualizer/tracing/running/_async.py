"""`asyncio` where a process may not make sockets.

An event loop wakes itself through a pair of sockets, and the sandbox refuses sockets; a pipe does the same.

Promises: an event loop starts and ends as it would elsewhere. Must never: be used where sockets are allowed.
"""

from __future__ import annotations

import os
from typing import Any

_read, _write, _close = os.read, os.write, os.close


class _End:
    """One end of a pipe that behaves like a socket, as far as an event loop asks."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def recv(self, size: int) -> bytes:
        return _read(self._descriptor, size)

    def send(self, data: bytes) -> int:
        return _write(self._descriptor, data)

    def close(self) -> None:
        if self._descriptor >= 0:
            _close(self._descriptor)
            self._descriptor = -1


def ready() -> None:
    """Let event loops start without sockets. Imports asyncio."""
    from asyncio.selector_events import BaseSelectorEventLoop as Loop

    original = Loop._make_self_pipe  # type: ignore[attr-defined]
    if getattr(original, "without_sockets", False):
        return

    def _make_self_pipe(self: Any) -> None:
        try:
            original(self)
        except PermissionError:
            reading, writing = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            self._ssock, self._csock = _End(reading), _End(writing)
            self._internal_fds += 1
            self._add_reader(self._ssock.fileno(), self._read_from_self)

    _make_self_pipe.without_sockets = True  # type: ignore[attr-defined]
    Loop._make_self_pipe = _make_self_pipe  # type: ignore[attr-defined]
