"""Our text of a program beside JAX's."""

from __future__ import annotations

from typing import Any

import jax

from visualizer.model import Program
from visualizer.text import jaxpr_text
from visualizer.tracing import serialize


def structure(closed: Any) -> Program:
    """The program through JSON and back, without any printed text."""
    program = Program.model_validate_json(serialize(closed).model_dump_json())
    return program.model_copy(update={"texts": {}})


def ours(closed: Any) -> str:
    """The program written from its structure alone."""
    return jaxpr_text(structure(closed))


def both(fun: Any, *args: Any) -> tuple[str, str]:
    """(our text, JAX's) of a function of some arguments."""
    closed = jax.make_jaxpr(fun)(*args)
    return ours(closed), str(closed)
