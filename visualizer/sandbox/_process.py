"""The supervisor's handle on one child: its pipes, its end, and how to end it.

Promises: `close` always leaves no process and no descriptor behind, whatever state the child is in. Must never: kill by a bare pid, which
may belong to another process by then.
"""

import contextlib
import os
import signal
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ._limits import MB

# What a child hears when it has waited too long, as it hears SIGXCPU of the kernel for too much processor time.
TIME_IS_OVER = signal.SIGVTALRM


@dataclass(frozen=True, slots=True)
class Exit:
    """How a child ended: the wait status, processor seconds over all its threads, peak resident memory in MB."""

    status: int
    cpu_seconds: float
    peak_mb: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What a running child uses now."""

    resident_mb: int
    threads: int


class Child(Protocol):
    """A child that waits for a request on `job`; `pidfd` is None where the system has none."""

    job: int
    result: int
    output: int
    pidfd: int | None

    def kill(self) -> None: ...

    def warn(self) -> None:
        """Tell it that its time is over; without a handler of the worker's this ends it."""

    def wait(self, timeout: float) -> Exit | None: ...

    def usage(self) -> Usage | None: ...

    def close_job(self) -> None: ...

    def close(self) -> None: ...


class Descriptors:
    """The pipes of a child, each closed once."""

    def __init__(self, job: int, result: int, output: int) -> None:
        self.job, self.result, self.output = job, result, output
        self._open = {job, result, output}
        for descriptor in self._open:
            os.set_blocking(descriptor, False)

    def close_job(self) -> None:
        """End the request: the child sees its end."""
        self._close(self.job)

    def close_pipes(self) -> None:
        for descriptor in tuple(self._open):
            self._close(descriptor)

    def _close(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            os.close(descriptor)


class Forked(Descriptors):
    """A child of the zygote. The zygote reaps it; the news of its end arrives by `ended`."""

    def __init__(self, pid: int, descriptors: list[int]) -> None:
        job, result, output, pidfd = descriptors
        super().__init__(job, result, output)
        self.pid = pid
        self.pidfd: int | None = pidfd
        self._exit: Exit | None = None
        self._over = threading.Event()
        # Two threads may end a child; a descriptor that one has closed may be another process's by then.
        self._closing = threading.Lock()

    def ended(self, how: Exit | None) -> None:
        """Called by the reader of the zygote's messages; None when the zygote is gone and nobody will say."""
        self._exit = how
        self._over.set()

    @property
    def over(self) -> bool:
        return self._over.is_set()

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def warn(self) -> None:
        self._send(TIME_IS_OVER)

    def _send(self, number: signal.Signals) -> None:
        with self._closing:
            if self.pidfd is not None:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self.pidfd, number)

    def wait(self, timeout: float) -> Exit | None:
        self._over.wait(timeout)
        return self._exit

    def usage(self) -> Usage | None:
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except (OSError, UnicodeDecodeError):
            return None
        threads, resident_pages = int(fields[17]), int(fields[21])
        return Usage(resident_mb=resident_pages * os.sysconf("SC_PAGESIZE") // MB, threads=threads)

    def close(self) -> None:
        self.kill()
        with self._closing:
            self.close_pipes()
            if self.pidfd is not None:
                os.close(self.pidfd)
                self.pidfd = None
