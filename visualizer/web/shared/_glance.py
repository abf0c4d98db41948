"""What the pages of a link say of its program without drawing it: read from what was kept, one link at a time.

Promises: unpacked, a large program is twenty times what it is here; so it is let go of again before anything else is done, and only its
texts and counts are remembered, of the links that were asked for last.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, get_args

from visualizer.drawing import Level
from visualizer.links import kept_trace

LEVELS: tuple[str, ...] = get_args(Level)
_MOST_LINKS = 64
_MOST_TEXT = 500_000
_one = Lock()
_known: OrderedDict[bytes, Glance] = OrderedDict()


@dataclass(frozen=True)
class Glance:
    """`levels` can be drawn, `texts` are those of levels, `size` is like `57 equations` or ""."""

    levels: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    size: str = ""


def glance(kept: bytes) -> Glance:
    """Of what was kept of a program; of nothing where that is nothing, or cannot be read any more."""
    if not kept:
        return Glance()
    key = hashlib.sha256(kept).digest()
    with _one:
        found = _known.get(key)
        if found is None:
            found = _read(kept)
            if sum(map(len, found.texts.values())) <= _MOST_TEXT:
                _known[key] = found
                if len(_known) > _MOST_LINKS:
                    _known.popitem(last=False)
        else:
            _known.move_to_end(key)
        return found


def _read(kept: bytes) -> Glance:
    try:
        program: Mapping[str, Any] = kept_trace(kept)["programs"][0]
    except (ValueError, LookupError):
        return Glance()
    modules: Mapping[str, Any] = program["modules"]
    own = ("jaxpr",) if program["entry"] is not None else ()
    texts = {level: text["text"] for level, text in program["texts"].items()} | {
        level: module["text"] for level, module in modules.items() if level not in program["texts"]
    }
    size = ""
    if own:
        count = sum(len(jaxpr["eqns"]) for jaxpr in program["jaxprs"].values())
        size = f"{count:,} equation{'' if count == 1 else 's'}"
    return Glance((*own, *(level for level in LEVELS[1:] if level in modules)), {at: text for at, text in texts.items() if text}, size)
