"""The text that was given, made ready to be read, and the way back to it.

Colours of terminals are taken out; marks that stand before every line of a print (`# `, `> `, `| `, `// `) become blanks, so that columns
stay; annotations at the ends of lines (source places, name stacks) are taken out and kept by line.

Promises: linear in the text; lines are counted as in what was given. Must never: touch what stands between the words of a jaxpr.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)")
_NOTE = re.compile(r"[ \t]+# (\[[^\n]*\]|unknown|\S[^\n]*:\d+(?::\d+)? \([^\n]*\))[ \t]*$", re.MULTILINE)
_START = re.compile(r"(?:let[ \t]+[^\s=]+[ \t]*=\s*)?\{\s*lambda\b")
_MARK = re.compile(r"[ \t]*(?:#+|//+|[>|│┃]+)(?:[ \t]*[>|│])*[ \t]?")
_BLANK = re.compile(r"[ \t]*")


def without_colours(text: str) -> str:
    """A text without the escape codes of a terminal."""
    return _COLOUR.sub("", text) if "\x1b" in text else text


class Place(NamedTuple):
    """A position in what was given: 1-based line, 0-based column in UTF-16 units."""

    line: int
    column: int


class Source:
    """A text made ready. `notes` are the annotations by line (0-based)."""

    def __init__(self, given: str) -> None:
        lines = given.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._cuts: dict[int, list[tuple[int, int]]] = {}
        if "\x1b" in given:
            lines = [self._plain(number, line) if "\x1b" in line else line for number, line in enumerate(lines)]
        self._given = lines
        self._ascii = given.isascii()
        text = "\n".join(_unmarked(lines))
        self.notes: dict[int, list[str]] = {}
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        if " # " in text:
            text = _NOTE.sub(self._noted, text)
        self.text = text

    def line_of(self, at: int) -> int:
        """The number (0-based) of the line of a position."""
        return bisect_right(self._starts, at, 0, len(self._given)) - 1

    def line_start(self, line: int) -> int:
        """The position where a line (0-based) begins."""
        return self._starts[line]

    def place(self, at: int) -> Place:
        """The place in what was given."""
        line = self.line_of(at)
        column = at - self._starts[line]
        if self._ascii and not self._cuts:
            return Place(line + 1, column)
        given = self._given[line]
        before = len(given[:column].encode("utf-16-le", "surrogatepass")) // 2
        return Place(line + 1, before + sum(length for cut, length in self._cuts.get(line, ()) if cut <= column))

    def note_of(self, at: int) -> list[str]:
        """The annotations of the line of a position, and of the lines under it that hold nothing else."""
        line = self.line_of(at)
        found = list(self.notes.get(line, ()))
        while (
            line + 2 < len(self._starts)
            and line + 1 in self.notes
            and not self.text[self._starts[line + 1] : self._starts[line + 2]].strip()
        ):
            line += 1
            found += self.notes[line]
        return found

    def begins(self, at: int) -> int | None:
        """Where the next print may begin, from a position on."""
        found = _START.search(self.text, at)
        return None if found is None else found.start()

    def margin(self, at: int) -> int:
        """How far a print that begins here is indented: the column, where nothing but blanks stands before it."""
        start = self._starts[self.line_of(at)]
        return at - start if not self.text[start:at].strip() else 0

    def _plain(self, number: int, line: str) -> str:
        gone = 0
        cuts = self._cuts[number] = []
        for found in _COLOUR.finditer(line):
            cuts.append((found.start() - gone, len(found.group())))
            gone += len(found.group())
        return _COLOUR.sub("", line)

    def _noted(self, found: re.Match[str]) -> str:
        self.notes.setdefault(self.line_of(found.start(1)), []).append(found.group(1))
        return " " * len(found.group())


def _unmarked(lines: list[str]) -> list[str]:
    """Lines with blanks where a mark stands before a print and each of its lines."""
    done = list(lines)
    mark = ""
    for number, line in enumerate(lines):
        if mark and line.startswith(mark):
            done[number] = " " * len(mark) + line[len(mark) :]
            continue
        mark = ""
        found = _MARK.match(line)
        if found is not None and _START.match(line, _blank(line, found.end())):
            mark = found.group().rstrip()
            done[number] = " " * len(mark) + line[len(mark) :]
    return done


def _blank(line: str, at: int) -> int:
    found = _BLANK.match(line, at)
    return at if found is None else found.end()
