"""Forked children that do small tasks which may end or stall their process: the parser of a section, say.

Promises: every task has one result, in order; a task that ends its process, or takes too long, has the name of the signal or `time` in
place of one, and the tasks after it are done by another child. Must never: be used in a process with threads or a backend.
"""

from __future__ import annotations

import faulthandler
import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

Task = TypeVar("Task")
Json = dict[str, Any]


@dataclass
class _Child:
    pid: int
    pipe: int
    tasks: list[int]
    data: bytes = b""
    since: float = field(default_factory=time.monotonic)
    done: int = 0


def done_by_children(work: Callable[[Task], Json], tasks: Sequence[Task], *, jobs: int, seconds: float, chunk: int = 40) -> Iterator[Json]:
    """The result of each task in order; `{"died": why}` for one that its process did not survive."""
    results: dict[int, Json] = {}
    waiting = [list(range(at, min(at + chunk, len(tasks)))) for at in range(0, len(tasks), chunk)][::-1]
    children: list[_Child] = []
    following = 0
    while waiting or children:
        while waiting and len(children) < jobs:
            children.append(_start(work, tasks, waiting.pop()))
        ready, _, _ = select.select([child.pipe for child in children], [], [], 0.1)
        for child in list(children):
            ended = child.pipe in ready and not _hear(child, results)
            late = not ended and time.monotonic() - child.since > seconds
            if not (ended or late):
                continue
            children.remove(child)
            why = _end(child, late)
            if rest := child.tasks[child.done :]:
                results[rest[0]] = {"died": why}
                if rest[1:]:
                    waiting.append(rest[1:])
        while following in results:
            yield results.pop(following)
            following += 1


def _start(work: Callable[[Task], Json], tasks: Sequence[Task], numbers: list[int]) -> _Child:
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(writing)
        return _Child(pid, reading, numbers)
    try:
        os.close(reading)
        # What the parser writes before it dies is its own affair.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        faulthandler.disable()
        with os.fdopen(writing, "wb") as pipe:
            for number in numbers:
                try:
                    result = work(tasks[number])
                except BaseException:
                    result = {"raised": traceback.format_exc(limit=-3)}
                pipe.write(json.dumps(result).encode() + b"\n")
                pipe.flush()
    finally:
        os._exit(0)


def _hear(child: _Child, results: dict[int, Json]) -> bool:
    """Take what a child has said; False at its end."""
    data = os.read(child.pipe, 1 << 20)
    *lines, child.data = (child.data + data).split(b"\n")
    for line in lines:
        results[child.tasks[child.done]] = json.loads(line)
        child.done += 1
        child.since = time.monotonic()
    return bool(data)


def _end(child: _Child, late: bool) -> str:
    if late:
        os.kill(child.pid, signal.SIGKILL)
    os.close(child.pipe)
    _, status = os.waitpid(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return "time" if late else signal.Signals(-code).name if code < 0 else f"exit {code}"
