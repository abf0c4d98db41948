"""What is given to be read, and what a reader of it is: apart from the readers, which stand above it.

Promises: data alone. Must never: import a reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ._answer import Answer
from .source._paste import PasteSource

Dict = dict[str, Any]
Emit = Callable[[Dict], None]


@dataclass(frozen=True)
class Given:
    """A text with its lines, or the bytes of a file (then the text is empty)."""

    source: PasteSource
    data: bytes | None
    request: Dict
    levels: tuple[str, ...]


Reader = Callable[[Given, Answer, Emit], None]
