"""Why the store cannot do what it was asked: one exception, with a code that says of which kind.

Must never: hold a path, an address or a password in its words; those are for the log of whoever runs the server.
"""

from __future__ import annotations

from typing import Literal

Code = Literal["busy", "full", "read-only", "unreachable", "damaged", "newer", "setting"]

_WORDS: dict[Code, tuple[str, str]] = {
    "busy": ("The database of links is busy.", "Try again in a few seconds."),
    "full": (
        "There is no room left for more links.",
        "Links that exist still open. Copy the long address instead: it holds everything by itself.",
    ),
    "read-only": (
        "Links cannot be stored here: the database can only be read.",
        "Copy the long address instead: it holds everything by itself. Whoever runs the server gives it a folder where it may write.",
    ),
    "unreachable": ("The database of links cannot be reached.", "Try again later, or use the long address: it needs no database."),
    "damaged": (
        "What is stored of this link is damaged.",
        "Whoever runs the server can look: `jaxpr-visualizer links check` names what is damaged.",
    ),
    "newer": (
        "The database of links was written by a newer version of jaxpr-visualizer.",
        "Update this server, or give it a database of its own with --database.",
    ),
    "setting": ("The database of links is not set up as it must be.", "Whoever runs the server finds the reason in its log."),
}


class StoreProblem(Exception):
    """`code` is its kind, the text is what happened, `advice` what to do; `detail` is for the log only."""

    def __init__(self, code: Code, detail: str = "", message: str = "", advice: str = "") -> None:
        super().__init__(message or _WORDS[code][0])
        self.code = code
        self.advice = advice or _WORDS[code][1]
        self.detail = detail


class Removed(Exception):
    """Whoever runs the server has removed this content."""
