"""The person's own frames that an equation was traced under.

Promises: innermost first; places as Python's compiler counts them; whether one frame called the other with nothing of a library between.
Must never: take a frame of a library, or of ours, for the person's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ._functions import Place
from ._ours import FOLDER
from ._spans import Source
from .compat import code_location, frames_of


class Frame(NamedTuple):
    """One frame: where it stood, the name and first line of its code, and whether the frame after it called its code directly."""

    place: Place
    function: tuple[str, int]
    direct: bool


class Frames:
    """Frames of equations, each place computed once."""

    def __init__(self, source: Source) -> None:
        self._filename = source.filename
        self._places: dict[tuple[Any, int], Place] = {}

    def of(self, eqn: Any) -> list[Frame]:
        """The person's frames of a JaxprEqn."""
        codes, lasti = frames_of(eqn)
        found: list[Frame] = []
        between = 0
        for code, last in zip(codes, lasti, strict=True):
            if code.co_filename != self._filename:
                between += not code.co_filename.startswith(FOLDER)
                continue
            if found:
                found[-1] = found[-1]._replace(direct=between == 0)
            between = 0
            where = self._places.get((code, last))
            if where is None:
                line, col, end_line, end_col = code_location(code, last)
                where = self._places[code, last] = (line, col, end_line, end_col)
            found.append(Frame(where, (code.co_name, code.co_firstlineno), False))
        return found
