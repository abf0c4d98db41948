"""Links through the real servers: killed in the middle of requests, and waiting for a database that somebody else holds."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.links.contents import address, content
from visualizer.links import LinkStore
from visualizer.links._operate import check

ROOT = Path(__file__).parents[2]
URL = "api/v1/links"


class Served:
    """A server in a group of its own, so that all of it can be killed at once."""

    def __init__(self, kind: str, database: str) -> None:
        command = [sys.executable, "-m", "tests.web.serve_fake", kind, database]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.address = next(line.strip() for line in self.process.stdout if line.startswith("http://"))

    def ask(self, path: str, body: object = None, seconds: float = 60) -> tuple[int, dict]:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=seconds) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def kill(self) -> None:
        if not self.process.stdout.closed:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(60)
            self.process.stdout.close()


@pytest.fixture(params=["gunicorn", "waitress"])
def serve(request, database) -> Iterator[Callable[[], Served]]:
    """Starts servers of a kind, and leaves none behind."""
    servers: list[Served] = []

    def start() -> Served:
        servers.append(Served(request.param, database))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


@pytest.fixture
def database(tmp_path) -> str:
    return str(tmp_path / "links.sqlite3")


def test_a_server_that_is_killed_has_every_link_that_it_answered_for(serve, database):
    answered: dict[int, str] = {}
    for turn in range(2):
        server = serve()
        enough = threading.Event()

        def post(first: int, server: Served = server, enough: threading.Event = enough) -> None:
            for number in range(first, first + 1000):
                try:
                    status, told = server.ask(URL, {"state": address({"source": f"x = {number}"})})
                except OSError:
                    return
                if status == 201:
                    answered[number] = told["id"]
                    if len(answered) >= 25 * (turn + 1):
                        enough.set()

        threads = [threading.Thread(target=post, args=(10_000 * turn + 1000 * at,)) for at in range(4)]
        for thread in threads:
            thread.start()
        assert enough.wait(120)
        server.kill()
        for thread in threads:
            thread.join(60)
    server = serve()
    assert all(server.ask(f"{URL}/{name}")[0] == 200 for name in answered.values())
    server.kill()
    with closing(LinkStore(database)) as store:
        assert all(store.get(name).content == content(f"x = {number}") for number, name in answered.items())
        assert list(check(store)) == []


def test_a_locked_database_holds_up_nothing_else(serve, database):
    server = serve()
    assert server.ask(URL, {"state": address({"source": "x"})})[0] == 201
    found: list[tuple[int, str]] = []

    def post(number: int) -> None:
        status, told = server.ask(URL, {"state": address({"source": f"x = {number}"})})
        found.append((status, told["error"]["code"]))

    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        threads = [threading.Thread(target=post, args=(number,)) for number in range(40)]
        for thread in threads:
            thread.start()
        start = time.monotonic()
        while any(thread.is_alive() for thread in threads):
            assert server.ask("healthz")[0] == 200
        # Three seconds for a lock, eight at a time, and a busy machine.
        assert time.monotonic() - start < 45
    assert set(found) == {(503, "links-busy")}
    assert len(found) == 40
    assert server.ask(URL, {"state": address({"source": "y"})})[0] == 201
