"""What a document asks for, and what it is given.

Promises: a wish is plain values, so it can be handed to another process and hashed. Must never: read a file or start anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_FUNCTION = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*:(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*")


@dataclass(frozen=True)
class Wanted:
    """A diagram that a document asks for: by code whose last expression is drawn, by a function's name, or by a saved file.

    `line` is the line of the document that the code begins at, `options` are those of `drawing.Options`.
    """

    code: str | None = None
    function: str | None = None
    args: str | None = None
    saved: str | None = None
    setup: str = ""
    line: int = 1
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """What was made. `svg` follows the reader's system, `inline` the page that it stands in, `light` neither.

    `files` are the person's own files that it was made from, each with the digest that it had.
    """

    svg: str
    inline: str
    light: str
    alt: str
    source: str
    files: dict[str, str]


class NotDrawn(Exception):
    """There is no picture. `line` is the line of the document that it is about, or None."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def is_function(text: str) -> bool:
    """Whether this names a function: `package.module:function`."""
    return _FUNCTION.fullmatch(text) is not None


def options_of(level: str | None, depth: int | None, direction: str | None, alt: str | None, title: str | None = None) -> dict[str, Any]:
    """The options that were given, in the words of the drawing."""
    given = {"level": level, "open": depth, "direction": direction, "alt": alt or None, "title": title or None}
    return {name: value for name, value in given.items() if value is not None}
