"""Prepared processes for the tests that run pastes.

A module's `ahead(test, **params)` gives the requests of a parametrised test. They are answered while the tests of other modules run, so
such modules come last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.tracing.jobs import Jobs


def _asks_ahead(item: Any) -> bool:
    return hasattr(getattr(item, "module", None), "ahead")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_asks_ahead)


@pytest.fixture(scope="session")
def jobs(request: pytest.FixtureRequest) -> Iterator[Jobs]:
    """Prepared processes that answer each request in a child of its own."""
    made = Jobs()
    for item in filter(_asks_ahead, request.session.items):
        if "jobs" in getattr(item, "fixturenames", ()) and hasattr(item, "callspec"):
            made.ahead(item.module.ahead(item.originalname, **item.callspec.params))  # type: ignore[attr-defined]
    yield made
    made.close()
