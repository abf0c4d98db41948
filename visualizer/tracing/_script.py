"""The Trace of a person's own script, from what was seen while it ran (`watching`).

Promises: every program that was seen is in it, in the order of their first trace; what is too large or cannot be shown is there with its
numbers, and a note says what is missing. Must never: run anything of the script again.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from . import compat
from ._answer import Answer
from ._serialize import serialize
from .hlo._module import HloModule
from .hlo._reader import module_program
from .hlo._text import HloError, read_hlo
from .lowering._stablehlo import lower
from .problems._errors import from_exception
from .source._paste import PasteSource
from .watching._seen import Seen
from .watching._table import types_of

Dict = dict[str, Any]
_clock = time.perf_counter
# What one report may hold: the most that a server opens.
MOST_BYTES = 28 << 20
LARGEST_TEXT = 1 << 20
# Lowering for the report alone, which the script did not wait for but the person does.
LOWERING_SECONDS = 60.0


def trace_of(watch: Any) -> Dict:
    """The Trace. `watch` is a `watching._watch.Watch` that has stopped."""
    answer = Answer()
    source = _source(watch.script)
    trace = answer.trace
    trace.update(title=watch.wishes.get("title", ""), text=None if source is None else source.seen)
    answer.note(*watch.notes)
    answer.time("run", watch.seconds)
    _failure(answer, source)
    with compat.quietly():
        _programs(watch, answer, source)
    if watch.operations:
        answer.note(_operations(watch))
    if watch.left_out:
        answer.note(f"The first {len(watch.programs)} programs are here; {watch.left_out} more were left out (--most).")
    if not watch.programs:
        answer.note("The script jitted and traced no function of its own.")
    for fault in watch.faults:
        answer.note(f"Something went wrong in watching, and what it was about is missing here: {fault}"[:400])
    return trace


def _programs(watch: Any, answer: Answer, source: PasteSource | None) -> None:
    room, until = MOST_BYTES, _clock() + LOWERING_SECONDS
    missing: list[str] = []
    for number, seen in enumerate(watch.programs):
        made, size = _program(seen, number, source, answer, lowered="stablehlo" in watch.wishes["levels"] and _clock() < until, room=room)
        room -= size
        if made["entry"] is None:
            missing.append(f"{seen.name} ({types_of(seen, 60)})")
        answer.trace["programs"].append(made)
    if missing:
        answer.note(
            f"Of {len(missing)} programs only the numbers are here, for the report would be too large, or they hold too much: "
            + ", ".join(missing[:8])
            + (", …" if len(missing) > 8 else "")
        )
    if _clock() >= until and "stablehlo" in watch.wishes["levels"]:
        answer.note("Not every program has its StableHLO here: making it for the report took too long.")


def _program(seen: Seen, number: int, source: PasteSource | None, answer: Answer, *, lowered: bool, room: int) -> tuple[Dict, int]:
    program_id = f"p{number}"
    made: Dict | None = None
    size = 0
    if seen.closed is not None and room > 0:
        try:
            found = serialize(seen.closed, name=seen.name, origin="call", program_id=program_id, source=source)
            size = len(json.dumps(found.program))
            if size <= room:
                made = found.program
                if lowered:
                    size += _add_stablehlo(made, found, seen, answer, room - size)
        except Exception as error:
            answer.note(f"{seen.name} cannot be shown: {type(error).__name__}: {error}"[:400])
    if made is None:
        made, size = _empty(seen, program_id), 0
    try:
        _add_hlo(made, seen)
    except HloError as error:
        answer.note(f"The HLO of {seen.name} cannot be shown: {error}"[:400])
    made["ran"] = _ran(seen)
    made["span"] = _span(seen, source)
    return made, size


def _add_stablehlo(made: Dict, found: Any, seen: Seen, answer: Answer, room: int) -> int:
    traced = [compat.traced_of(*seen.lowering)] if seen.lowering is not None else []
    lowering = lower(found, traced=traced, name=seen.name)
    size = len(json.dumps(lowering.patch))
    if size > room:
        answer.note(f"The StableHLO of {seen.name} is left out: the report would be too large.")
        return 0
    for group, part in lowering.patch.items():
        made[group].update(part)
    answer.note(*lowering.notes)
    for problem in lowering.diagnostics:
        answer.note(f"{seen.name} cannot be lowered for this report: {problem['message']}"[:400])
    return size


def _add_hlo(made: Dict, seen: Seen) -> None:
    """What XLA made of it, drawn where it is not too large."""
    text = compat.hlo_text(seen.executable) if seen.executable is not None else None
    if not text:
        return
    if len(text) > LARGEST_TEXT:
        cut = text[:LARGEST_TEXT] + "\n// The rest is cut off: the whole text is larger than 1 MB.\n"
        made["texts"]["hlo"] = {"text": cut, "spans": {}}
        return
    module = module_program(HloModule(read_hlo(text), text), made["id"], None)
    for group in ("texts", "modules"):
        made[group].update(module[group])


def _empty(seen: Seen, program_id: str) -> Dict:
    return {
        "id": program_id,
        "name": seen.name,
        "origin": "call",
        "count": 1,
        "span": None,
        "entry": None,
        "jaxprs": {},
        "twins": [],
        "texts": {},
        "modules": {},
        "links": {},
    }


def _ran(seen: Seen) -> Dict:
    stages = seen.stages
    return {
        "calls": seen.calls,
        "traces": stages["trace"].times,
        "lowerings": stages["lower"].times,
        "compiles": stages["compile"].times,
        **{f"{name}_ms": round(stages[name].seconds * 1e3, 3) for name in ("trace", "lower", "compile")},
        "at_ms": round(seen.at * 1e3, 3),
        "file": _short(seen.site.file) if seen.site else None,
        "line": seen.site.line if seen.site else None,
        "types": types_of(seen),
        "why": seen.why,
        "anew": seen.anew,
    }


def _short(file: str) -> str:
    """As people name it: from the folder they are in, where it is below that."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file


def _span(seen: Seen, source: PasteSource | None) -> Dict | None:
    if source is None or seen.site is None or seen.site.file != source.filename:
        return None
    return source.whole_line(seen.site.line)


def _source(script: Any) -> PasteSource | None:
    """The text of the script, under the name that its code has."""
    if not isinstance(script, str):
        return None
    try:
        data = Path(script).read_bytes()
        return PasteSource.of(data.decode("utf-8-sig"), script) if len(data) <= LARGEST_TEXT else None
    except (OSError, UnicodeDecodeError):
        return None


def _failure(answer: Answer, source: PasteSource | None) -> None:
    """What ended the script, where that was an exception."""
    error = getattr(sys, "last_value", None)
    if isinstance(error, BaseException) and source is not None:
        with contextlib.suppress(Exception):
            answer.add(from_exception(error, source, "run"))


def _operations(watch: Any) -> str:
    seen = watch.operations.values()
    compiles = sum(one.stages["compile"].times for one in seen)
    milliseconds = sum(stage.seconds for one in seen for stage in one.stages.values()) * 1e3
    names = ", ".join(list(watch.operations)[:12]) + (", …" if len(watch.operations) > 12 else "")
    return f"Outside of these programs JAX ran operations one by one: {compiles} were compiled, {milliseconds:.0f} ms in all ({names})."
