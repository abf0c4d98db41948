"""One zygote seen from the supervisor: takes children from it, keeps a few waiting, notices its death.

Promises: thread-safe; `take` gives each child to one caller; when the zygote dies every waiting caller and every job is told.
Must never: restart anything; that is the supervisor's.
"""

import contextlib
import os
import socket
import subprocess
import threading
import time
from collections import deque
from typing import Any

from . import _launch, _protocol
from ._errors import SandboxError
from ._process import Exit, Forked
from ._protocol import Config

_START_SECONDS = 120.0


class Refused(Exception):
    """The zygote has no child to give: it died, is out of slots, or the machine is out of processes."""


class Runtime:
    """A running zygote. `ready` is what it told about itself."""

    def __init__(self, python: str, config: Config, spares: int) -> None:
        """Start it and wait until its worker is loaded. SandboxError with the reason when it does not come up."""
        self._config = config
        self._spares_wanted = spares
        self._changed = threading.Condition()
        self._spares: deque[Forked] = deque()
        self._spares_pending: set[int] = set()
        self._arrived: dict[int, Forked | str] = {}
        self._abandoned: set[int] = set()
        self._alive: dict[int, Forked] = {}
        self._next_ticket = 0
        self.dead = threading.Event()
        self._process, self._channel = _launch.start_zygote(python, config)
        self.ready = self._wait_ready(python)
        self._reader = threading.Thread(target=self._read, name="sandbox-zygote", daemon=True)
        self._reader.start()
        self.refill()

    @property
    def pid(self) -> int:
        return self._process.pid

    def take(self, cpu_seconds: int | None, timeout: float) -> Forked:
        """A locked child that waits for its request, with the usual processor limit or another. Refused when there is none."""
        limit = self._config.limits.cpu_seconds if cpu_seconds is None else cpu_seconds
        end = time.monotonic() + timeout
        with self._changed:
            while cpu_seconds is None and self._spares:
                spare = self._spares.popleft()
                if not spare.over:
                    return spare
                spare.close()
            ticket = self._ask(limit)
            while ticket not in self._arrived:
                if self.dead.is_set() or not self._changed.wait(max(0.0, end - time.monotonic())):
                    self._abandoned.add(ticket)
                    raise Refused("no child came")
            got = self._arrived.pop(ticket)
        if isinstance(got, str):
            raise Refused(got)
        return got

    def refill(self) -> None:
        """Ask for as many waiting children as are missing; they are locked while nobody waits for them."""
        with self._changed:
            missing = self._spares_wanted - len(self._spares) - len(self._spares_pending)
            for _ in range(missing):
                if self.dead.is_set():
                    return
                try:
                    self._spares_pending.add(self._ask(self._config.limits.cpu_seconds))
                except Refused:
                    return

    def running(self) -> int:
        """How many children are alive, waiting ones included."""
        with self._changed:
            return len(self._alive)

    def close(self) -> None:
        """End the zygote, and with it every child."""
        with self._changed:
            for child in self._spares:
                child.close()
            self._spares.clear()
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_RDWR)
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join(5)
        self._channel.close()

    def _ask(self, cpu_seconds: int) -> int:
        self._next_ticket += 1
        try:
            _protocol.send(self._channel, {"fork": self._next_ticket, "cpu": cpu_seconds})
        except OSError as problem:
            raise Refused("the zygote is gone") from problem
        return self._next_ticket

    def _wait_ready(self, python: str) -> dict[str, Any]:
        self._channel.settimeout(_START_SECONDS)
        received = _protocol.receive(self._channel)
        self._channel.settimeout(None)
        if received is not None and "ready" in received[0]:
            ready: dict[str, Any] = received[0]["ready"]
            return ready
        why = received[0].get("broken", "") if received is not None else f"it ended, or was not ready after {_START_SECONDS:g} s"
        self._channel.close()
        self._process.kill()
        self._process.wait()
        raise SandboxError(f"the sandbox process of {python} did not start: {why}")

    def _read(self) -> None:
        while (received := _protocol.receive(self._channel)) is not None:
            message, descriptors = received
            with self._changed:
                self._handle(message, descriptors)
                self._changed.notify_all()
        with self._changed:
            self.dead.set()
            for child in self._alive.values():
                child.kill()
                child.ended(None)
            self._alive.clear()
            self._changed.notify_all()

    def _handle(self, message: dict[str, Any], descriptors: list[int]) -> None:
        if "child" in message:
            ticket = message["child"]
            child = Forked(message["pid"], descriptors)
            self._alive[ticket] = child
            if ticket in self._abandoned:
                self._abandoned.discard(ticket)
                child.close()
            elif ticket in self._spares_pending:
                self._spares_pending.discard(ticket)
                self._spares.append(child)
            else:
                self._arrived[ticket] = child
        elif "refused" in message:
            ticket = message["refused"]
            if ticket in self._spares_pending:
                self._spares_pending.discard(ticket)
            elif ticket in self._abandoned:
                self._abandoned.discard(ticket)
            else:
                self._arrived[ticket] = str(message["why"])
        elif "exit" in message and message["exit"] in self._alive:
            child = self._alive.pop(message["exit"])
            child.ended(Exit(message["status"], message["cpu"], message["peak_mb"]))
            if child in self._spares:
                self._spares.remove(child)
                child.close()


def same_process(pid: int) -> bool:
    """Whether we are still in the process that made the object: threads and sockets do not survive a fork of the server."""
    return os.getpid() == pid
