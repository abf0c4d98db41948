"""From a text with printed jaxprs in it to the programs of an answer.

Promises: every print is a program whose equations stand at the lines of the paste; what goes wrong is said there, and what was read before
it is shown. Where the name stacks are printed, they say what differentiation made of it, as they do of a traced program.
Must never: run anything of the text.
"""

from __future__ import annotations

from typing import Any

from visualizer.text.parse import Reading, read
from visualizer.tracing._answer import Answer
from visualizer.tracing._given import Emit, Given
from visualizer.tracing.autodiff._autodiff import explain
from visualizer.tracing.autodiff._branches import name_branches
from visualizer.tracing.autodiff._origins import Origins
from visualizer.tracing.eqns._garbage import no_collection
from visualizer.tracing.problems._errors import diagnostic
from visualizer.tracing.source._paste import PasteSource, utf16

Dict = dict[str, Any]


def read_printed(given: Given, answer: Answer, emit: Emit) -> None:
    """Read what was given (see `_readers.py`)."""
    with answer.timed("read"), no_collection():
        reading = read(given.source.text)
        for program in reading.programs:
            _explain(program)
        _place(reading, given.source)
    answer.trace["programs"] = reading.programs
    for found in reading.problems:
        severity = "warning" if found.warning else "error"
        message = f"{found.message} Expected {found.expected}." if found.expected else found.message
        code = "jaxpr-left-out" if found.warning else "jaxpr-syntax"
        message = message.replace("`", "")  # the page shows plain text
        answer.add(diagnostic(code, message, severity=severity, advice=found.advice, span=found.span))
    answer.note(*_notes(reading))
    if reading.programs and "stablehlo" in given.levels:
        answer.note("A printed jaxpr cannot be lowered: for its StableHLO, paste the program that it was printed from.")
    emit(answer.message())


def _explain(program: Dict) -> None:
    """What follows from the whole: which branch is the true one, and from name stacks, where there are any, twins and kinds."""
    jaxprs = program["jaxprs"]
    origins = Origins(jaxprs)
    name_branches(origins)
    stacks = [entry for jaxpr in jaxprs.values() for eqn in jaxpr["eqns"] for entry in eqn["stack"]]
    if stacks:
        transposed = any(entry["name"] == "transpose" and entry["kind"] == "transform" for entry in stacks)
        places = {eqn["id"]: eqn.get("where") for jaxpr in jaxprs.values() for eqn in jaxpr["eqns"]}
        program["twins"] = explain(origins, program["entry"], places.get, transposed)


def _notes(reading: Reading) -> list[str]:
    notes = []
    if reading.skipped and reading.lines:
        lines = [f"{first}" if first == last else f"{first} to {last}" for first, last in reading.lines[:5]]
        more = f" and {len(reading.lines) - 5} more" if len(reading.lines) > 5 else ""
        plural = "s" if len(lines) > 1 or " " in lines[0] else ""
        notes.append(f"Line{plural} {', '.join(lines)}{more} were read as printed jaxprs; the text around them was passed over.")
    if reading.more:
        notes.append(f"The first {len(reading.programs)} printed jaxprs are shown; the text has more.")
    return notes


def _place(reading: Reading, source: PasteSource) -> None:
    """Turn the places, which are in the cleaned text, into those of what the person sees."""
    moved = {number for number, line in enumerate(source.lines, 1) if line.text and line.text != line.seen}
    if not moved:
        return
    for span in _spans(reading):
        for row, column in (("line", "col"), ("end_line", "end_col")):
            if span[row] in moved:
                line = source.lines[span[row] - 1]
                char = len(line.text.encode("utf-16-le")[: 2 * span[column]].decode("utf-16-le", "ignore"))
                span[column] = utf16(line.seen[: line.place(char, end=column == "end_col")])


def _spans(reading: Reading) -> list[Dict]:
    programs = reading.programs
    eqns = [eqn["span"] for program in programs for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"]]
    return [*(program["span"] for program in programs), *(found.span for found in reading.problems), *eqns]
