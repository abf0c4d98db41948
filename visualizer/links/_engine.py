"""Connections to the database of links: SQLite in a file, or PostgreSQL by an address.

Promises: nothing waits longer than `WAIT_SECONDS` for a lock or a connection, and no more than `PLACES` callers wait for those;
whatever the driver says becomes a StoreProblem. Must never: let an address with its password into a message or a log.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from ._problems import Code, StoreProblem

WAIT_SECONDS = 3.0
CONNECTIONS = 4
PLACES = 8
# For a place: many who come in one moment find one after another, and a database that hangs holds nobody up.
PLACE_SECONDS = 0.5
_PAGE = 4096
_ERRNO: dict[int, Code] = {
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "read-only"),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "full"),
}
_EXAMPLE = "Give the path of a file, or postgresql+psycopg://user:password@host/name."


def url_of(database: str) -> URL:
    """From a path, `sqlite:///path` or `postgresql://...`. Raises StoreProblem."""
    if "://" not in database:
        return URL.create("sqlite", database=str(Path(database).expanduser().absolute()))
    try:
        url = make_url(database)
    except (ArgumentError, ValueError):
        raise StoreProblem("setting", message="The address of the database cannot be read.", advice=_EXAMPLE) from None
    if url.drivername in {"postgres", "postgresql"}:
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in {"sqlite", "postgresql+psycopg"} or (url.drivername == "sqlite" and url.database in {None, "", ":memory:"}):
        known = "Links are kept in a SQLite file or in PostgreSQL."
        raise StoreProblem("setting", message=f"{known} {url.drivername}: is neither.", advice=_EXAMPLE)
    return url


class Database:
    """An engine and the waiting before it. `most_bytes` bounds a SQLite file; PostgreSQL is bounded by whoever runs it."""

    def __init__(self, database: str, most_bytes: int, wait_seconds: float = WAIT_SECONDS) -> None:
        self.url = url_of(database)
        self.wait_seconds = wait_seconds
        self._places = threading.BoundedSemaphore(PLACES)
        self.engine = self._sqlite(most_bytes) if self.is_sqlite else self._postgresql()
        self._writing = self.engine.execution_options(writes=True)

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._connected(self.engine) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is there for good when the block has ended, and not at all when it raised."""
        with self._connected(self._writing) as connection:
            yield connection

    @contextmanager
    def _connected(self, engine: Engine) -> Iterator[Connection]:
        # Callers are threads of a server: rather a clear answer for some than none for all.
        if not self._places.acquire(timeout=PLACE_SECONDS):
            raise StoreProblem("busy", "as many callers as may wait are waiting")
        try:
            with engine.begin() as connection:
                yield connection
        except (DBAPIError, NoConnection) as error:
            raise problem_of(error) from error
        finally:
            self._places.release()

    def close(self) -> None:
        self.engine.dispose()

    def _sqlite(self, most_bytes: int) -> Engine:
        path = Path(self.url.database or "")
        _make_file(path)
        engine = create_engine(
            URL.create("sqlite", database=str(path)),
            connect_args={"timeout": self.wait_seconds, "check_same_thread": False},
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=self.wait_seconds,
        )

        @event.listens_for(engine, "connect")
        def connect(raw: sqlite3.Connection, _record: object) -> None:
            # Transactions begin where we say, with the lock that they need, not where the driver guesses.
            raw.isolation_level = None
            raw.execute("PRAGMA foreign_keys = ON")
            # What was answered for outlives a power cut.
            raw.execute("PRAGMA synchronous = FULL")
            raw.execute("PRAGMA trusted_schema = OFF")
            raw.execute(f"PRAGMA max_page_count = {max(16, most_bytes // _PAGE)}")

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")

        return engine

    def _postgresql(self) -> Engine:
        wait = int(self.wait_seconds * 1000)
        options = f"-c lock_timeout={wait} -c statement_timeout={3 * wait} -c idle_in_transaction_session_timeout={10 * wait}"
        try:
            return create_engine(
                self.url,
                connect_args={
                    "connect_timeout": max(2, int(self.wait_seconds)),
                    "options": options,
                    "application_name": "jaxpr-visualizer",
                },
                pool_size=CONNECTIONS,
                max_overflow=0,
                pool_timeout=self.wait_seconds,
                pool_pre_ping=True,
            )
        except ImportError:
            advice = 'Install it where the server runs: pip install "jaxpr-visualizer[postgresql]"'
            raise StoreProblem("setting", message="The driver for PostgreSQL is not installed.", advice=advice) from None


