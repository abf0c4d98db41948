"""The sandbox as the server sees it: give it a request, get back checked messages.

Promises: `trace` always ends, always with a message, and never raises for anything a job does; a dead zygote is replaced; the tier that
`health` tells was proved by the self-test of the zygote that runs now. Must never: run a job while the self-test is not over.
"""

import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from typing import Any, Literal

from . import _answers, _canaries, _diagnostics, _protocol, _tier
from ._admission import Admission
from ._answers import Level
from ._errors import SandboxError
from ._gate import Gate
from ._job import Job, May
from ._limits import Limits
from ._plain import PlainRuntime
from ._process import Child
from ._runtime import Refused, Runtime

Isolation = Literal["auto", "jail", "plain"]
_FIRST_BACKOFF_SECONDS = 0.2
_LONGEST_BACKOFF_SECONDS = 30.0
_CANARY_SECONDS = 10.0
# A held run, a real one, and what a worker may need to answer without the sections that its native parser does not survive.
_ROUNDS = 7
_AFTER_DEATH_SECONDS = 3.0


class Supervisor:
    """Runs requests for one worker under one Python. Thread-safe; belongs to the process that made it (make it after a server's fork)."""

    def __init__(
        self,
        worker: str,
        *,
        python: str = sys.executable,
        limits: Limits | None = None,
        size: int | None = None,
        queue: int | None = None,
        spares: int = 2,
        isolation: Isolation = "auto",
        layers: frozenset[str] = _protocol.ALL_LAYERS,
        import_paths: tuple[str, ...] = (),
    ) -> None:
        """`worker` is `package.module` or `package.module:attribute`. `size` jobs run at once (2 per core), `queue` more may wait
        (4 x size), `spares` locked children stand ready. `layers` and `import_paths` are for tests and measurements."""
        self.limits = limits or Limits()
        self._python = python
        self._size = size or 2 * (os.cpu_count() or 1)
        self._spares = min(spares, self._size)
        self._admission = Admission(self._size, 4 * self._size if queue is None else queue)
        self._isolation = isolation
        # A killed child keeps its slot until it is reaped, so there are more slots than places.
        slots = 2 * self._size + self._spares + 2
        self._config = _protocol.Config(worker, self.limits, slots, tuple(sorted(layers)), import_paths)
        self._owner = os.getpid()
        self._state = threading.Condition()
        self._runtime: Runtime | PlainRuntime | None = None
        self._closed = threading.Event()
        self._leaks: list[str] = []
        self._tier: _tier.Tier = "local"
        self._restarts = 0
        self._keeper: threading.Thread | None = None
        self._promised_public = False
        self._last_error = ""

    def start(self) -> None:
        """Start the zygote and run the self-test. SandboxError when the worker does not load."""
        if self._keeper is not None:
            return
        self._boot()
        self._keeper = threading.Thread(target=self._keep, name="sandbox-keeper", daemon=True)
        self._keeper.start()

    def trace(self, request: dict[str, Any], cancelled: Callable[[], bool] | None = None) -> Iterator[bytes]:
        """The messages of one answer (LevelMessage as JSON in UTF-8, without newlines), each as soon as it is there.

        Closing the iterator kills the job; so does `cancelled`, asked ten times a second, when it says true. Whatever the job does, the
        last message tells it. SandboxError only in another process than the one that made the supervisor.
        """
        if os.getpid() != self._owner:
            raise SandboxError("a Supervisor does not survive a fork: make and start it in the process that serves")
        payload = json.dumps(request).encode()
        if len(payload) > self.limits.request_bytes:
            yield _answers.alone(_diagnostics.too_large(self.limits), self._jax())
            return
        admitted = self._admission.enter(self.limits.queue_seconds)
        if admitted != "entered":
            waited = self.limits.queue_seconds if admitted == "late" else 0.0
            yield _answers.alone(_diagnostics.busy(waited), self._jax())
            return
        try:
            yield from self._run(payload, cancelled, compiles=_compiles(request.get("levels") or ()))
        finally:
            self._admission.leave()
            runtime = self._runtime
            if runtime is not None:
                runtime.refill()

    def allows_public(self) -> bool:
        """Whether strangers may use this server: the self-test that passed proves a tier of A, B or C.

        Once this has said yes, no job is run under a lesser tier: a zygote that is replaced must prove as much.
        """
        with self._state:
            allowed = self._ready() and self._tier in _tier.PUBLIC
            self._promised_public = self._promised_public or allowed
            return allowed

    def health(self) -> dict[str, Any]:
        """For /healthz: plain JSON values, no secrets."""
        with self._state:
            told = self._runtime.ready if self._runtime is not None else {}
            return {
                "ready": self._ready(),
                "tier": self._tier,
                "leaks": list(self._leaks),
                "layers": list(told.get("layers", ())),
                "namespaces": list(told.get("namespaces", ())),
                "landlock_abi": told.get("landlock_abi", 0),
                "jax": self._jax(),
                "worker": told.get("describe", {}),
                "jobs_running": self._admission.running,
                "jobs_waiting": self._admission.waiting,
                "restarts": self._restarts,
                "error": self._last_error,
            }

    def close(self) -> None:
        """End the zygote and every job. A job that runs ends with a diagnostic."""
        self._closed.set()
        with self._state:
            runtime, self._runtime = self._runtime, None
            self._state.notify_all()
        if runtime is not None:
            runtime.close()
        if self._keeper is not None:
            self._keeper.join(10)

    def __enter__(self) -> "Supervisor":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, payload: bytes, cancelled: Callable[[], bool] | None, *, compiles: Level | None) -> Iterator[bytes]:
        limits = self.limits.compiling() if compiles else self.limits
        gate = Gate(limits)
        budget = limits.cpu_seconds
        deadline = time.monotonic() + limits.wall_seconds
        # The children that stand ready have the usual limit.
        other: int | None = budget if compiles else None
        may: May = "run-again"
        spent = 0.0
        for _ in range(_ROUNDS):
            child = self._take(other)
            if child is None:
                yield _answers.alone(_diagnostics.unavailable(), self._jax())
                return
            job = Job(child, limits, other or budget, deadline, gate, may)
            yield from job.run(payload, cancelled)
            if job.again is not None:
                may, request = "answer", job.again
            elif (death := job.death) is not None and not gate.passed:
                request = _without_section(payload, death)
                deadline = max(deadline, time.monotonic() + _AFTER_DEATH_SECONDS)
            else:
                break
            payload = json.dumps(request).encode()
            spent += job.exit.cpu_seconds if job.exit is not None else 0.0
            # Whole seconds are what the kernel counts in; a started one is rounded for the person.
            other = max(1, budget - int(spent))
        last = _answers.ending(job, limits, gate.levels, self._jax(), compiles=compiles)
        if last is not None:
            yield last

    def _take(self, cpu_seconds: int | None) -> Child | None:
        """A child, from the zygote that runs now or, when it just died, from the next one."""
        end = time.monotonic() + self.limits.queue_seconds
        while not self._closed.is_set():
            with self._state:
                while not self._ready():
                    if self._closed.is_set() or not self._state.wait(max(0.0, end - time.monotonic())):
                        return None
                runtime = self._runtime
                if self._promised_public and self._tier not in _tier.PUBLIC:
                    return None
            try:
                assert runtime is not None
                return runtime.take(cpu_seconds, max(0.1, end - time.monotonic()))
            except Refused:
                if time.monotonic() >= end:
                    return None
                self._closed.wait(0.05)
        return None

    def _ready(self) -> bool:
        return self._runtime is not None and not self._runtime.dead.is_set()

    def _jax(self) -> str:
        runtime = self._runtime
        return str(runtime.ready.get("jax", "")) if runtime is not None else ""

    def _plain(self) -> bool:
        return self._isolation == "plain" or (self._isolation == "auto" and platform.system() != "Linux")

    def _boot(self) -> None:
        """Start a runtime, test it, and only then let jobs have it."""
        runtime: Runtime | PlainRuntime
        if self._plain():
            runtime, leaks = PlainRuntime(self._python, self._config), ["no-jail"]
        else:
            with _canaries.targets() as spec:
                runtime = Runtime(self._python, self._config, self._spares)
                leaks = _canaries.judge(self._send_canaries(runtime, spec))
        tier = _tier.decide(leaks, _layer_names(runtime.ready), runtime.ready["namespaces"])
        with self._state:
            self._runtime, self._leaks, self._tier, self._last_error = runtime, leaks, tier, ""
            self._state.notify_all()
        runtime.refill()

    def _send_canaries(self, runtime: Runtime | PlainRuntime, spec: dict[str, Any]) -> dict[str, Any] | None:
        try:
            child = runtime.take(None, _CANARY_SECONDS)
        except Refused:
            return None
        job = Job(child, self.limits, self.limits.cpu_seconds, time.monotonic() + _CANARY_SECONDS, Gate(self.limits), "report")
        for _ in job.run(json.dumps({_protocol.CANARIES: spec}).encode()):
            return None
        return job.canary if job.ending is None else None

    def _keep(self) -> None:
        """Replace the zygote whenever it dies, slower each time that it does not come up."""
        backoff = _FIRST_BACKOFF_SECONDS
        while not self._closed.is_set():
            runtime = self._runtime
            if runtime is not None:
                runtime.dead.wait()
                if self._closed.is_set():
                    return
                with self._state:
                    self._runtime = None
                    self._restarts += 1
                runtime.close()
            self._closed.wait(backoff)
            if self._closed.is_set():
                return
            try:
                self._boot()
                backoff = _FIRST_BACKOFF_SECONDS
            except SandboxError as problem:
                self._last_error = str(problem)[:2000]
                backoff = min(2 * backoff, _LONGEST_BACKOFF_SECONDS)


def _compiles(levels: Collection[str]) -> Level | None:
    """The level behind which a run compiles, or None where it does not."""
    return None if "hlo" not in levels else "stablehlo" if "stablehlo" in levels else "jaxpr"


def _without_section(payload: bytes, death: tuple[int, str]) -> dict[str, Any]:
    """The request once more, with one more section that is not to be read, and why."""
    request: dict[str, Any] = json.loads(payload)
    return {**request, "died": [*request.get("died", ()), death]}


def _layer_names(ready: dict[str, Any]) -> list[str]:
    return [str(name) for name in ready["layers"]]
