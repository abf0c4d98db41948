from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tracing.jobs import Jobs


@pytest.fixture(scope="session")
def jobs() -> Iterator[Jobs]:
    """A prepared process that answers each request in a child of its own."""
    made = Jobs()
    yield made
    made.close()
