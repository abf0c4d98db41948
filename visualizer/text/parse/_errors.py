"""What is wrong with a printed jaxpr, in words.

Promises: line (1-based) and column (0-based, UTF-16 units) are those of the text that was given; what was expected there and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from visualizer.model import Program

CUT_OFF = "Paste the print as a whole, to the brace that closes it."
AS_PRINTED = "Paste the text just as JAX prints it: print(jax.make_jaxpr(f)(x))."
BEFORE = "Paste the program from its first equation on, with nothing left out."


class Problem(Exception):
    """Where reading could not go on: a position in the prepared text. Never leaves the package."""

    def __init__(self, at: int, message: str, expected: str = "", advice: str = AS_PRINTED, end: int | None = None) -> None:
        super().__init__(message)
        self.at, self.message, self.expected, self.advice, self.end = at, message, expected, advice, end


def problem(text: str, at: int, message: str, expected: str) -> Problem:
    """What is wrong at a position; where nothing follows it, the print was cut off."""
    return Problem(at, message, expected, AS_PRINTED if text[at : at + 1_000].strip() else CUT_OFF)


class JaxprError(ValueError):
    """A text that is no printed jaxpr, or not all of one. `programs` are what could be read all the same, the last perhaps in part."""

    def __init__(self, message: str, line: int, column: int, expected: str, advice: str, programs: tuple[Program, ...] = ()) -> None:
        wanted = f" Expected {expected}." if expected else ""
        super().__init__(f"line {line}, column {column + 1}: {message}{wanted} {advice}")
        self.message, self.line, self.column, self.expected, self.advice = message, line, column, expected, advice
        self.programs = programs
