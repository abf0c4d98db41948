"""Where in the person's text an equation was written.

Promises: the innermost of the person's own frames, down to columns, each place computed once.
Must never: show a place in a file that is not the person's text.
"""

from __future__ import annotations

from typing import Any, Protocol

from .compat import code_location, frames_of

Dict = dict[str, Any]


class Source(Protocol):
    """The paste as it was compiled. Columns in: 0-based UTF-8 bytes of the compiled text. Out: a wire Span in what the person sees."""

    @property
    def filename(self) -> str:
        """The file name that the text was compiled under."""

    @property
    def text(self) -> str:
        """The text that was compiled."""

    def span(self, line: int, col: int, end_line: int, end_col: int) -> Dict | None:
        """The Span of a range, or None where the person's text has no such place."""


class Spans:
    """Spans of equations, memoised by place."""

    def __init__(self, source: Source | None) -> None:
        self._source = source
        self._known: dict[tuple[Any, int], tuple[tuple[int, int, int, int] | None, Dict | None]] = {}

    def place(self, eqn: Any) -> tuple[tuple[int, int, int, int] | None, Dict | None]:
        """The range in the compiled text (as Python's `ast` counts) and the Span in the person's."""
        if self._source is None:
            return None, None
        filename = self._source.filename
        codes, lasti = frames_of(eqn)
        for code, last in zip(codes, lasti, strict=True):
            if code.co_filename == filename:
                known = self._known.get((code, last))
                if known is None:
                    line, col, end_line, end_col = code_location(code, last)
                    known = self._known[(code, last)] = ((line, col, end_line, end_col), self._source.span(line, col, end_line, end_col))
                return known
        return None, None
