from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tracing.jobs import Jobs


@pytest.fixture(scope="session")
def all_jobs() -> Iterator[Jobs]:
    made = Jobs()
    yield made
    made.close()


@pytest.fixture(scope="module")
def jobs(all_jobs: Jobs, request: pytest.FixtureRequest) -> Iterator[Jobs]:
    """Prepared processes that answer each request in a child of its own.

    A module's `ahead(**params)` gives the requests of a parametrised test, so that they are answered side by side.
    """
    ahead = getattr(request.module, "ahead", None)
    for item in request.session.items if ahead is not None else ():
        if item.path == request.path and "jobs" in getattr(item, "fixturenames", ()) and hasattr(item, "callspec"):
            all_jobs.ahead(ahead(item.originalname, **item.callspec.params))  # type: ignore[attr-defined]
    yield all_jobs
    all_jobs.forget()
