"""A job's child: takes its descriptors, locks itself, reads the request, lets the worker answer, ends.

Promises: nothing of the job is read before every layer is on; whatever the worker raises is told in a line; it never returns.
Must never: trust anything after the worker started: from then on this process is the stranger's.
"""

import fcntl
import json
import math
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

from . import _attacks, _jail, _kernel, _limits, _pages
from ._emit import make_emitter
from ._jail import Jail
from ._protocol import CANARIES, JOB_FD

SETUP_FAILED, CANNOT_ANSWER, BROKEN = 97, 98, 99
# Said on the output by a child that ends with SETUP_FAILED: the status alone may be the paste's own.
NOT_CLOSED = b"the jail could not be closed"
_LONGEST_MESSAGE = 2000


class Worker(Protocol):
    """What a worker module offers. Two more may be there: `rehearse()`, jobs of the usual kind, shows which pages a job touches; and
    `prepare_child()` runs in each waiting child, before the filter and the job. When the time is over the process gets SIGXCPU
    of the kernel or SIGVTALRM of the supervisor: a worker may answer then, emit `{"done": True}` and end the process."""

    def prepare(self) -> None: ...

    def describe(self) -> dict[str, Any]: ...

    def trace_request(self, request: dict[str, Any], emit: Callable[[dict[str, Any]], None]) -> None: ...


def take_descriptors(job: int, result: int, output: int, ruleset: int | None) -> int | None:
    """Arrange the child's descriptors (0 empty, 1 and 2 output, 3 job, 4 result) and close all others; the ruleset's new number."""
    empty = os.open(os.devnull, os.O_RDONLY)
    wanted = [empty, output, output, job, result] + ([] if ruleset is None else [ruleset])
    # Lifted first: a number that is wanted may be in use by another of them.
    lifted = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 100) for descriptor in wanted]
    for number, descriptor in enumerate(lifted):
        os.dup2(descriptor, number, inheritable=False)
    _kernel.close_from(len(wanted))
    return None if ruleset is None else len(wanted) - 1


def run(worker: Worker, jail: Jail, slot: int, cpu_seconds: int, pages: tuple[_pages.Range, ...] = ()) -> None:
    """Lock the process and do one job. Never returns. The descriptors are in their places (`take_descriptors`)."""
    try:
        os.setsid()
        for name in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
            signal.signal(name, signal.SIG_DFL)
        _jail.lock(jail, slot, cpu_seconds)
        _pages.populate(pages)
        warm = getattr(worker, "prepare_child", None)
        if warm is not None:
            warm()
        _jail.filter_calls(jail)
    except BaseException as problem:
        os.write(2, NOT_CLOSED + f": {type(problem).__name__}: {problem}".encode())
        os._exit(SETUP_FAILED)
    exit_now, status = os._exit, BROKEN
    try:
        _serve(worker)
    finally:
        exit_now(status)


def run_plain(worker: Worker, limits: _limits.Limits) -> None:
    """Do one job under rlimits alone (the `local` tier). Never returns. What loading the worker took is not the job's."""
    spent = math.ceil(time.process_time())
    _limits.apply_what_works(limits, limits.cpu_seconds + spent)
    _serve(worker)


def _serve(worker: Worker) -> None:
    exit_now = os._exit
    emit = make_emitter()
    data = _read_all(JOB_FD)
    if not data:
        exit_now(0)
    os.close(JOB_FD)
    try:
        request = json.loads(data)
        if CANARIES in request:
            emit({"canary": _attacks.run(request[CANARIES], emit)})
        else:
            worker.trace_request(request, emit)
        _flush()
        emit({"done": True})
    except BaseException as problem:
        _flush()
        try:
            emit({"failed": {"type": _name(problem), "message": _text(problem)}})
        except BaseException:
            exit_now(CANNOT_ANSWER)
    exit_now(0)


def _read_all(descriptor: int) -> bytes:
    chunks = []
    while chunk := os.read(descriptor, 1 << 16):
        chunks.append(chunk)
    return b"".join(chunks)


def _flush() -> None:
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None:
                stream.flush()
        except BaseException:  # noqa: S112 - a stranger's stream may raise anything, and the text is not needed
            continue


def _name(problem: BaseException) -> str:
    return "MemoryError" if isinstance(problem, MemoryError) else type(problem).__name__[:100]


def _text(problem: BaseException) -> str:
    try:
        return str(problem)[:_LONGEST_MESSAGE]
    except BaseException:
        return ""
