"""Putting the later levels of a streamed answer into the trace that came first.

Promises: works on plain JSON values, so that nothing is validated twice; the order of diagnostics and notes is that of the messages.
Must never: change a message it was given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any


def merge_messages(lines: Iterable[bytes | str]) -> dict[str, Any]:
    """The whole trace of a stream of `LevelMessage` lines. Raises ValueError when there is no trace among them."""
    trace: dict[str, Any] | None = None
    for line in lines:
        if not line.strip():
            continue
        message = json.loads(line)
        if message["trace"] is not None:
            trace = message["trace"]
        if message["patch"] is not None:
            if trace is None:
                raise ValueError("a patch came before the trace that it belongs to")
            trace = apply_patch(trace, message["patch"])
    if trace is None:
        raise ValueError("the stream holds no trace")
    return trace


def apply_patch(trace: Mapping[str, Any], patch: Mapping[str, Any]) -> dict[str, Any]:
    """A new trace with what a `TracePatch` adds. A patch of a program that the trace does not have becomes a note."""
    patches = dict(patch["programs"])
    programs = [_patched(program, patches.pop(program["id"], None)) for program in trace["programs"]]
    lost = [f"A later level spoke of the program {name!r}, which is not in this trace; it was left out." for name in patches]
    return {
        **trace,
        "programs": programs,
        "diagnostics": [*trace["diagnostics"], *patch["diagnostics"]],
        "notes": [*trace["notes"], *patch["notes"], *lost],
        "timings": {**trace["timings"], **patch["timings"]},
    }


def _patched(program: Mapping[str, Any], patch: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if patch is None:
        return program
    return {**program, **{part: {**program[part], **patch[part]} for part in ("texts", "modules", "links")}}
