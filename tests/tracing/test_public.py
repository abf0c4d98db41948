"""The public `serialize`: a validated Program, and a clear refusal of anything else."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from visualizer.model import Program
from visualizer.tracing import serialize


def test_gives_the_program_of_a_closed_jaxpr() -> None:
    closed = jax.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0)
    program = serialize(closed, name="f")
    assert isinstance(program, Program)
    assert program.name == "f" and program.entry is not None
    assert [eqn.primitive for eqn in program.jaxprs[program.entry].eqns] == ["sin", "mul"]
    assert program.texts["jaxpr"].text == str(closed)
    assert Program.model_validate_json(program.model_dump_json()) == program


@pytest.mark.parametrize("wrong", [None, 3, "{ lambda ; . let in () }", jnp.sin])
def test_refuses_what_is_no_closed_jaxpr(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"serialize takes a ClosedJaxpr, as jax.make_jaxpr"):
        serialize(wrong)
