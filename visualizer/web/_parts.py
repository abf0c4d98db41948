"""What large answers left out, kept until it is asked for: `GET /api/v1/traces/<id>/parts/<name>`.

Promises: never more than `limit` bytes, compressed, and nothing longer than `seconds`; an id is that of one run, so that what a part says
of variables is said of those of the outline. What is gone is an error that says so (410). Must never: look into a part.
"""

from __future__ import annotations

import gzip
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from flask import Flask, Response, request

from ._errors import ApiError

# The gate writes a message anew, its fields in the order of the model: a part looks like this, and nothing else does.
_PART = re.compile(rb'\{"level":"\w+","trace":null,"patch":null,"part":\{"name":"([\w.]{1,200})"')
_NAME = re.compile(r"[\w.]{1,200}")


def name_of(line: bytes) -> str | None:
    """The name of the part that a line of an answer is, or None."""
    found = _PART.match(line)
    return found.group(1).decode() if found else None


def new_id() -> str:
    """The id of a run, which nobody can guess."""
    return secrets.token_hex(16)


class PartStore:
    """Thread-safe. Whole runs are forgotten, the one that was used longest ago first."""

    def __init__(self, limit: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._seconds = seconds
        self._clock = clock
        self._size = 0
        self._runs: OrderedDict[str, tuple[float, dict[str, bytes]]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        return self._size

    def put(self, run: str, name: str, line: bytes) -> None:
        packed = gzip.compress(line, 1)
        if len(packed) > self._limit // 2:
            return
        with self._lock:
            _, parts = self._runs.pop(run, (0.0, {}))
            self._size += len(packed) - len(parts.get(name, b""))
            parts[name] = packed
            self._runs[run] = (self._clock(), parts)
            while self._size > self._limit and len(self._runs) > 1:
                self._forget(next(iter(self._runs)))

    def get(self, run: str, name: str) -> bytes | None:
        """The part, compressed by gzip."""
        with self._lock:
            self._forget_old()
            _, parts = self._runs.get(run, (0.0, {}))
            if name in parts:
                self._runs[run] = (self._clock(), parts)
                self._runs.move_to_end(run)
            return parts.get(name)

    def has(self, run: str, names: tuple[str, ...]) -> bool:
        """Whether every one of these parts is there."""
        return all(self.get(run, name) is not None for name in names)

    def _forget_old(self) -> None:
        now = self._clock()
        while self._runs and now - next(iter(self._runs.values()))[0] > self._seconds:
            self._forget(next(iter(self._runs)))

    def _forget(self, run: str) -> None:
        _, parts = self._runs.pop(run)
        self._size -= sum(map(len, parts.values()))


def _part_response(store: PartStore, run: str, name: str) -> Response:
    found = store.get(run, name) if _NAME.fullmatch(name) else None
    if found is None:
        raise ApiError(
            410,
            "part-gone",
            "This part of the program is no longer kept here.",
            "Run the code again: the server keeps what is large for a while only.",
        )
    response = Response(mimetype="application/json")
    if request.accept_encodings["gzip"]:
        response.data = found
        response.headers["Content-Encoding"] = "gzip"
    else:
        response.data = gzip.decompress(found)
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = "no-store"
    return response


def register(app: Flask, store: PartStore) -> None:
    app.add_url_rule("/api/v1/traces/<run>/parts/<name>", "parts", lambda run, name: _part_response(store, run, name), methods=["GET"])
