"""How often one client may do something that lasts.

Promises: `count` at once, and as many again in `seconds`, evenly; the least recent clients are forgotten beyond `MOST_CLIENTS`.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

MOST_CLIENTS = 10_000


class Rate:
    """Thread-safe. `count` None allows everything."""

    def __init__(self, count: int | None, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        # What each client has left, and when that was counted.
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Zero, and one is taken; else the seconds until there is one again."""
        if self._count is None:
            return 0.0
        if self._count <= 0:
            return self._seconds
        now = self._clock()
        with self._lock:
            left, then = self._left.pop(client, (float(self._count), now))
            left = min(float(self._count), left + (now - then) * self._count / self._seconds)
            allowed = left >= 1
            self._left[client] = (left - 1 if allowed else left, now)
            if len(self._left) > MOST_CLIENTS:
                self._left.popitem(last=False)
        return 0.0 if allowed else (1 - left) * self._seconds / self._count
