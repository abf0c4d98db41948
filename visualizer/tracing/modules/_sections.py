"""The sections of a split file: MLIR's own tests keep many modules in one, with `// -----` between them.

Promises: every line is in one section, and each knows its first line. Must never: split at what stands within a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SPLIT = re.compile(r"^// -----[^\n]*$", re.MULTILINE)
_COMMENT = re.compile(r"//[^\n]*")


@dataclass(frozen=True)
class Section:
    """A piece of a paste: which it is, counted from 0, its text and how many lines of the paste stand before it."""

    index: int
    text: str
    before: int

    @property
    def empty(self) -> bool:
        """Whether there is nothing in it but comments."""
        return not _COMMENT.sub("", self.text).strip()


def sections_of(text: str) -> Iterator[Section]:
    """The sections of a text: one, where nothing splits it."""
    at = before = 0
    for index, found in enumerate((*_SPLIT.finditer(text), None)):
        piece = text[at : found.start() if found else len(text)]
        yield Section(index, piece, before)
        before += piece.count("\n")
        at = found.end() if found else at
