"""A bound on the seconds that something may take, by a signal: in the main thread, where there are signals; elsewhere there is none."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlow(BaseException):
    """The time is over. No `except Exception` in between holds it up."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raises TooSlow inside the `with` when it takes longer. A timer that ran before (pytest-timeout has one) stands still meanwhile."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow

    handler = signal.signal(signal.SIGALRM, over)
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, left, interval)
