"""One supervisor per version of JAX: that of the server's own environment from the start, each other when it is first asked for.

Promises: the interface of a supervisor; at most `most` others are kept, the one that was longest unused goes when it has no job; once this
has said that strangers may use it, another version runs nothing before its own self-test has proved as much.
Must never: start a version that `others` does not name, or two of one.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from . import _answers, _diagnostics
from ._errors import SandboxError
from ._supervisor import Supervisor

MOST = 3
_START_SECONDS = 60.0


@dataclass(frozen=True)
class Other:
    """Another version: its interpreter, what changes when it is installed anew, and why it cannot be used now (empty where it can)."""

    python: str
    stamp: str
    problem: str = ""


@dataclass
class _Kept:
    supervisor: Supervisor
    stamp: str
    ready: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    failure: str = ""
    jobs: int = 0
    used: float = 0.0


class Pool:
    """Runs each request under the JAX that it names. Thread-safe; belongs to the process that made it, as a supervisor does."""

    def __init__(
        self, make: Callable[[str | None], Supervisor], default: str, others: Callable[[], Mapping[str, Other]], most: int = MOST
    ) -> None:
        """`make` gives a supervisor for an interpreter (None: our own), `default` is our own version, `others` what is installed beside."""
        self._make, self._default, self._others, self._most = make, default, others, most
        self._own = make(None)
        self._kept: dict[str, _Kept] = {}
        self._changed = threading.Condition()
        self._closed = False
        self._promised_public = False

    def start(self) -> None:
        """Start our own. SandboxError when its worker does not load."""
        self._own.start()

    def trace(self, request: dict[str, Any], cancelled: Callable[[], bool] | None = None) -> Iterator[bytes]:
        """The messages of one answer, as of `Supervisor.trace`. A version that is not here, or does not start, is a diagnostic."""
        wanted = request.get("jax")
        if wanted is None or wanted == self.version():
            yield from self._own.trace(request, cancelled)
            return
        others = self._others()
        other = others.get(wanted)
        if other is None or other.problem:
            there = [self.version(), *(version for version, each in others.items() if not each.problem)]
            why = "" if other is None else other.problem
            yield _answers.alone(_diagnostics.no_such_jax(wanted, there, why), self.version())
            return
        kept = self._take(wanted, other)
        if kept is None or kept.failure:
            yield _answers.alone(_diagnostics.jax_does_not_start(wanted, "" if kept is None else kept.failure), self.version())
            self._give_back(kept)
            return
        try:
            yield from kept.supervisor.trace(request, cancelled)
        finally:
            self._give_back(kept)

    def version(self) -> str:
        """Our own JAX."""
        return str(self._own.health().get("jax") or self._default)

    def allows_public(self) -> bool:
        """Whether strangers may use this server, as of `Supervisor.allows_public`."""
        allowed = self._own.allows_public()
        self._promised_public = self._promised_public or allowed
        return allowed

    def health(self) -> dict[str, Any]:
        """That of our own, and `runtimes`: every version that can be asked for, our own first."""
        told = self._own.health()
        own = {"jax": str(told.get("jax") or self._default), "default": True, "stamp": ""}
        others = [{"jax": version, "default": False, "stamp": each.stamp} for version, each in self._others().items() if not each.problem]
        return {**told, "jax": own["jax"], "runtimes": [own, *(each for each in others if each["jax"] != own["jax"])]}

    def close(self) -> None:
        """End every zygote and every job."""
        with self._changed:
            self._closed = True
            kept, self._kept = list(self._kept.values()), {}
        for each in kept:
            each.over.set()
        self._own.close()
        for each in kept:
            each.supervisor.close()

    def __enter__(self) -> "Pool":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, version: str, other: Other) -> _Kept | None:
        """The supervisor of a version, started if need be; None where there is no room now."""
        gone: list[_Kept] = []
        with self._changed:
            kept = self._kept.get(version)
            if kept is not None and (kept.failure or kept.stamp != other.stamp) and not kept.jobs:
                gone.append(self._kept.pop(version))
                kept = None
            if kept is None:
                idle = sorted((each.used, name) for name, each in self._kept.items() if not each.jobs)
                while len(self._kept) >= self._most and idle:
                    gone.append(self._kept.pop(idle.pop(0)[1]))
                if self._closed or len(self._kept) >= self._most:
                    kept = None
                else:
                    kept = self._kept[version] = _Kept(self._make(other.python), other.stamp)
                    # In a thread that stays: a process that asks to die with its parent dies with the thread that started it.
                    threading.Thread(target=self._run, args=(kept,), name=f"jax-{version}", daemon=True).start()
            if kept is not None:
                kept.jobs += 1
        for each in gone:
            each.over.set()
            each.supervisor.close()
        if kept is not None and not kept.ready.wait(_START_SECONDS):
            kept.failure = f"it was not ready after {_START_SECONDS:g} s"
        return kept

    def _run(self, kept: _Kept) -> None:
        try:
            kept.supervisor.start()
            if self._promised_public and not kept.supervisor.allows_public():
                kept.failure = "it cannot be isolated as well as this server promises"
        except SandboxError as problem:
            kept.failure = str(problem)[:2000]
        finally:
            kept.ready.set()
        kept.over.wait()

    def _give_back(self, kept: _Kept | None) -> None:
        if kept is not None:
            with self._changed:
                kept.jobs -= 1
                kept.used = time.monotonic()
