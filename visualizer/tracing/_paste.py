"""The text that a person pasted, and the way back to it from the text that was run.

Promises: the cleaned text has as many lines as the person's, so a line number means the same in both; a span is always in what the person
sees, in UTF-16 units, as editors count.
Must never: give a place that the person's text does not have.
"""

from __future__ import annotations

import re
from bisect import bisect_right
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
    """One cleaned line: its text, the person's line, and where its pieces stand there.

    `pieces` holds (start in the cleaned line, start in the person's line, verbatim), in order. Inside a verbatim piece characters
    correspond one to one; every other piece is a replacement, and all of it stands for the whole piece of the person's line.
    """

    text: str
    seen: str
    pieces: tuple[tuple[int, int, bool], ...] = ((0, 0, True),)

    def place(self, char: int, end: bool = False) -> int:
        """The character of the person's line for a character of the cleaned one; with `end`, for an exclusive end."""
        char = min(max(char, 0), len(self.text))
        index = max(bisect_right(self.pieces, char, key=lambda piece: piece[0]) - 1, 0)
        if end and index and self.pieces[index][0] == char:
            index -= 1  # an end belongs to the piece before it
        start, origin, verbatim = self.pieces[index]
        limit = self.pieces[index + 1][1] if index + 1 < len(self.pieces) else len(self.seen)
        if verbatim:
            return min(origin + max(char - start, 0), limit if end or index + 1 < len(self.pieces) else len(self.seen))
        return limit if end and char > start else origin


@dataclass(frozen=True)
class PasteSource:
    """A cleaned paste. `text` is what is compiled under `filename`; spans are in `seen`, what the person sees."""

    text: str
    seen: str
    lines: tuple[Line, ...] = field(repr=False)
    notes: tuple[str, ...] = ()
    filename: str = FILENAME

    @classmethod
    def of(cls, text: str, filename: str = FILENAME) -> PasteSource:
        """A text that needs no cleaning."""
        lines = split_lines(text)
        return cls("\n".join(lines), text, tuple(Line(line, line) for line in lines), (), filename)

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
