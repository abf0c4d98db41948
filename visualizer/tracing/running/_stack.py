"""The stack as a paste sees it: without our frames, and with nothing below its own first one.

Promises: `sys._getframe`, what `inspect` and `traceback` say of the stack, and the line that `warnings.warn(stacklevel=...)` names, are
those of a run without us, in the paste and in what it calls.
Must never: change a frame: `f_back` leads through ours.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from visualizer.tracing._ours import is_ours

_frame, _warn, _outer = sys._getframe, warnings.warn, inspect.getouterframes
_walk: Callable[[FrameType | None], Iterator[tuple[FrameType, int]]] = traceback.walk_stack
# More than any stack has.
_BEYOND = 1 << 20


class _Seen:
    """The frames of one run that its paste sees."""

    def __init__(self, filename: str) -> None:
        self._filename = filename

    def is_first(self, frame: FrameType) -> bool:
        return frame.f_code.co_name == "<module>" and frame.f_code.co_filename == self._filename

    def around(self, frame: FrameType | None) -> Iterator[tuple[FrameType, int]]:
        """From a frame outwards, each with how many frames it is away, the hidden ones counted."""
        away = 0
        while frame is not None:
            if not is_ours(frame):
                yield frame, away
                if self.is_first(frame):
                    return
            frame, away = frame.f_back, away + 1

    def getframe(self, depth: int = 0, /) -> FrameType:
        """Return a frame object from the call stack."""
        for number, (frame, _) in enumerate(self.around(_frame(1))):
            if number >= depth:
                return frame
        raise ValueError("call stack is not deep enough")

    def walk_stack(self, f: FrameType | None) -> Iterator[tuple[FrameType, int]]:
        """Walk a stack yielding the frame and line number for each frame."""
        if f is None:  # as it is asked for through two functions of `traceback`
            return _walk(f)
        return ((frame, frame.f_lineno) for frame, _ in self.around(f))

    def getouterframes(self, frame: Any, context: int = 1) -> list[Any]:
        """Get a list of records for a frame and all higher (calling) frames."""
        shown = {id(each) for each, _ in self.around(frame)}
        return [record for record in _outer(frame, context) if id(record.frame) in shown]

    def warn(self, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **more: Any) -> None:
        """Issue a warning, or maybe ignore it or raise an exception."""
        level = max(stacklevel, 1)
        away = next((away for number, (_, away) in enumerate(self.around(_frame(1)), 1) if number == level), _BEYOND)
        _warn(message, category, away + 2, source, **more)


@contextlib.contextmanager
def stack_as_seen(filename: str) -> Iterator[None]:
    """While this lasts, the stack is shown as the code in `filename` would see it without us."""
    seen = _Seen(filename)
    shown = [(sys, "_getframe", seen.getframe), (traceback, "walk_stack", seen.walk_stack), (warnings, "warn", seen.warn)]
    shown.append((inspect, "getouterframes", seen.getouterframes))
    before = [(module, name, getattr(module, name)) for module, name, _ in shown]
    for module, name, value in shown:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
