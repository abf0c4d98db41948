"""From what a person pasted to Python that can run.

Promises: a text that is Python as it stands is not touched; everything that was changed is said in a note.
Must never: change what a program means.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from ._errors import from_exception
from ._paste import PasteSource
from ._sites import parse

Dict = dict[str, Any]
MAX_CHARS = 1_000_000


@dataclass
class Reading:
    """A paste that was read: `tree` is None where there is nothing to run, and `diagnostics` say why."""

    source: PasteSource
    tree: ast.Module | None = None
    input: str = "python"
    notes: list[str] = field(default_factory=list)
    diagnostics: list[Dict] = field(default_factory=list)


def read_paste(text: str) -> Reading:
    """Read a paste."""
    source = PasteSource.of(text)
    try:
        return Reading(source, parse(source.text, source.filename))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        return Reading(source, diagnostics=[from_exception(error, source, "read")])
