"""A PostgreSQL server of the tests' own: in a temporary folder, on a unix socket, as a user that is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg.sql import SQL, Identifier

from visualizer.links import LinkStore
from visualizer.links._tables import metadata

MISSING = "no PostgreSQL here: scripts/setup_postgres.sh installs it (as root, by apt), or install its server and put initdb on the PATH"


def programs() -> Path | None:
    """The folder that holds `initdb` and `postgres`. Debian keeps them off the PATH."""
    found = [path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), reverse=True)]
    on_path = shutil.which("postgres")
    if on_path and shutil.which("initdb"):
        found.append(Path(on_path).parent)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


class Postgres:
    """Started by `start`, ended without a goodbye by `crash`."""

    def __init__(self, bin_: Path) -> None:
        self._bin = bin_
        # Unix sockets have short names: pytest's own folders may be too deep.
        self._folder = Path(tempfile.mkdtemp(prefix="pg"))
        self._user = pwd.getpwuid(65534).pw_name if os.getuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        self._shared: str | None = None
        if self._user:
            shutil.chown(self._folder, self._user)
        made = self._run("initdb", "-D", self._data, "-U", "tester", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
        if made.returncode:
            raise RuntimeError(made.stdout.decode())

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def _run(self, name: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(self._bin / name), *arguments]
        return subprocess.run(command, user=self._user, cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def start(self) -> None:
        options = ("-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=40", "-c", "shared_buffers=16MB")
        command = [str(self._bin / "postgres"), "-D", self._data, "-k", str(self._folder), *options]
        self._process = subprocess.Popen(command, user=self._user, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self._where("postgres"), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def crash(self) -> None:
        """As a power cut, but for the disk's own cache."""
        self._end("immediate")

    def close(self) -> None:
        # Nothing of it is needed any more: no checkpoint.
        self._end("immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self, how: str) -> None:
        if self._process is not None:
            self._run("pg_ctl", "stop", "-D", self._data, "-m", how, "-w")
            self._process.wait(60)
            self._process = None

    def _where(self, name: str) -> str:
        return f"postgresql://tester@/{name}?host={quote(str(self._folder), safe='')}"

    def emptied(self) -> str:
        """A database with the tables in it, as one that is new; the same one each time, which is quicker."""
        if self._shared is None:
            self._shared = self.database()
            LinkStore(self._shared).close()
        with psycopg.connect(self._shared, autocommit=True) as connection:
            connection.execute(SQL("TRUNCATE {}").format(SQL(", ").join(map(Identifier, metadata.tables))))
        return self._shared

    def database(self) -> str:
        """A new one."""
        self._count += 1
        name = f"links{self._count}"
        with psycopg.connect(self._where("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
        return self._where(name)


def running() -> Iterator[Postgres | None]:
    """One server while it is used, or None where there is none on this machine."""
    folder = programs()
    if folder is None:
        yield None
        return
    server = Postgres(folder)
    try:
        server.start()
        yield server
    finally:
        server.close()
