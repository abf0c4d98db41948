"""Answers that were given before, the least recently used forgotten first.

Promises: never more than `limit` bytes of lines; the key is made here, from the checked request and the versions, never by the job.
Must never: keep an answer that another run might not give (a limit that was hit, a crash).
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

# Diagnostics that depend on the machine's mood. A crash is among them: out of memory inside native code looks like one.
_PASSING = (
    "cpu-limit",
    "wall-limit",
    "memory-limit",
    "result-limit",
    "output-limit",
    "crashed",
    "bad-result",
    "busy",
    "thread-limit",
    "internal",
)
_MARK = re.compile(rb'"code": ?"(?:' + "|".join(_PASSING).encode() + rb')"')


def cache_key(request: Mapping[str, Any], jax: str, version: str) -> str:
    """sha256 over everything that the answer depends on."""
    # The parameters of a function that does not say its own are given in their order.
    signature = list((request.get("signature") or {}).items())
    text = json.dumps([request, signature, jax, version], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def is_lasting(line: bytes) -> bool:
    """Whether another run would give this line again.

    Inside a JSON string a quote is written with a backslash, so such a mark cannot stand in the person's own text.
    """
    return _MARK.search(line) is None


class ResultCache:
    """Thread-safe. An answer larger than a quarter of the limit is not kept: it would push out everything else."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._lines: OrderedDict[str, tuple[bytes, ...]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        return self._size

    @property
    def largest(self) -> int:
        """Bytes of the largest answer that is kept."""
        return self._limit // 4

    def get(self, key: str) -> tuple[bytes, ...] | None:
        with self._lock:
            lines = self._lines.get(key)
            if lines is not None:
                self._lines.move_to_end(key)
            return lines

    def put(self, key: str, lines: tuple[bytes, ...]) -> None:
        size = _bytes(lines)
        if size > self.largest:
            return
        with self._lock:
            self._size += size - _bytes(self._lines.pop(key, ()))
            self._lines[key] = lines
            while self._size > self._limit:
                _, old = self._lines.popitem(last=False)
                self._size -= _bytes(old)


def _bytes(lines: tuple[bytes, ...]) -> int:
    return sum(map(len, lines))