def _make_file(path: Path) -> None:
    """SQLite gives its other files the rights of this one: what people paste is nobody else's to read.

    One that is there is not touched: a file that is opened and closed beside SQLite loses the locks that this process has on it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not path.is_file():
            raise StoreProblem("setting", f"{path} is no file", "The database of links is not a file.", _EXAMPLE) from None
    except OSError as error:
        raise StoreProblem(_ERRNO.get(error.errno or 0, "unreachable"), f"{path}: {error.strerror}") from None


def use_wal(database: Database) -> None:
    """Readers do not wait for a writer then. Said once, the file remembers it; changing it needs the file for a moment."""
    end = time.monotonic() + 3 * database.wait_seconds
    while True:
        try:
            with closing(sqlite3.connect(database.url.database or "", timeout=database.wait_seconds, isolation_level=None)) as raw:
                if raw.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                    raw.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.Error as error:
            problem = _sqlite_problem(error)
            if problem is None or (problem.code == "busy" and time.monotonic() > end):
                raise problem or error from error
            if problem.code == "read-only":
                return
            if problem.code != "busy":
                raise problem from error
            time.sleep(0.05)


_SQLITE: dict[str, Code] = {
    "SQLITE_BUSY": "busy",
    "SQLITE_LOCKED": "busy",
    "SQLITE_FULL": "full",
    "SQLITE_IOERR_WRITE": "full",
    "SQLITE_IOERR_SHMSIZE": "full",
    "SQLITE_IOERR": "unreachable",
    "SQLITE_READONLY": "read-only",
    "SQLITE_PERM": "read-only",
    "SQLITE_CANTOPEN": "unreachable",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_NOTADB": "damaged",
}
# By class, or by the whole state where it differs from its class.
_POSTGRESQL: dict[str, Code] = {
    "53100": "full",
    "53": "busy",
    "55": "busy",
    "40": "busy",
    "57014": "busy",
    "57": "unreachable",
    "08": "unreachable",
    "28": "unreachable",
    "3D": "unreachable",
    "25006": "read-only",
    "42501": "read-only",
    "XX001": "damaged",
    "XX002": "damaged",
}


def problem_of(error: DBAPIError | NoConnection) -> StoreProblem:
    """What a driver said, in our words. Anything else is a mistake of ours, and raised as it is."""
    if isinstance(error, NoConnection):
        return StoreProblem("busy", "no connection was free")
    problem = _sqlite_problem(error.orig) if isinstance(error.orig, sqlite3.Error) else _postgresql_problem(error)
    if problem is None:
        raise error
    return problem


def _sqlite_problem(error: sqlite3.Error) -> StoreProblem | None:
    name = getattr(error, "sqlite_errorname", "")
    code = next((code for start, code in _SQLITE.items() if name.startswith(start)), None)
    return None if code is None else StoreProblem(code, f"{name}: {error}")


def _postgresql_problem(error: DBAPIError) -> StoreProblem | None:
    state = getattr(error.orig, "sqlstate", None) or ""
    code = _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2])
    if code is None and not state and isinstance(error, (OperationalError, InterfaceError)):
        code = "unreachable"
    return None if code is None else StoreProblem(code, f"{type(error.orig).__name__} {state}: {error.orig}")
