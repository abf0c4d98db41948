"""What the pages of a link say of its program without drawing it: read from what was kept, one link at a time.

Promises: unpacked, a large program is twenty times what it is here; so it is let go of again before anything else is done, and only its
counts and the beginnings of its texts are remembered, packed. Each program is read once, however many ask for it, as long as it is
remembered; nobody waits for that longer than `WAIT_SECONDS`.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, get_args

from visualizer.drawing import Level
from visualizer.links import kept_trace
from visualizer.web._errors import ApiError

LEVELS: tuple[str, ...] = get_args(Level)
# Of a text; what is longer is for the page, which has it whole.
MOST_TEXT = 1_000_000
WAIT_SECONDS = 8.0
# Of packed texts that are remembered, and of programs.
_MOST_BYTES = 32 << 20
_MOST_LINKS = 1000
_reading = Lock()
_remembering = Lock()
_known: OrderedDict[bytes, Glance] = OrderedDict()


@dataclass(frozen=True)
class Glance:
    """`levels` can be drawn, `packed` are the texts of levels, `size` is like `57 equations` or ""."""

    levels: tuple[str, ...] = ()
    packed: Mapping[str, bytes] = field(default_factory=dict)
    size: str = ""

    def text(self, level: str) -> str:
        """The text of a level, cut where it is very long; "" where there is none."""
        packed = self.packed.get(level)
        return "" if packed is None else zlib.decompress(packed).decode("utf-8", "surrogatepass")


def glance(kept: bytes) -> Glance:
    """Of what was kept of a program; of nothing where that is nothing, or cannot be read any more. Raises ApiError where all are busy."""
    if not kept:
        return Glance()
    key = hashlib.sha256(kept).digest()
    if (known := _remembered(key)) is not None:
        return known
    if not _reading.acquire(timeout=WAIT_SECONDS):
        raise ApiError(503, "busy", "The server reads other links.", "Ask again in a few seconds.", {"Retry-After": "5"})
    try:
        # Whoever had the lock may have read this one.
        if (known := _remembered(key)) is not None:
            return known
        return _remember(key, _read(kept))
    finally:
        _reading.release()


def _remembered(key: bytes) -> Glance | None:
    with _remembering:
        found = _known.get(key)
        if found is not None:
            _known.move_to_end(key)
        return found


def _remember(key: bytes, found: Glance) -> Glance:
    with _remembering:
        _known[key] = found
        while len(_known) > 1 and (len(_known) > _MOST_LINKS or sum(map(_weight, _known.values())) > _MOST_BYTES):
            _known.popitem(last=False)
    return found


def _weight(one: Glance) -> int:
    return sum(map(len, one.packed.values()))


def _read(kept: bytes) -> Glance:
    try:
        return _seen(kept_trace(kept)["programs"][0])
    # What an older version kept, or somebody else wrote there, may be of any shape: the link opens without its picture.
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Glance()


def _seen(program: Mapping[str, Any]) -> Glance:
    modules: Mapping[str, Any] = program["modules"]
    own = ("jaxpr",) if program["entry"] is not None else ()
    texts = {level: text["text"] for level, text in program["texts"].items()} | {
        level: module["text"] for level, module in modules.items() if level not in program["texts"]
    }
    size = ""
    if own:
        count = sum(len(jaxpr["eqns"]) for jaxpr in program["jaxprs"].values())
        size = f"{count:,} equation{'' if count == 1 else 's'}"
    levels = (*own, *(level for level in LEVELS[1:] if level in modules))
    return Glance(levels, {at: _packed(text) for at, text in texts.items() if text}, size)


def _packed(text: str) -> bytes:
    return zlib.compress(cut(text).encode("utf-8", "surrogatepass"), 1)


def cut(text: str) -> str:
    """At most `MOST_TEXT` characters, and a sign where there were more."""
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "\n\u2026"
