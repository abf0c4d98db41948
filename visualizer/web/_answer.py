"""One running job as an iterator over lines, with everything that must be given back when it ends.

Promises: `close` ends the job (the tracer's generator is closed, which kills it) and frees its place, at whatever moment it is called.
Must never: keep an answer that ended early.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ._admission import Place


class Answer:
    """Lines of a job, each ending in one newline. `keep` gets all of them when the job ended by itself within `largest` bytes."""

    def __init__(self, lines: Iterator[bytes], place: Place, keep: Callable[[tuple[bytes, ...]], None], largest: int) -> None:
        self._source = lines
        self._place = place
        self._keep = keep
        self._left = largest
        self._seen: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            line = next(self._source).rstrip(b"\r\n") + b"\n"
        except StopIteration:
            self._place.leave()
            if self._seen:
                self._keep(tuple(self._seen))
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

    def close(self) -> None:
        self._seen = []
        try:
            close = getattr(self._source, "close", None)
            if close is not None:
                close()
        finally:
            self._place.leave()
