"""How many jobs run at once, and how many may wait.

Promises: never more than `size` inside; a caller waits a bounded time in a bounded queue, or is told that the server is busy.
"""

import threading
import time
from typing import Literal


class Admission:
    def __init__(self, size: int, queue: int) -> None:
        self._size, self._queue = size, queue
        self._changed = threading.Condition()
        self.running = 0
        self.waiting = 0

    def enter(self, timeout: float) -> Literal["entered", "full", "late"]:
        """Take a place, waiting for it at most `timeout` seconds; `full` when too many wait already. `leave` gives a place back."""
        with self._changed:
            if self.running >= self._size:
                if self.waiting >= self._queue:
                    return "full"
                self.waiting += 1
                end = time.monotonic() + timeout
                try:
                    while self.running >= self._size:
                        if not self._changed.wait(max(0.0, end - time.monotonic())) and self.running >= self._size:
                            return "late"
                finally:
                    self.waiting -= 1
            self.running += 1
            return "entered"

    def leave(self) -> None:
        with self._changed:
            self.running -= 1
            self._changed.notify()
