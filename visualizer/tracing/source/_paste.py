"""The text that a person pasted, and the way back to it from the text that was run.

Promises: the cleaned text has as many lines as the person's, so a line number means the same in both; a span is always in what the person
sees, in UTF-16 units, as editors count.
Must never: give a place that the person's text does not have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Dict = dict[str, Any]
FILENAME = "<paste>"
NEWLINE = re.compile(r"\r\n|\r|\n")


def split_lines(text: str) -> list[str]:
    """The lines of a text as editors and Python see them: only CR, LF and CRLF end a line. There is always at least one."""
    return NEWLINE.split(text)


def utf16(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(char > "\uffff" for char in text)


@dataclass(frozen=True)
class Line:
    """One cleaned line and the person's. Where characters were replaced, `starts` and `ends` say what each stands for there."""

    text: str
    seen: str
    shift: int = 0
    """How many characters were cut off in front (where `starts` is None)."""
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] = ()

    def place(self, char: int, end: bool = False) -> int:
        """The character of the person's line for a character of the cleaned one; with `end`, for an exclusive end."""
        char = min(max(char, 0), len(self.text))
        if self.starts is None:
            return min(self.shift + char, len(self.seen))
        if end and char:
            return self.ends[char - 1]
        return self.starts[char] if char < len(self.starts) else self.ends[-1] if self.ends else 0

    def edited(self, edits: list[tuple[int, int, str]]) -> Line:
        """The line with ranges of its text replaced; `edits` are in order and do not overlap."""
        if not edits:
            return self
        if self.starts is None and len(edits) == 1 and edits[0][0] == 0 and not edits[0][2]:
            return Line(self.text[edits[0][1] :], self.seen, self.shift + edits[0][1])
        text: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for start, end, new in [*edits, (len(self.text), len(self.text), "")]:
            text.append(self.text[at:start])
            starts += [self.place(index) for index in range(at, start)]
            ends += [self.place(index + 1, end=True) for index in range(at, start)]
            text.append(new)
            starts += [self.place(start)] * len(new)
            ends += [self.place(end, end=True)] * len(new)
            at = end
        return Line("".join(text), self.seen, 0, tuple(starts), tuple(ends))

    def blank(self) -> Line:
        """The line left out."""
        return Line("", self.seen)


@dataclass(frozen=True)
class PasteSource:
    """A cleaned paste. `text` is what is compiled under `filename`; spans are in `seen`, what the person sees."""

    text: str
    seen: str
    lines: tuple[Line, ...] = field(repr=False)
    filename: str = FILENAME

    @classmethod
    def of(cls, text: str, filename: str = FILENAME) -> PasteSource:
        """A text that needs no cleaning."""
        return cls.cleaned(text, [Line(line, line) for line in split_lines(text)], filename)

    @classmethod
    def cleaned(cls, seen: str, lines: list[Line], filename: str = FILENAME) -> PasteSource:
        """A text that was cleaned line by line."""
        return cls("\n".join(line.text for line in lines), seen, tuple(lines), filename)

    def span(self, line: int, col: int, end_line: int | None = None, end_col: int | None = None) -> Dict | None:
        """The Span of a range of the compiled text: 1-based lines, 0-based columns in UTF-8 bytes, as Python's `ast` counts."""
        if not 1 <= line <= len(self.lines):
            return None
        end_line = min(max(end_line or line, line), len(self.lines))
        first, last = self.lines[line - 1].text, self.lines[end_line - 1].text
        start = _char(first, col)
        return self.chars(line, start, end_line, start if end_col is None and end_line == line else _char(last, end_col or 0))

    def chars(self, line: int, col: int, end_line: int, end_col: int) -> Dict | None:
        """As `span`, with columns in characters, as `SyntaxError` counts (but 0-based)."""
        if not 1 <= line <= len(self.lines):
            return None
        end_line = min(max(end_line, line), len(self.lines))
        first, last = self.lines[line - 1], self.lines[end_line - 1]
        start, end = first.place(col), last.place(end_col, end=True)
        if end_line == line:
            end = max(start, end)
        return {"line": line, "col": utf16(first.seen[:start]), "end_line": end_line, "end_col": utf16(last.seen[:end])}

    def whole_line(self, line: int) -> Dict | None:
        """The Span of a line without its indentation."""
        if not 1 <= line <= len(self.lines):
            return None
        text = self.lines[line - 1].text
        return self.chars(line, len(text) - len(text.lstrip()), line, len(text.rstrip()))

    def everything(self) -> Dict | None:
        """The Span of the whole text."""
        return self.chars(1, 0, len(self.lines), len(self.lines[-1].text))


def _char(line: str, byte: int) -> int:
    """The character at a UTF-8 byte of a line."""
    if byte <= 0 or line.isascii():
        return max(byte, 0)
    return len(line.encode("utf-8", "surrogatepass")[:byte].decode("utf-8", "ignore"))
