"""Supervisors that tests share, and what a test asks of an answer."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from visualizer.sandbox import Limits, Supervisor

HERE = Path(__file__).parent
QUICK = Limits(cpu_seconds=1, wall_seconds=15.0, memory_mb=256, result_bytes=2 << 20)


class Answer:
    """The messages of one answer, read."""

    def __init__(self, lines: list[bytes]) -> None:
        self.messages: list[dict[str, Any]] = [json.loads(line) for line in lines]

    @property
    def trace(self) -> dict[str, Any]:
        return self.messages[0]["trace"]

    @property
    def text(self) -> str:
        return self.trace["output"]["text"]

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        return [found for message in self.messages for found in (message["trace"] or message["patch"])["diagnostics"]]

    @property
    def codes(self) -> list[str]:
        return [found["code"] for found in self.diagnostics]


class Box:
    """A supervisor with the questions that tests ask of it."""

    def __init__(self, supervisor: Supervisor) -> None:
        self.supervisor = supervisor

    def run(self, source: str, **more: Any) -> Answer:
        return Answer(list(self.supervisor.trace({"source": source, **more})))

    def zygote(self) -> int:
        assert self.supervisor._runtime is not None
        return self.supervisor._runtime.pid

    def children(self) -> list[int]:
        """The living processes that the zygote started, in whatever way they left it."""
        return [pid for pid in processes() if pid != self.zygote() and is_zygote(pid) and zygote_of(pid, self.zygote())]

    def settles(self) -> bool:
        """Whether only the waiting children are left, soon."""
        return eventually(lambda: len(self.children()) <= self.supervisor._spares)


def processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def stat(pid: int) -> tuple[str, int, int]:
    """State, parent and session of a process; zeros when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "X", 0, 0
    return fields[0], int(fields[1]), int(fields[3])


def is_zygote(pid: int) -> bool:
    try:
        return b"_zygote.py" in Path(f"/proc/{pid}/cmdline").read_bytes() and stat(pid)[0] not in "ZX"
    except OSError:
        return False


def zygote_of(pid: int, zygote: int) -> bool:
    """Our own zygote's child, or an orphan of one (its parent is init)."""
    return stat(pid)[1] in (zygote, 1)


def eventually(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether something that another process does comes true in time."""
    end = time.monotonic() + seconds
    pause = threading.Event()
    while not holds():
        if time.monotonic() > end:
            return False
        pause.wait(0.01)
    return True


def make(worker: str = "fake_worker", **options: Any) -> Supervisor:
    options.setdefault("limits", QUICK)
    options.setdefault("size", 2)
    return Supervisor(worker, import_paths=(str(HERE),), **options)


@pytest.fixture(scope="session")
def box() -> Iterator[Box]:
    with make() as supervisor:
        yield Box(supervisor)


@pytest.fixture
def start() -> Iterator[Callable[..., Box]]:
    """Start a supervisor of one's own; closed at the end."""
    opened: list[Supervisor] = []

    def build(worker: str = "fake_worker", **options: Any) -> Box:
        supervisor = make(worker, **options)
        opened.append(supervisor)
        supervisor.start()
        return Box(supervisor)

    yield build
    for supervisor in opened:
        supervisor.close()
