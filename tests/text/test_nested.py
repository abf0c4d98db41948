"""Every primitive that carries jaxprs, and every case of the corpus, written back as JAX prints it: to the character."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import jax
import pytest

from tests.text.programs import ours
from tests.tracing.test_truth import CASES, _cases, _trace

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
    import re

    return re.findall(r"^def (p_\w+)", NESTED.read_text(), re.MULTILINE) if NESTED.is_file() else []


@pytest.mark.corpus
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", _names())
def test_each_primitive_that_carries_jaxprs(nested: Any, name: str) -> None:
    fun, args = getattr(nested, name)()
    closed = jax.make_jaxpr(fun)(*args)
    assert ours(closed) == str(closed)


@pytest.mark.corpus
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", _cases())
def test_each_case_of_the_corpus(name: str) -> None:
    case = json.loads((CASES / name / "expect.json").read_text())
    closed, _ = _trace(CASES / name, case["entry"])
    assert ours(closed) == str(closed)
