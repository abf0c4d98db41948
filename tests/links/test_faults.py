"""Nothing that the store has answered for is lost, nothing is half there, and every fault ends in a clear word within seconds."""

from __future__ import annotations

import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import func, select, text

from visualizer.links import LinkStore, StoreProblem
from visualizer.links._engine import url_of
from visualizer.links._operate import check
from visualizer.links._tables import creators, links

from .contents import content
from .writer import kept_of

ROOT = Path(__file__).parents[2]
# As long as a lock is waited for, and some more for a busy machine.
BOUND = 20.0


def writer(database: str, first: int, count: str = "-", **options) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.links.writer", database, str(first), count]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, **options)


def answered(lines: list[str]) -> dict[int, tuple[str, str]]:
    """What was acknowledged; a last line that was cut off by the kill is none."""
    whole = [line.split() for line in lines if line.endswith("\n")]
    return {int(number): (name, token) for number, name, token in whole}


def is_whole(store: LinkStore, number: int, name: str) -> bool:
    link = store.get(name)
    return link is not None and (link.content, link.kept, link.title) == (content(f"x = {number}"), kept_of(number), f"x{number}")


def count(store: LinkStore, table) -> int:
    with store.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def code_of(call, *arguments) -> str:
    with pytest.raises(StoreProblem) as found:
        call(*arguments)
    return found.value.code


def test_a_writer_that_is_killed_loses_no_link_and_leaves_none_half(database, opened):
    chance = random.Random(7)
    there: dict[int, tuple[str, str]] = {}
    # A client that is gone is nothing new to PostgreSQL; SQLite is in the process that is killed.
    for turn in range(2 if database.startswith("postgresql") else 6):
        with writer(database, 10_000 * turn) as process:
            lines = [process.stdout.readline() for _ in range(chance.randint(1, 30))]
            # Somewhere in the writing of the next one.
            time.sleep(chance.random() * 0.01)
            process.kill()
            lines += process.stdout.readlines()
        assert process.returncode == -9
        there |= answered(lines)
        store = opened(database)
        assert all(is_whole(store, number, name) for number, (name, _) in there.items())
        assert list(check(store)) == []
        # At most one more for each kill: written, and killed before it could say so.
        assert len(there) <= count(store, links) <= len(there) + turn + 1
        assert count(store, links) == count(store, creators)
    assert all(store.delete(name, token) for name, token in there.values())


def test_two_processes_write_the_same_and_different_links(database, opened):
    # 0..29 are shared by both, the others are each one's own; both find no tables when they start.
    with writer(database, 0, "60") as one, writer(database, 30, "60") as other:
        mine, theirs = answered(one.stdout.readlines()), answered(other.stdout.readlines())
    assert (one.returncode, other.returncode) == (0, 0)
    assert (len(mine), len(theirs)) == (60, 60)
    store = opened(database)
    both = {**mine, **theirs}
    assert all(is_whole(store, number, name) for number, (name, _) in both.items())
    assert all(mine[number][0] == theirs[number][0] and mine[number][1] != theirs[number][1] for number in range(30, 60))
    assert (count(store, links), count(store, creators)) == (90, 120)
    assert all(store.delete(*found) for found in mine.values())
    assert count(store, links) == 60


def test_processes_that_start_together_make_the_tables_once(database):
    started = [writer(database, 100 * number, "1") for number in range(4)]
    for process in started:
        with process:
            assert len(answered(process.stdout.readlines())) == 1
        assert process.returncode == 0


