"""From a paste or a file of HLO to the programs of an answer: one for each module in it.

XLA's own parser has the first word: what it refuses is refused in its words. What it accepts is read here once more for the places of the
instructions, and the two must agree on every name.

Promises: a module that cannot be read says why, at its line, and takes nothing with it.
Must never: raise on what a text holds; compile it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from visualizer.tracing._answer import Answer
from visualizer.tracing._compat_hlo import hlo_of_proto, instructions_of, parse_hlo, print_hlo
from visualizer.tracing._given import Emit, Given
from visualizer.tracing.modules._words import dead, given_up
from visualizer.tracing.problems._errors import diagnostic
from visualizer.tracing.problems._sayings import internal

from ._module import HloModule
from ._text import HloError, HloText, read_hlo

Dict = dict[str, Any]
MAX_MODULES = 500
MAX_PROBLEMS = 100
# After so many deaths of the parser nothing more is tried.
MAX_DEATHS = 4
PARSER = "XLA's HLO parser"
_START = re.compile(r"^[ \t]*HloModule\b", re.MULTILINE)
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# `was parsing 5:19: error: expects opcode but sees: addd`, with the line and a caret below it.
_SAID = re.compile(r"was parsing (\d+):(\d+): error: ([^\n]*)")
_STATUS = re.compile(r"^[A-Z_]+: ")
_TOKEN = re.compile(r"%?[\w.\-]+|\S")


@dataclass(frozen=True)
class Section:
    """One module of a text: where it starts, in characters, and how many lines stand before it."""

    text: str
    start: int
    before: int


def read_hlo_texts(given: Given, answer: Answer, emit: Emit) -> None:
    """Read what was given (see `_readers.py`)."""
    reading = _Reading(given, answer, emit)
    with answer.timed("read"):
        if given.data is not None:
            reading.file(given.data)
        else:
            reading.text()
    emit(answer.message())


def sections_of(text: str) -> Iterator[Section]:
    """The modules of a text, each with the comments before it; a text without `HloModule` is one."""
    starts = [found.start() for found in _START.finditer(text)]
    starts = [0, *starts[1:]] if starts else [0]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield Section(text[start:end], start, text.count("\n", 0, start))


class _Reading:
    def __init__(self, given: Given, answer: Answer, emit: Emit) -> None:
        self._source, self._answer, self._emit = given.source, answer, emit
        self._died: dict[int, str] = {int(index): str(why) for index, why in given.request.get("died") or ()}
        self._lines = [0, *(found.end() for found in re.finditer("\n", self._source.text))]
        self._problems = 0
        self._several = False

    def file(self, data: bytes) -> None:
        """The module of a file: the protocol buffer that XLA dumps."""
        if not self._starts(0, Section("", 0, 0)):
            return
        try:
            whole = Section(print_hlo(hlo_of_proto(data)), 0, 0)
        except Exception as error:  # the bindings raise what they like
            self._answer.add(_refused(_words(str(error)), None))
            return
        self._add(whole, read_hlo(whole.text), placed=False)

    def text(self) -> None:
        """The modules of a text."""
        sections = list(sections_of(self._source.text))
        self._several = len(sections) > 1
        for index, section in enumerate(sections[:MAX_MODULES]):
            if len(self._died) >= MAX_DEATHS and index > max(self._died):
                self._answer.add(given_up(self._at(section.start), PARSER))
                return
            if self._starts(index, section):
                self._section(section)
        if len(sections) > MAX_MODULES:
            self._answer.note(f"The first {MAX_MODULES} modules are shown; the text has {len(sections):,}.")
        if self._problems > MAX_PROBLEMS:
            self._answer.note(f"{self._problems - MAX_PROBLEMS:,} more modules cannot be read; the first {MAX_PROBLEMS} say why.")

    def _starts(self, index: int, section: Section) -> bool:
        """Whether a module is to be read. One that ended the process before is not (see the README of the sandbox)."""
        why = self._died.get(index)
        if why is None:
            self._emit({"reading": index})
            return True
        self._add_problem(dead(why, self._at(section.start, section.start + len(section.text.rstrip())), self._several, PARSER))
        return False

    def _section(self, section: Section) -> None:
        if not _COMMENTS.sub("", section.text).strip():
            self._answer.add(diagnostic("empty-paste", "There is no module in the text, only comments.", advice="Paste the whole module."))
            return
        try:
            # The lines before it stay as empty ones, so that the parser counts as the person does.
            parsed = parse_hlo("\n" * section.before + section.text)
        except Exception as error:
            self._refuse(section, str(error))
            return
        try:
            self._take(section, parsed)
        except HloError as error:
            self._add_problem(_refused(str(error), self._at(section.start + error.at)))
        except (RecursionError, MemoryError) as error:
            self._add_problem({**internal(error), "span": self._at(section.start), "stage": "read"})

    def _take(self, section: Section, parsed: Any) -> None:
        """The module as it stands in the paste; where XLA read something else from it, as XLA prints it."""
        names = instructions_of(parsed)
        try:
            text = read_hlo(section.text)
            if names is None or names_of(text) == names:
                self._add(section, text, placed=True)
                return
        except HloError:
            pass
        printed = print_hlo(parsed)
        self._answer.note("The text is short for more than it says, so it is shown as XLA prints it; hovering a line of it lights nothing.")
        self._add(Section(printed, 0, section.before), read_hlo(printed), placed=False)

    def _add(self, section: Section, text: HloText, *, placed: bool) -> None:
        def span(start: int, end: int) -> Dict | None:
            return self._at(section.start + start, section.start + end)

        made = HloModule(text, section.text, span=span if placed else None)
        stripped = section.text.strip()
        first = section.text.index(stripped[:1]) if stripped else 0
        place = self._at(section.start + first, section.start + first + len(stripped)) if placed and self._several else None
        self._answer.trace["programs"].append(module_program(made, f"p{len(self._answer.trace['programs'])}", place))

    def _refuse(self, section: Section, said: str) -> None:
        found = _SAID.search(said)
        self._add_problem(_refused(_words(said), self._place(int(found[1]), int(found[2])) if found else self._at(section.start)))

    def _add_problem(self, problem: Dict) -> None:
        self._problems += 1
        if self._problems <= MAX_PROBLEMS:
            self._answer.add(problem)

    def _place(self, line: int, column: int) -> Dict | None:
        """Where the parser stopped: it counts lines and columns from 1, and says 0 for the start of a text."""
        line = min(max(line, 1), len(self._source.lines))
        text = self._source.lines[line - 1].text
        start = min(max(column - 1, 0), len(text))
        token = _TOKEN.match(text, start)
        return self._source.chars(line, start, line, token.end() if token else len(text))

    def _at(self, start: int, end: int | None = None) -> Dict | None:
        line, column = self._line_of(start)
        end_line, end_column = (line, len(self._source.lines[line - 1].text)) if end is None else self._line_of(end)
        return self._source.chars(line, column, end_line, end_column)

    def _line_of(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._lines, at)
        return line, at - self._lines[line - 1]


def names_of(text: HloText) -> dict[str, list[str]]:
    """The names of the instructions of each computation."""
    return {computation.name: [instruction.name for instruction in computation.instructions] for computation in text.computations}


def module_program(made: HloModule, key: str, span: Dict | None) -> Dict:
    """A program that is a module and nothing else."""
    return {
        "id": key,
        "name": made.module["name"] or "module",
        "origin": "module",
        "count": 1,
        "span": span,
        "entry": None,
        "jaxprs": {},
        "twins": [],
        "texts": {"hlo": {"text": made.module["text"], "spans": spans_of(made)}},
        "modules": {"hlo": made.module},
        "links": {},
    }


def spans_of(made: HloModule) -> dict[str, list[int]]:
    """Where each operation stands in the text of the level."""
    return {wire["id"]: wire["text_span"] for _, wire in made.ops}


def _words(said: str) -> str:
    """What the parser says, without the status and without the lines that it quotes, each sentence once."""
    found = [message for _, _, message in _SAID.findall(said)] or [_STATUS.sub("", said.strip())]
    return "; ".join(dict.fromkeys(sentence.strip() for sentence in found if sentence.strip()))[:2_000] or "The parser gives no reason."


def _refused(message: str, span: Dict | None) -> Dict:
    return diagnostic("hlo-error", message, type_="HloError", advice="This is what XLA's own parser says of the text.", span=span)
