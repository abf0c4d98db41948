"""The way up the frames, from where something happened to the paste.

Must never: go on without end: a paste may call itself a thousand times.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

_frame = sys._getframe
MAX_FRAMES = 500


def nearest(wanted: Callable[[FrameType], bool]) -> FrameType | None:
    """The innermost frame around the caller of the caller that is wanted; None where there is none, or it is too far."""
    frame: FrameType | None = _frame(2)
    for _ in range(MAX_FRAMES):
        if frame is None or wanted(frame):
            return frame
        frame = frame.f_back
    return None
