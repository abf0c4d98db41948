"""Every printed jaxpr in a text, as programs of the wire.

Promises: whatever the text is, an answer: programs, what went wrong with its place, and which lines were read; a print that ends too early
or goes wrong is a program as far as it goes. Must never: raise, or read a line of prose as an equation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._errors import AS_PRINTED, Problem
from ._nodes import Body
from ._parser import Parser
from ._partial import as_far_as
from ._program import Wire
from ._source import Source, without_colours
from ._twins import twins_of

Dict = dict[str, Any]
# The head of a jaxpr; a brace and a word in prose are none.
_HEAD = re.compile(r"(?:let[ \t]+[^\s=]+[ \t]*=\s*)?\{\s*lambda\b[ \t\n]*(?:[^\W\d]\w*:[^\s:]|;)")
MOST = 256


@dataclass
class Found:
    """What went wrong: where (a Span), what, what was expected, what to do. `program` is the index of the one it is about, if any."""

    span: Dict
    message: str
    expected: str
    advice: str
    warning: bool = False


@dataclass
class Reading:
    """What a text holds. `lines` are the first and last line (1-based) of each program."""

    programs: list[Dict] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)
    problems: list[Found] = field(default_factory=list)
    skipped: bool = False
    """Whether there is text around the programs."""
    more: bool = False
    """Whether there are more than the first `MOST`."""


def holds_jaxpr(text: str) -> bool:
    """Whether the head of a printed jaxpr stands anywhere in a text."""
    return _HEAD.search(without_colours(text)) is not None


def read(text: str) -> Reading:
    """Read every printed jaxpr in a text."""
    source = Source(text)
    reading = Reading()
    at = 0
    while (start := source.begins(at)) is not None:
        if len(reading.programs) >= MOST:
            reading.more = True
            break
        if _HEAD.match(source.text, start) is None:
            at = start + 1
            continue
        reading.skipped = reading.skipped or bool(source.text[at:start].strip())
        at = _one(source, start, reading)
    reading.skipped = reading.skipped or bool(source.text[at:].strip() and reading.programs)
    if len(reading.programs) > 1:
        for program, (line, _) in zip(reading.programs, reading.lines, strict=True):
            program["name"] = f"jaxpr, line {line}"
    if not reading.programs and not reading.problems:
        reading.problems.append(
            Found(_span(source, 0, len(source.text.rstrip())), "No printed jaxpr was found.", "`{ lambda ; a:f32[3]. let …`", AS_PRINTED)
        )
    return reading


def _one(source: Source, start: int, reading: Reading) -> int:
    """Read the print that begins here; where to go on."""
    parser, problem, body = Parser(source, start), None, None
    try:
        body = parser.read()
        end = body.end
    except Problem as found:
        problem, end = found, max(found.at, start + 1)
        body = as_far_as(parser.open)
    if body is not None:
        reading.programs.append(_program(source, body, start, end, len(reading.programs)))
        reading.lines.append((source.place(start).line, source.place(max(end - 1, start)).line))
        if (left := body.left_out) is not None:
            message = "Equations are left out of this print (`...`): what they make is shown without a type."
            span = _span(source, left.start, left.end)
            reading.problems.append(Found(span, message, "", "Paste the whole print to see them.", warning=True))
    if problem is not None:
        at = min(problem.at, len(source.text.rstrip()))
        stop = at + 1 if problem.end is None else problem.end
        reading.problems.append(Found(_span(source, at, stop), problem.message, problem.expected, problem.advice))
    return end


def _program(source: Source, body: Body, start: int, end: int, number: int) -> Dict:
    margin = source.margin(start)
    wire = Wire(lambda a, b: _span(source, a, b), source.note_of if source.notes else None, margin)
    entry = wire.program(body)
    text, offset = _dedented(source, start, end, margin)
    spans = {key: (offset(a), offset(b)) for key, (a, b) in wire.starts.items() if start <= a}
    return {
        "id": f"p{number}",
        "name": "jaxpr",
        "origin": "expression",
        "count": 1,
        "span": _span(source, start, end),
        "entry": entry,
        "jaxprs": wire.jaxprs,
        "twins": twins_of(wire.jaxprs, entry),
        "texts": {"jaxpr": {"text": text, "spans": spans}},
        "modules": {},
        "links": {},
        "parameters": None,
        "made_from": None,
        "hoisted": wire.hoisted,
        "embedded": [],
        "calls": [],
        "loops": [],
        "written": [],
    }


def _dedented(source: Source, start: int, end: int, margin: int) -> tuple[str, Callable[[int], int]]:
    """A print at the left margin, without annotations, and the way from a position to one in it (in UTF-16 units)."""
    first = source.line_of(start)
    lines, moved, length = source.text[start:end].split("\n"), [start], 0
    texts: list[str] = []
    for number, line in enumerate(lines):
        cut = 0
        if number:
            cut = margin if line[:margin].strip() == "" else 0
            line = line[cut:]
            begins = source.line_start(first + number) + cut
            moved.append(begins - length)
        line = line.rstrip() if source.notes else line
        texts.append(line)
        length += len(line) + 1
    text = "\n".join(texts)
    ascii_only = text.isascii()

    def offset(at: int) -> int:
        line = source.line_of(at) - first
        position = min(max(at - moved[min(max(line, 0), len(moved) - 1)], 0), len(text))
        return position if ascii_only else len(text[:position].encode("utf-16-le", "surrogatepass")) // 2

    return text, offset


def _span(source: Source, start: int, end: int) -> Dict:
    line, col = source.place(start)
    end_line, end_col = source.place(max(start, end))
    return {"line": line, "col": col, "end_line": end_line, "end_col": end_col}
