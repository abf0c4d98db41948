"""Files that our second run of a function writes, made again what they were.

Promises: what was there and is small enough has its bytes again, what was not there is gone; a path is looked at before it is first opened.
Must never: keep an operation of the paste's from happening, or raise into it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MAX_BYTES = 1 << 20
MAX_PATHS = 100
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Which arguments of an event are paths that it changes.
_CHANGED = {"os.mkdir": 1, "os.remove": 1, "os.rmdir": 1, "os.rename": 2, "os.truncate": 1, "os.link": 2, "os.symlink": 2}
_thread_id = threading.get_ident
_MISSING, _FOLDER = object(), object()


class _Watch:
    """The paths that one thread is about to change, and what is there."""

    listens = False

    def __init__(self) -> None:
        self.thread = 0
        self.found: dict[str, Any] | None = None

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """An audit event of Python's: it happens next."""
        if self.found is None or self.thread != _thread_id():
            return
        if event == "open":
            paths: tuple[Any, ...] = args[:1] if type(args[2]) is int and args[2] & _WRITES else ()
        else:
            paths = args[: _CHANGED.get(event, 0)]
        for path in paths:
            if isinstance(path, (str, bytes, os.PathLike)):
                self._look(os.fsdecode(path))

    def _look(self, path: str) -> None:
        found = self.found
        if found is None or len(found) >= MAX_PATHS:
            return
        with contextlib.suppress(Exception):
            path = os.path.abspath(path)  # noqa: PTH100 - of a path that may not be there
            if path not in found:
                self.found = None  # what we open ourselves is not asked for
                found[path] = _bytes_of(Path(path))
        self.found = found


_watch = _Watch()


def _bytes_of(path: Path) -> Any:
    """What is at a path; None where it cannot be put back."""
    if not path.exists():
        return _MISSING
    if path.is_dir():
        return _FOLDER
    return path.read_bytes() if path.is_file() and path.stat().st_size <= MAX_BYTES else None


@contextlib.contextmanager
def files_kept() -> Iterator[None]:
    """What this thread writes to files meanwhile is not there afterwards."""
    if not _Watch.listens:
        sys.addaudithook(_watch.hear)
        _Watch.listens = True
    _watch.thread, _watch.found = _thread_id(), {}
    try:
        yield
    finally:
        found, _watch.found = _watch.found or {}, None
        for path, before in reversed([*found.items()]):
            with contextlib.suppress(OSError):
                _put(Path(path), before)


def _put(path: Path, before: Any) -> None:
    now = _bytes_of(path)
    if before is None or now is before or (type(now) is bytes and now == before):
        return
    if before is _MISSING:
        if now is _FOLDER:
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
    elif before is _FOLDER:
        path.mkdir()
    else:
        path.write_bytes(before)
