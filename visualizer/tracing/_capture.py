"""What a paste prints: stdout and stderr together, in order, up to a cap.

Promises: a stream that `print`, `sys.stdout.buffer` and libraries can use like the real one; what is over the cap costs nothing.
Must never: fail on text that cannot be encoded, or reach the process's own streams.
"""

from __future__ import annotations

import contextlib
import io
import sys
import threading
from collections.abc import Iterator
from typing import Any

from ._ours import without_our_frames, without_paths

MAX_BYTES = 64 * 1024
_thread_id = threading.get_ident
# The threads that print what nobody is to see.
_unheard: list[int] = []


class _Sink(io.RawIOBase):
    """Collects bytes up to the cap; counts the rest."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.parts: list[bytes] = []
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        view = bytes(data)
        if _unheard and _thread_id() in _unheard:
            return len(view)
        room = self.limit - self.size
        if room > 0:
            self.parts.append(view[:room])
        self.size += len(view)
        return len(view)


class Capture:
    """Two streams, `out` and `err`, that write to one place."""

    def __init__(self, limit: int = MAX_BYTES) -> None:
        self._sink = _Sink(limit)
        self.out, self.err = self._stream("<stdout>"), self._stream("<stderr>")

    def _stream(self, name: str) -> io.TextIOWrapper:
        # A shared sink must survive the paste closing one of its streams.
        raw = _Door(self._sink)
        stream = io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="\n", write_through=True)
        raw.name = name
        return stream

    def write(self, text: str) -> None:
        """Add a text of ours in its place."""
        self._sink.write(text.encode("utf-8", "backslashreplace"))

    def result(self) -> dict[str, Any]:
        """The wire Output."""
        truncated = self._sink.size > self._sink.limit
        data = b"".join(self._sink.parts)
        text = data.decode("utf-8", "ignore" if truncated else "replace")
        return {"text": without_paths(without_our_frames(text)), "truncated": truncated}


class _Door(io.RawIOBase):
    """One stream's own way into the shared sink."""

    name: str

    def __init__(self, sink: _Sink) -> None:
        super().__init__()
        self._target = sink

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        return self._target.write(data)


def is_ours(stream: io.TextIOWrapper) -> bool:
    """Whether a stream is one that a paste was given, or the process's own."""
    return stream in _STANDARD or type(stream.buffer) is _Door


_STANDARD = (sys.__stdout__, sys.__stderr__)


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """What this thread prints meanwhile is not kept, whoever holds the stream (a handler of `logging`)."""
    me = _thread_id()
    _unheard.append(me)
    try:
        yield
    finally:
        _unheard.remove(me)


def silence() -> io.TextIOWrapper:
    """A stream that keeps nothing."""
    return io.TextIOWrapper(_Door(_Sink(0)), encoding="utf-8", errors="backslashreplace", write_through=True)
