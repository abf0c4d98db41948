"""Printed jaxprs as programs, for other tools and people's own code.

Promises: validated, immutable programs, or JaxprError with line, column, what was expected and what to do. Must never: import jax.
"""

from __future__ import annotations

from visualizer.model import Program

from ._errors import JaxprError
from ._read import read


def parse_jaxpr(text: str) -> tuple[Program, ...]:
    """Every jaxpr that is printed in a text, as `str` of a jaxpr prints it in JAX 0.4.13 to 0.10.2; text around them is passed over.

    Raises JaxprError where one goes wrong or ends too early; its `programs` are what could be read all the same.
    """
    reading = read(text)
    programs = tuple(Program.model_validate(program) for program in reading.programs)
    for found in reading.problems:
        if not found.warning:
            raise JaxprError(found.message, found.span["line"], found.span["col"], found.expected, found.advice, programs)
    return programs
