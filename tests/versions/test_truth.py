"""Tracing under each version of JAX says what JAX of that version says: JAX alone is the oracle (`judge.py`)."""

from __future__ import annotations

import pytest

from tests.versions.runtime import ALL, CASES, CHOSEN, WANTED, judged
from visualizer.runtimes import default_version

VERSIONS = [*WANTED, default_version()] if ALL else list(WANTED)
SEEDS = "40" if ALL else "12"

pytestmark = pytest.mark.timeout(3000 if ALL else 600)


@pytest.mark.parametrize("version", VERSIONS)
def test_random_programs_agree_object_by_object_and_are_written_back(version: str) -> None:
    found = judged(version, "--seeds", SEEDS)
    assert len(found) == int(SEEDS)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.corpus
@pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")
@pytest.mark.parametrize("version", VERSIONS)
def test_pastes_give_the_programs_and_errors_of_plain_jax(version: str) -> None:
    found = judged(version, "--cases", str(CASES), *([] if ALL else ["--only", CHOSEN]))
    assert len(found) >= (80 if ALL else 18)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
