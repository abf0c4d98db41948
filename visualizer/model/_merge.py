"""Putting the later levels of a streamed answer into the trace that came first.

Promises: works on plain JSON values, so that nothing is validated twice; the order of diagnostics and notes is that of the messages.
Must never: change a message it was given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .parts import put_in, unpacked


def merge_messages(lines: Iterable[bytes | str]) -> dict[str, Any]:
    """The trace of a stream of `LevelMessage` lines, with the parts among them put in. Raises ValueError when there is no trace."""
    trace: dict[str, Any] | None = None
    parts: list[dict[str, Any]] = []
    for line in lines:
        if not line.strip():
            continue
        message = json.loads(line)
        if message.get("part") is not None:
            parts.append(message["part"])
            continue
        if message["trace"] is not None:
            trace = message["trace"]
        if message["patch"] is not None:
            if trace is None:
                raise ValueError("a patch came before the trace that it belongs to")
            trace = apply_patch(trace, message["patch"])
    if trace is None:
        raise ValueError("the stream holds no trace")
    return {**trace, "programs": [_with_parts(program, parts) for program in trace["programs"]]} if parts else trace


def _with_parts(program: Mapping[str, Any], parts: list[dict[str, Any]]) -> Mapping[str, Any]:
    for part in parts:
        if part["program"] == program["id"]:
            program = put_in(program, part)
    return program if program.get("left_out") else unpacked(program)


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
    patched = {**program, **{group: {**program[group], **patch[group]} for group in ("texts", "modules", "links")}}
    if patch.get("left_out"):
        patched["left_out"] = [*program.get("left_out", ()), *patch["left_out"]]
    return patched
