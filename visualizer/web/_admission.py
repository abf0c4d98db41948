"""How many jobs may run and wait, in all and for one client.

Promises: at most `capacity` run, at most `queue` wait, first come first served; one client has at most `client_jobs` of both.
Must never: leave a place taken when its holder is gone; `Place.leave` may be called twice.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import Counter, deque

from ._errors import ApiError
from ._settings import Settings


def client_key(address: str | None) -> str:
    """One key per client: the address, for IPv6 its /64, since a client has all of that to itself."""
    try:
        ip = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


class Place:
    """The right to run one job, until `leave`."""

    def __init__(self, admission: Admission, client: str) -> None:
        self._admission: Admission | None = admission
        self._client = client

    def leave(self) -> None:
        admission, self._admission = self._admission, None
        if admission is not None:
            admission._leave(self._client)


class Admission:
    """Thread-safe."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._changed = threading.Condition()
        self._running = 0
        self._waiting: deque[object] = deque()
        self._clients: Counter[str] = Counter()

    def enter(self, client: str) -> Place:
        """Take a place, waiting for it if need be. Raises ApiError 429 (this client has enough) or 503 (the server has)."""
        limits = self._settings
        with self._changed:
            if self._clients[client] >= limits.client_jobs:
                raise ApiError(
                    429,
                    "too-many-jobs",
                    f"You have {limits.client_jobs} jobs here already.",
                    "Wait for one of them to end.",
                    {"Retry-After": "1"},
                )
            if len(self._waiting) >= limits.queue and (self._running >= limits.capacity or self._waiting):
                raise _busy()
            self._clients[client] += 1
            ticket = object()
            self._waiting.append(ticket)
            try:
                self._wait_for_turn(ticket)
            except ApiError:
                self._forget(client)
                raise
            finally:
                self._waiting.remove(ticket)
                self._changed.notify_all()
            self._running += 1
        return Place(self, client)

    def _wait_for_turn(self, ticket: object) -> None:
        end = time.monotonic() + self._settings.queue_seconds
        while self._waiting[0] is not ticket or self._running >= self._settings.capacity:
            left = end - time.monotonic()
            if left <= 0:
                raise _busy()
            self._changed.wait(left)

    def _leave(self, client: str) -> None:
        with self._changed:
            self._running -= 1
            self._forget(client)
            self._changed.notify_all()

    def _forget(self, client: str) -> None:
        self._clients[client] -= 1
        if self._clients[client] <= 0:
            del self._clients[client]


def _busy() -> ApiError:
    return ApiError(503, "busy", "The server has as many jobs as it can run.", "Try again in a few seconds.", {"Retry-After": "2"})
