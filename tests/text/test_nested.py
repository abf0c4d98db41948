"""Every primitive that carries jaxprs, written back to the character as JAX prints it. The corpus: tests/tracing/test_truth.py."""

from __future__ import annotations

import importlib.util
import re
from typing import Any

import jax
import pytest

from tests.text.programs import ours
from tests.tracing.test_truth import CASES

NESTED = CASES / "nested_jaxpr_programs.py"


def _nested() -> Any:
    if not NESTED.is_file():
        return None
    spec = importlib.util.spec_from_file_location("nested_jaxpr_programs", NESTED)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def nested() -> Any:
    return _nested() or pytest.skip("the shared cases are not here")


def _names() -> list[str]:
    return re.findall(r"^def (p_\w+)", NESTED.read_text(), re.MULTILINE) if NESTED.is_file() else []


@pytest.mark.corpus
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", _names())
def test_each_primitive_that_carries_jaxprs(nested: Any, name: str) -> None:
    fun, args = getattr(nested, name)()
    closed = jax.make_jaxpr(fun)(*args)
    assert ours(closed) == str(closed)
