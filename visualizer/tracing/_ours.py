"""Our own frames, which are between the person's in tracebacks and which nobody should see.

Promises: a traceback that the paste prints reads as it would without us. Must never: touch any other text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import FrameType

FOLDER = str(Path(__file__).resolve().parent.parent) + os.sep
_PRINTED = re.compile(
    r'^[ \t|+]*File "' + re.escape(FOLDER) + r'[^"\n]*", line \d+, in [^\n]*\n(?:[ \t|+]{4,}[^\n]*\n)*?(?=[ \t|+]*File "|\S|$)',
    re.MULTILINE,
)


_SITE = re.compile(r"(?:/[^\s/'\"]+)*/site-packages/")
_PYTHON = re.compile(r"(?:/[^\s/'\"]+)+/lib/python3\.\d+/")


def is_ours(frame: FrameType) -> bool:
    """Whether a frame is of our code."""
    return frame.f_code.co_filename.startswith(FOLDER)


def without_our_frames(text: str) -> str:
    """A text that the paste printed, without our frames in the tracebacks in it."""
    return _PRINTED.sub("", text) if FOLDER in text else text


def without_paths(text: str) -> str:
    """A text without the folders where this machine keeps Python, its packages and us: what is inside them stays."""
    text = text.replace(FOLDER, "")
    if "/site-packages/" in text:
        text = _SITE.sub("", text)
    return _PYTHON.sub("", text) if "/lib/python3." in text else text
