"""Walking over the brackets, strings and comments of printed HLO.

Promises: each step is linear in what it passes; a bracket or a string that never ends is an error with its place.
Must never: look for meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPACE = re.compile(r"(?:\s+|/\*.*?\*/|//[^\n]*)*", re.DOTALL)
_BLANK = re.compile(r"(?:[ \t]+|/\*.*?\*/)*", re.DOTALL)
# What has a meaning of its own when brackets are counted: strings and comments are passed as a whole.
_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|[(){}\[\]",\n]', re.DOTALL)
_ARRAY = re.compile(r"[a-z][a-z0-9]*\[[^\[\]]*\]")
_CLOSE = {"(": ")", "[": "]", "{": "}"}


class Scanner:
    """A text and the kind of error that it raises: called with a message and a place."""

    def __init__(self, text: str, error: type[Exception]) -> None:
        self.text = text
        self._error = error

    def skip_space(self, at: int) -> int:
        """Behind blanks, line ends and comments."""
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def skip_blank(self, at: int) -> int:
        """Behind blanks and comments of the same line."""
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def closing(self, at: int) -> int:
        """Behind the bracket that closes the one at `at`."""
        waiting: list[str] = []
        for mark in _MARK.finditer(self.text, at):
            char = mark[0]
            if char in _CLOSE:
                waiting.append(_CLOSE[char])
            elif char in (")", "]", "}"):
                if not waiting or waiting.pop() != char:
                    raise self._error(f"This {char} closes nothing.", mark.start())
                if not waiting:
                    return mark.end()
            elif char == '"':
                raise self._error("A string that never ends.", mark.start())
        raise self._error(f"This {self.text[at]} is never closed.", at)

    def value(self, at: int) -> int:
        """The end of the value of an attribute: a comma, a line end or a closing bracket that is not in brackets of its own."""
        while (mark := _MARK.search(self.text, at)) is not None:
            char = mark[0]
            if char in _CLOSE:
                at = self.closing(mark.start())
            elif char in (",", "\n", ")", "]", "}"):
                return mark.start()
            elif char == '"':
                raise self._error("A string that never ends.", mark.start())
            else:
                at = mark.end()
        return len(self.text)

    def parts(self, start: int, end: int) -> Iterator[str]:
        """What stands between the commas of a range, brackets being whole; nothing for an empty range."""
        first = at = start
        while (mark := _MARK.search(self.text, at, end)) is not None:
            if mark[0] in _CLOSE:
                at = self.closing(mark.start())
                continue
            at = mark.end()
            if mark[0] == ",":
                yield self.text[first : mark.start()]
                first = at
        if self.text[first:end].strip():
            yield self.text[first:end]

    def shape(self, at: int) -> int:
        """The end of a shape: an array with its layout, or a tuple of shapes."""
        at = self.skip_space(at)
        if self.text.startswith("(", at):
            return self.closing(at)
        found = _ARRAY.match(self.text, at)
        if found is None:
            raise self._error("Here a shape should stand, such as f32[3,4].", at)
        # A layout follows at once; a brace behind a blank is that of a computation.
        return self.closing(found.end()) if self.text.startswith("{", found.end()) else found.end()
