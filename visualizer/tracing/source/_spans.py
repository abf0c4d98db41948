"""Where in the person's text an equation was written, and in which calls of functions.

Promises: the innermost of the person's own frames, down to columns, each place computed once; calls from the outermost in.
Must never: show a place in a file that is not the person's text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from visualizer.tracing._ours import FOLDER
from visualizer.tracing.compat import code_location, frames_of, library_function

from ._functions import Place

Dict = dict[str, Any]
# Comprehensions are functions to Python, not to whoever wrote one.
_NO_FUNCTIONS = frozenset({"<module>", "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


class Placed(NamedTuple):
    """The range in the compiled text (as Python's `ast` counts), the Span in the person's, and the index of the call around it."""

    place: tuple[int, int, int, int] | None
    span: Dict | None
    call: int | None


_NOWHERE = Placed(None, None, None)


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
        self.calls: list[Dict] = []
        self._indices: dict[tuple[int | None, Any, tuple[Any, int] | None], int] = {}
        self._known: dict[tuple[Any, int], tuple[tuple[int, int, int, int], Dict | None]] = {}
        # Equal tracebacks are one to a dict, and few programs have as many as equations.
        self._placed: dict[Any, Placed] = {}

    def place(self, eqn: Any) -> Placed:
        """Where a JaxprEqn was written."""
        if self._source is None:
            return _NOWHERE
        traceback = eqn.source_info.traceback
        known = self._placed.get(traceback)
        if known is None:
            known = self._placed[traceback] = self._read(eqn, self._source)
        return known

    def _read(self, eqn: Any, source: Source) -> Placed:
        filename = source.filename
        codes, lasti = frames_of(eqn)
        own = [at for at, code in enumerate(codes) if code.co_filename == filename]
        if not own:
            return _NOWHERE
        below = dict(zip(own, [*own[1:], own[-1]], strict=True))
        call: int | None = None
        outer: tuple[Any, int] | None = None
        for at in reversed(own):
            frame = (codes[at], lasti[at])
            if frame[0].co_name not in _NO_FUNCTIONS:
                call = self._call(call, frame[0].co_qualname, outer, source, handed=self._handed(codes[at + 1 : below[at]]))
            outer = frame
        library = library_function(codes[: own[0]])
        if library is not None:
            call = self._call(call, library, outer, source, library=True)
        place, span = self._where((codes[own[0]], lasti[own[0]]), source)
        return Placed(place, span, call)

    @staticmethod
    def _handed(between: list[Any]) -> bool:
        """Whether anything of a library stands between a function and whoever called it."""
        return any(not code.co_filename.startswith(FOLDER) for code in between)

    def loops(self, places: Iterable[Place]) -> list[Dict]:
        """The Spans of those of some ranges that an equation, or a call around one, stands in."""
        if self._source is None:
            return []
        written = [place for place, _ in self._known.values()]
        found = [place for place in places if any(place[:2] <= where[:2] and where[2:] <= place[2:] for where in written)]
        return [span for place in found if (span := self._source.span(*place)) is not None]

    def _where(self, frame: tuple[Any, int], source: Source) -> tuple[tuple[int, int, int, int], Dict | None]:
        known = self._known.get(frame)
        if known is None:
            line, col, end_line, end_col = code_location(*frame)
            known = self._known[frame] = ((line, col, end_line, end_col), source.span(line, col, end_line, end_col))
        return known

    def _call(
        self,
        caller: int | None,
        function: str,
        at: tuple[Any, int] | None,
        source: Source,
        *,
        library: bool = False,
        handed: bool = False,
    ) -> int:
        """The index of a call that was made `at` a place in its caller."""
        key = (caller, function, at)
        known = self._indices.get(key)
        if known is None:
            known = self._indices[key] = len(self.calls)
            span = None if at is None else self._where(at, source)[1]
            # A method of a class in a function is still that of the class.
            name = function.rpartition("<locals>.")[2]
            self.calls.append({"function": name, "caller": caller, "span": span, "library": library, "handed": handed})
        return known
