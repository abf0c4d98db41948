"""What the web side needs of the thing that runs pastes, and a way to start one without keeping the first visitor waiting.

Promises: `BackgroundTracer` answers `health()` at once from the first moment, and `trace()` waits for the start.
Must never: import a particular implementation; the command line brings the supervisor of the sandbox, tests bring their own.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

log = logging.getLogger("visualizer.web")


class Tracer(Protocol):
    """Runs pastes somewhere safe. `trace` yields `LevelMessage`s as lines of JSON, the first level first.

    It asks `cancelled` now and then and ends early, without a word, when that says yes. Once `allows_public` has said yes, it runs
    nothing while that is no longer so.
    """

    def start(self) -> None: ...

    def trace(self, request: dict[str, Any], cancelled: Callable[[], bool] | None = None) -> Iterator[bytes]: ...

    def health(self) -> Mapping[str, Any]: ...

    def allows_public(self) -> bool: ...

    def close(self) -> None: ...


class NotReady(Exception):
    """The tracer has not started yet, or could not; the message says which."""


class BackgroundTracer:
    """A tracer that starts in a thread of its own. `wait_seconds` is how long a job waits for that start before `NotReady`."""

    def __init__(self, inner: Tracer, wait_seconds: float = 20.0) -> None:
        self._inner = inner
        self._wait_seconds = wait_seconds
        self._done = threading.Event()
        self._closing = threading.Event()
        self._failure: Exception | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="tracer-start", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._inner.start()
        except Exception as error:  # kept for health(); every trace() is refused
            log.error("the tracer could not start", exc_info=error)
            self._failure = error
        finally:
            self._done.set()
        # A process that asks to die with its parent (PR_SET_PDEATHSIG) dies with the thread that started it.
        self._closing.wait()

    def trace(self, request: dict[str, Any], cancelled: Callable[[], bool] | None = None) -> Iterator[bytes]:
        if not self._done.wait(self._wait_seconds):
            raise NotReady("the tracer is still starting")
        if self._failure is not None:
            # Why is for /healthz and the log: the reason may name paths of the machine.
            raise NotReady("the tracer could not start")
        return self._inner.trace(request, cancelled)

    def health(self) -> Mapping[str, Any]:
        if self._failure is not None:
            return {"ready": False, "tier": None, "jax": None, "error": str(self._failure)}
        if not self._done.is_set():
            return {"ready": False, "tier": None, "jax": None}
        return self._inner.health()

    def allows_public(self) -> bool:
        return self._done.is_set() and self._failure is None and self._inner.allows_public()

    def close(self) -> None:
        if self._thread is not None:
            # Not longer than a server may take to stop; what starts after all ends with this process.
            self._done.wait(min(self._wait_seconds, 5.0))
        self._inner.close()
        self._closing.set()
