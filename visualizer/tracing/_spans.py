"""Where in the person's text an equation was written.

Promises: the innermost of the person's own frames, down to columns, each place computed once.
Must never: show a place in a file that is not the person's text.
"""

from __future__ import annotations

from typing import Any, Protocol

from .compat import code_location, frames_of

Dict = dict[str, Any]
# The range in the compiled text, and the Span in the person's.
Placed = tuple[tuple[int, int, int, int] | None, Dict | None]


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
        self._known: dict[tuple[Any, int], Placed] = {}
        # Equal tracebacks are one to a dict, and few programs have as many as equations.
        self._placed: dict[Any, Placed] = {}

    def place(self, eqn: Any) -> Placed:
        """The range in the compiled text (as Python's `ast` counts) and the Span in the person's."""
        if self._source is None:
            return None, None
        traceback = eqn.source_info.traceback
        known = self._placed.get(traceback)
        if known is None:
            known = self._placed[traceback] = self._read(eqn, self._source)
        return known

    def _read(self, eqn: Any, source: Source) -> Placed:
        filename = source.filename
        codes, lasti = frames_of(eqn)
        for code, last in zip(codes, lasti, strict=True):
            if code.co_filename == filename:
                known = self._known.get((code, last))
                if known is None:
                    line, col, end_line, end_col = code_location(code, last)
                    known = self._known[(code, last)] = ((line, col, end_line, end_col), source.span(line, col, end_line, end_col))
                return known
        return None, None
