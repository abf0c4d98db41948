"""The person's own frames that an equation was traced under.

Promises: innermost first; places as Python's compiler counts them; what stood between one frame and the code inside it.
Must never: take a frame of a library, or of ours, for the person's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from visualizer.tracing._ours import FOLDER
from visualizer.tracing.compat import called_through, code_location, frames_of

from ._functions import Place
from ._spans import Source


class Frame(NamedTuple):
    """One frame: where it stood, the name and first line of its code, and how it came to what is inside it.

    `through` is "" where it called the code of the frame before directly (of the innermost: computed the equation), a transformation's
    name (`grad`), or None where something else was between.
    """

    place: Place
    function: tuple[str, int]
    through: str | None


class Frames:
    """Frames of equations, each place computed once."""

    def __init__(self, source: Source) -> None:
        self._filename = source.filename
        self._places: dict[tuple[Any, int], Place] = {}
        # Equal tracebacks are one to a dict: the equations of a loop, and what differentiation made of each, share theirs.
        self._known: dict[Any, list[Frame]] = {}

    def of(self, eqn: Any) -> list[Frame]:
        """The person's frames of a JaxprEqn."""
        traceback = eqn.source_info.traceback
        known = self._known.get(traceback)
        if known is None:
            known = self._known[traceback] = self._read(eqn)
        return known

    def _read(self, eqn: Any) -> list[Frame]:
        codes, lasti = frames_of(eqn)
        found: list[Frame] = []
        between: list[Any] = []
        for code, last in zip(codes, lasti, strict=True):
            if code.co_filename != self._filename:
                if not code.co_filename.startswith(FOLDER):
                    between.append(code)
                continue
            where = self._places.get((code, last))
            if where is None:
                line, col, end_line, end_col = code_location(code, last)
                where = self._places[code, last] = (line, col, end_line, end_col)
            found.append(Frame(where, (code.co_name, code.co_firstlineno), called_through(between, innermost=not found)))
            between = []
        return found


def through_path(through: str | None, path: str) -> str | None:
    """Where a part of what a function returns is in what the call gives that called it `through` a transformation; None where unknown."""
    if through in ("", "vmap"):
        return path
    if through in ("value_and_grad", "vjp", "jvp", "linearize"):
        return "[0]" + path
    # What has_aux puts beside the gradient.
    return path if through == "grad" and path.startswith("[1]") else None
