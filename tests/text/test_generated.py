"""Programs that nobody wrote, and the functions of JAX's own library, each written back as JAX prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy
import numpy as np
import pytest
from hypothesis import given, settings

from tests.generated import programs, seeded
from tests.text.programs import both, ours
from tests.text.tokens import first_difference


@settings(max_examples=60)
@given(programs())
def test_random_programs(program: Any) -> None:
    closed = jax.make_jaxpr(program.fun)(*program.args)
    assert first_difference(ours(closed), str(closed)) is None


@pytest.mark.parametrize("first", range(0, 100, 25))
def test_seeded_programs_line_for_line(first: int) -> None:
    for number in range(first, first + 25):
        program = seeded(number)
        closed = jax.make_jaxpr(program.fun)(*program.args)
        assert ours(closed) == str(closed), number


X, M = np.linspace(0.1, 0.9, 4, dtype=np.float32), np.eye(3, dtype=np.float32) + 0.1
KEY = jax.random.key(0)
ARGUMENTS: tuple[tuple[Any, ...], ...] = ((X,), (M,), (X, X), (M, M), (np.arange(4),), (X > 0.5, X, X), (KEY,), (KEY, X))
MODULES = {
    "jax.numpy": (jnp, "s t a c"),
    "jax.numpy.linalg": (jnp.linalg, "s e d p"),
    "jax.numpy.fft": (jnp.fft, "f i"),
    "jax.scipy.special": (jax.scipy.special, "e g l"),
    "jax.nn": (jax.nn, "r g s l"),
    "jax.random": (jax.random, "n g p s"),
    "jax.lax": (jax.lax, "c e t"),
}


def functions(module: Any, initials: str) -> Iterator[tuple[str, Any]]:
    for name in dir(module):
        fun = getattr(module, name)
        if name[0] in initials.split() and callable(fun) and not isinstance(fun, type):
            yield name, fun


@pytest.mark.filterwarnings("ignore")  # some warn of arguments like these
@pytest.mark.parametrize("module", MODULES)
def test_functions_of_jax(module: str) -> None:
    compared = 0
    for name, fun in functions(*MODULES[module]):
        for args in ARGUMENTS:
            try:
                mine, theirs = both(fun, *args)
            except (TypeError, ValueError, NotImplementedError, AttributeError, AssertionError, IndexError, KeyError):
                continue  # not a function of such arguments
            assert mine == theirs, name
            compared += 1
            break
    assert compared >= 8