@contextmanager
def locked(database: str) -> Iterator[None]:
    """Someone else has the tables to themselves (of SQLite, what can be written of them)."""
    url = url_of(database)
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(url.database, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            yield
            connection.execute("ROLLBACK")
    else:
        with psycopg.connect(database) as connection:
            connection.execute("LOCK TABLE links, creators, removed IN ACCESS EXCLUSIVE MODE")
            yield
            connection.rollback()


def test_a_locked_database_is_waited_for_a_moment_and_told_of(database, opened):
    store = opened(database, wait_seconds=0.3)
    added = store.add(content(), b"k", "t")
    with locked(database):
        start = time.monotonic()
        assert code_of(store.add, content("other"), None, "") == "busy"
        assert code_of(store.delete, added.id, added.delete_token) == "busy"
        assert time.monotonic() - start < BOUND
    assert store.add(content("other"), None, "").created
    assert store.get(added.id).kept == b"k"


def test_a_file_that_another_program_has_to_itself_is_told_of(sqlite, opened):
    opened(sqlite).close()
    with closing(sqlite3.connect(sqlite, isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        start = time.monotonic()
        with pytest.raises(StoreProblem) as found:
            LinkStore(sqlite, wait_seconds=0.3)
        assert found.value.code == "busy"
        assert time.monotonic() - start < BOUND


def test_callers_do_not_pile_up_at_a_locked_database(database, opened):
    store = opened(database, wait_seconds=0.5)
    found: list[tuple[str, float]] = []

    def call() -> None:
        start = time.monotonic()
        said = code_of(store.add, content(), None, "")
        found.append((said, time.monotonic() - start))

    with locked(database):
        threads = [threading.Thread(target=call) for _ in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert [said for said, _ in found] == ["busy"] * 40
    assert max(seconds for _, seconds in found) < BOUND
    assert store.add(content(), None, "").created


def test_readers_do_not_wait_for_a_writer(sqlite, opened):
    store = opened(sqlite)
    added = store.add(content(), b"k", "t")
    with closing(sqlite3.connect(sqlite, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        assert store.get(added.id).kept == b"k"
        connection.execute("ROLLBACK")


def test_a_full_database_takes_no_more_and_gives_out_what_it_has(sqlite, opened):
    store = opened(sqlite, most_bytes=400_000)
    there = []

    def fill() -> None:
        there.extend((number, store.add(content(f"x = {number}"), kept_of(number), f"x{number}")) for number in range(1000))

    assert code_of(fill) == "full"
    assert there
    assert all(is_whole(store, number, added.id) for number, added in there)
    assert list(check(store)) == []
    # Room is room again.
    for _, added in there:
        assert store.delete(added.id, added.delete_token)
    assert store.add(content("x = 0"), kept_of(0), "x0").created


def test_a_disk_that_is_full_loses_nothing(sqlite, opened):
    opened(sqlite)
    limit = 600_000

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    with writer(sqlite, 0, preexec_fn=small, stderr=subprocess.PIPE) as process:
        said, complaint = process.communicate(timeout=120)
    assert "There is no room left" in complaint
    there = answered(said.splitlines(keepends=True))
    store = opened(sqlite)
    assert there
    assert all(is_whole(store, number, name) for number, (name, _) in there.items())
    assert list(check(store)) == []
    assert store.add(content(), None, "").created


def test_a_file_with_damaged_pages_gives_out_what_is_whole_or_says_so(sqlite, opened):
    store = opened(sqlite)
    there = {number: store.add(content(f"x = {number}"), kept_of(number), f"x{number}").id for number in range(20)}
    store.close()
    data = bytearray(Path(sqlite).read_bytes())
    chance = random.Random(3)
    for _ in range(40):
        at = chance.randrange(4096, len(data) - 64)
        data[at : at + 64] = chance.randbytes(64)
    Path(sqlite).write_bytes(data)
    store = opened(sqlite)
    outcomes = set()
    for number, name in there.items():
        try:
            link = store.get(name)
        except StoreProblem as problem:
            outcomes.add(problem.code)
            continue
        if link is not None:
            assert link.content == content(f"x = {number}")
            assert link.kept in (kept_of(number), None)
            outcomes.add("whole" if link.kept else "without picture")
    assert outcomes & {"damaged", "without picture"}
    assert list(check(store))


def test_a_file_that_is_no_database_is_left_alone(sqlite):
    Path(sqlite).parent.mkdir()
    Path(sqlite).write_bytes(b"my shopping list\n" * 300)
    assert code_of(LinkStore, sqlite) == "damaged"
    assert Path(sqlite).read_bytes() == b"my shopping list\n" * 300


def test_a_database_of_a_newer_version_is_left_alone(database, opened):
    store = opened(database)
    with store.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreProblem, match="newer version") as found:
        LinkStore(database)
    assert found.value.code == "newer"
    assert "Update this server" in found.value.advice
    with store.database.reading() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"


@contextmanager
def unprivileged() -> Iterator[None]:
    """Root may write anywhere: someone else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_can_only_be_read_is_told_of(there):
    with tempfile.TemporaryDirectory() as name:
        folder, file = Path(name), Path(name, "links.sqlite3")
        made = ""
        if there:
            with closing(LinkStore(str(file))) as store:
                made = store.add(content(), b"k", "t").id
            file.chmod(0o444)
        folder.chmod(0o555)
        with unprivileged():
            assert code_of(LinkStore, str(file)) == "read-only"
        folder.chmod(0o755)
        if there:
            file.chmod(0o644)
            with closing(LinkStore(str(file))) as store:
                assert store.get(made).kept == b"k"


def test_a_database_that_can_only_be_read_is_read(server, opened):
    database = server.database()
    store = opened(database)
    added = store.add(content(), b"k", "t")
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {connection.info.dbname} SET default_transaction_read_only = on")
    other = opened(database)
    assert other.get(added.id).kept == b"k"
    assert code_of(other.add, content("other"), None, "") == "read-only"


def test_a_server_that_crashes_is_told_of_and_found_again(server, opened):
    database = server.database()
    store = opened(database, wait_seconds=2)
    added = store.add(content(), b"k", "t")
    with writer(database, 0) as process:
        lines = [process.stdout.readline() for _ in range(20)]
        server.crash()
        lines += process.stdout.readlines()
    try:
        start = time.monotonic()
        assert code_of(store.get, added.id) == "unreachable"
        assert code_of(store.add, content("other"), None, "") == "unreachable"
        assert code_of(LinkStore, database) == "unreachable"
        assert time.monotonic() - start < BOUND
    finally:
        server.start()
    assert store.get(added.id).kept == b"k"
    assert all(is_whole(store, number, name) for number, (name, _) in answered(lines).items())
    assert store.add(content("other"), None, "").created


def test_a_password_is_in_no_message(server):
    database = server.database().replace("tester@", "nobody:secret-word@")
    with pytest.raises(StoreProblem) as found:
        LinkStore(database)
    assert found.value.code == "unreachable"
    assert "secret-word" not in f"{found.value} {found.value.advice} {found.value.detail}"
