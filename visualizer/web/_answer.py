"""One running job as an iterator over lines, with everything that must be given back when it ends.

Promises: what the job left out of its lines goes to `leave`, not to the reader; `close` ends the job (the tracer's generator is closed,
which kills it) and frees its place, at whatever moment it is called.
Must never: keep an answer that ended early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ._admission import Place
from ._parts import name_of


class Answer:
    """Lines of a job, each ending in one newline.

    `leave` gets each part, by its name. `keep` gets the lines and the names of the parts when the job ended by itself within `largest`
    bytes.
    """

    def __init__(
        self,
        lines: Iterator[bytes],
        place: Place,
        keep: Callable[[tuple[bytes, ...], tuple[str, ...]], None],
        largest: int,
        leave: Callable[[str, bytes], None],
    ) -> None:
        self._source = lines
        self._place = place
        self._keep = keep
        self._left = largest
        self._leave = leave
        self._seen: list[bytes] = []
        self._parts: list[str] = []

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of those that were left so far."""
        return tuple(self._parts)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            line = self._next_line()
        except StopIteration:
            self._place.leave()
            if self._seen:
                self._keep(tuple(self._seen), self.parts)
                self._seen = []
            raise
        except BaseException:
            self.close()
            raise
        self._left -= len(line)
        if self._left >= 0:
            self._seen.append(line)
        else:
            # Too large to keep: then it need not be held either.
            self._seen = []
        return line

    def _next_line(self) -> bytes:
        while True:
            line = next(self._source).rstrip(b"\r\n") + b"\n"
            part = name_of(line)
            if part is None:
                return line
            self._parts.append(part)
            self._leave(part, line)

    def close(self) -> None:
        self._seen = []
        try:
            close = getattr(self._source, "close", None)
            if close is not None:
                close()
        finally:
            self._place.leave()
