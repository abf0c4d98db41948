"""The store on both databases: SQLite in a file, and a real PostgreSQL where this machine has one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from visualizer.links import LinkStore

from .postgres import MISSING, Postgres, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres | None]:
    yield from running()


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return str(tmp_path / "data" / "links.sqlite3")


@pytest.fixture
def server(postgres: Postgres | None) -> Postgres:
    if postgres is None:
        pytest.skip(MISSING)
    return postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """The setting of a database that nobody has opened yet."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite"))
    return request.getfixturevalue("server").database()  # type: ignore[no-any-return]


@pytest.fixture
def opened() -> Iterator[Callable[..., LinkStore]]:
    """Opens stores, and closes them all."""
    stores: list[LinkStore] = []

    def make(database: str, **options: float) -> LinkStore:
        stores.append(LinkStore(database, **options))  # type: ignore[arg-type]
        return stores[-1]

    yield make
    for store in stores:
        store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, opened: Callable[..., LinkStore]) -> LinkStore:
    """An open one with nothing in it."""
    if request.param == "sqlite":
        return opened(request.getfixturevalue("sqlite"))
    return opened(request.getfixturevalue("server").emptied())
