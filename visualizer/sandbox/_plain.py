"""The `local` tier: each job in a fresh Python under rlimits, for machines that have neither Landlock nor seccomp (macOS).

Promises: the same interface as the zygote. It is no sandbox: the code runs as the person who started the server, so the server
listens on the loopback only. Must never: be chosen on a machine where the jail works, unless asked for.
"""

import os
import signal
import subprocess
import threading
from typing import Any

from . import _launch
from ._process import TIME_IS_OVER, Descriptors, Exit, Usage
from ._protocol import Config


class Plain(Descriptors):
    """One child process, started for one job."""

    pidfd: int | None = None

    def __init__(self, python: str, config: Config) -> None:
        theirs_job, job = os.pipe()
        result, theirs_result = os.pipe()
        output, theirs_output = os.pipe()
        try:
            self._process = _launch.start_plain(python, config, theirs_job, theirs_result, theirs_output)
        finally:
            for descriptor in (theirs_job, theirs_result, theirs_output):
                os.close(descriptor)
        super().__init__(job, result, output)

    def kill(self) -> None:
        if self._process.poll() is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self._process.kill()

    def warn(self) -> None:
        self._process.send_signal(TIME_IS_OVER)

    def wait(self, timeout: float) -> Exit | None:
        try:
            code = self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None
        return Exit(status=-code if code < 0 else code << 8, cpu_seconds=0.0, peak_mb=0)

    def usage(self) -> Usage | None:
        return None

    def close(self) -> None:
        self.kill()
        self._process.wait()
        self.close_pipes()


class PlainRuntime:
    """Starts a child for each job; nothing is kept between jobs."""

    def __init__(self, python: str, config: Config) -> None:
        self._python, self._config = python, config
        self.dead = threading.Event()
        self.pid = 0
        self.ready: dict[str, Any] = {"jax": "", "describe": {}, "layers": [], "namespaces": [], "landlock_abi": 0, "counts_threads": False}

    def take(self, cpu_seconds: int | None, timeout: float) -> Plain:  # noqa: ARG002 - the interface of the zygote's runtime
        return Plain(self._python, self._config)

    def refill(self) -> None: ...

    def running(self) -> int:
        return 0

    def close(self) -> None:
        self.dead.set()
