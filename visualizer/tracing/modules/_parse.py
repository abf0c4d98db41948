"""jaxlib's own parser, and what it has to say.

Promises: a module that the parser has verified, or its messages with their places; what is not registered with jaxlib is kept.
Must never: raise for what a text or a file holds. (A text can still end the process: the parser is native code. See `_reader.py`.)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from visualizer.tracing._compat_mlir import deserialize_artifact, mlir_context
from visualizer.tracing.compat import mlir

MAGIC = b"ML\xefR"
_PRODUCER = re.compile(rb"ML\xefR.(StableHLO_v[\d.]+|[ -~]{1,80})\0", re.DOTALL)
_AT = re.compile(r'loc\("-":(\d+):(\d+)')
_ERROR = re.compile(r'error: (?:"-":(\d+):(\d+): )?(.*?)(?:\n note: |\Z)', re.DOTALL)


@dataclass(frozen=True)
class Problem:
    """One message of the parser. `line` counts from 1 and `column` from 0, in bytes; null where it names no place in the text."""

    message: str
    line: int | None = None
    column: int = 0


class Parser:
    """Parses in one MLIR context, with every dialect that jaxlib knows."""

    def __init__(self) -> None:
        self._context = mlir_context()
        self._context.allow_unregistered_dialects = True

    def text(self, text: str) -> Any | Problem:
        """The module of a text."""
        return self._parse(text)

    def data(self, data: bytes) -> Any | Problem:
        """The module of a file of bytecode; a portable artefact comes in the dialects of today."""
        if not (producer := producer_of(data)).startswith("StableHLO_v"):
            return self._parse(data)
        said: list[Problem] = []

        def hear(found: Any) -> bool:
            said.append(_problem(found))
            return True

        handler = self._context.attach_diagnostic_handler(hear)
        try:
            return deserialize_artifact(self._context, data)
        except Exception as error:  # every version of the bindings has its own
            why = [problem.message for problem in said] or [str(error)]
            return Problem(f"It was made by {producer}. " + " ".join(why))
        finally:
            handler.detach()

    def registered(self, name: str) -> bool:
        """Whether jaxlib knows the operation."""
        return bool(self._context.is_registered_operation(name))

    def _parse(self, given: str | bytes) -> Any | Problem:
        ir = mlir()
        try:
            return ir.Module.parse(given, context=self._context)
        except Exception as error:
            found = getattr(error, "error_diagnostics", None)
            if found:
                return _problem(found[0])
            said = _ERROR.search(str(error))
            if said is None:
                return Problem(str(error).strip() or type(error).__name__)
            return Problem(said[3].strip(), int(said[1]), int(said[2]) - 1) if said[1] else Problem(said[3].strip())


def producer_of(data: bytes) -> str:
    """Who wrote a file of bytecode, in its own words."""
    found = _PRODUCER.match(data)
    return found[1].decode("ascii", "replace") if found else ""


def _problem(found: Any) -> Problem:
    message = str(found.message).strip()
    notes = [str(note.message).strip() for note in found.notes]
    place = _AT.match(str(found.location))
    # The list of every dialect helps nobody; the operation is said again only where the text does not show it.
    told = ("Available dialects", "see current operation") if place else ("Available dialects",)
    message += "".join(f" ({note})" for note in notes if not note.startswith(told))
    return Problem(message, int(place[1]), int(place[2]) - 1) if place else Problem(message)
