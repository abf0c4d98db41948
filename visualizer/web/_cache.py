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
from typing import Any, NamedTuple

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


class Kept(NamedTuple):
    """An answer: its lines, the id of its run, and the names of the parts that it left out."""

    lines: tuple[bytes, ...]
    run: str = ""
    parts: tuple[str, ...] = ()


class ResultCache:
    """Thread-safe. An answer larger than a quarter of the limit is not kept: it would push out everything else."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._answers: OrderedDict[str, Kept] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        return self._size

    @property
    def largest(self) -> int:
        """Bytes of the largest answer that is kept."""
        return self._limit // 4

    def get(self, key: str) -> Kept | None:
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: str, answer: Kept) -> None:
        size = _bytes(answer)
        if size > self.largest:
            return
        with self._lock:
            self._size += size - _bytes(self._answers.pop(key, Kept(())))
            self._answers[key] = answer
            while self._size > self._limit:
                _, old = self._answers.popitem(last=False)
                self._size -= _bytes(old)


def _bytes(answer: Kept) -> int:
    return sum(map(len, answer.lines))
