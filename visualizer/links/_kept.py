"""What is kept of a Trace with a link: the program in front, enough to draw it at each of its levels, compressed.

Promises: what was kept opens without a tracer, under any later JAX, and is a Trace as a saved one is; it is never more than the limits.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from ._content import LinkState

# A program of 50,000 equations is drawn as an outline of groups; what is beyond this is for the page, which traces it.
MOST_TEXT = 24_000_000
MOST_KEPT = 2_000_000
Dict = dict[str, Any]


def front(trace: Mapping[str, Any], state: LinkState) -> Dict | None:
    """The program that the link shows: as the page finds it (`programOf` in frontend/src/page/state/spot.ts), else the first."""
    programs: list[Dict] = trace["programs"]
    if state.program is None:
        return programs[0] if programs else None
    id_, name, *made = state.program
    transformed = bool(made and made[0])
    same = [one for one in programs if one["name"] == name and (one.get("made_from") is not None) == transformed]
    there = next((one for one in same if one["id"] == id_), None)
    return there or (same[0] if len(same) == 1 else programs[0] if programs else None)


def keep(trace: Mapping[str, Any], state: LinkState) -> tuple[bytes | None, str, str]:
    """What is kept, the title of the link, and why nothing is kept, in words ("" where something is).

    Where all levels are too much, the one that the link shows is kept alone.
    """
    program = front(trace, state)
    if program is None:
        return None, "", "the code gives no program"
    level = state.view.removesuffix("-text")
    wanted: tuple[set[str], ...] = ({"jaxpr", "stablehlo", "hlo"}, {"jaxpr", level})
    # What the server has forgotten of a large program leaves nothing to keep.
    for levels in () if program.get("left_out") else wanted:
        packed = _packed(trace, program, levels)
        if packed is not None:
            return packed, str(program["name"]), ""
    return None, str(program["name"]), "the program is too large to be kept"


def _packed(trace: Mapping[str, Any], program: Mapping[str, Any], levels: set[str]) -> bytes | None:
    only = {**program, **{group: _only(program[group], levels) for group in ("texts", "modules", "links")}}
    nothing = {"output": {"text": "", "truncated": False}, "diagnostics": [], "notes": [], "offers": [], "timings": {}}
    whole = {**trace, **nothing, "programs": [only]}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    if len(text) > MOST_TEXT:
        return None
    packed = zlib.compress(text, 6)
    return packed if len(packed) <= MOST_KEPT else None


def _only(levels: Mapping[str, Any], wanted: set[str]) -> Dict:
    return {level: value for level, value in levels.items() if level in wanted}


def kept_trace(kept: bytes) -> Dict:
    """The Trace as it was kept; its one program is the one in front. Raises ValueError where it is not whole."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(kept, MOST_TEXT + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(text) > MOST_TEXT or not unpacker.eof:
        raise ValueError("not whole")
    found: Dict = json.loads(text)
    return found
