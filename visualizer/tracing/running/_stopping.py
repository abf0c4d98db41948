"""Where the paste is when its time is over.

The kernel says so by SIGXCPU when the processor time is used up, the sandbox by SIGVTALRM when the longest wait is over. The process has
a moment left then, and answers with what it knows: the line, what was printed, the programs that were found.

Promises: the paste cannot catch it: nothing is raised, the process answers and ends. A paste that takes the signals for itself is killed.
Must never: be switched on in a process without a processor limit, or while a message is being written.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Literal

Code = Literal["cpu-limit", "wall-limit"]
_signal, _default, _ignore = signal.signal, signal.SIG_DFL, signal.SIG_IGN
_CODES: dict[int, Code] = {signal.SIGXCPU: "cpu-limit", signal.SIGVTALRM: "wall-limit"}
_leave, _kill, _pid = os._exit, os.kill, os.getpid
_set_trace, _set_profile = sys.settrace, sys.setprofile
_depth, _set_depth = sys.getrecursionlimit, sys.setrecursionlimit
_FRAMES = 1000


@contextlib.contextmanager
def answering_when_stopped(answer: Callable[[Code, FrameType | None], None]) -> Iterator[None]:
    """While this lasts, `answer(code, frame)` is called at the end of the time, with the frame it came in, and the process ends."""

    def stop(number: int, frame: FrameType | None) -> None:
        _handle(_ignore)  # SIGXCPU comes again each second
        try:
            _set_trace(None)
            _set_profile(None)
            _set_depth(_depth() + _FRAMES)
            answer(_CODES[number], frame)
        except BaseException:  # without an answer of ours the sandbox gives its own
            _handle(_default)
            _kill(_pid(), number)
        _leave(0)

    if resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY:
        yield
        return
    try:
        _handle(stop)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        _handle(_default)


def _handle(handler: Any) -> None:
    for number in _CODES:
        _signal(number, handler)
