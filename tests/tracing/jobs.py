"""Answer requests in single-use children of a prepared process, as the sandbox does, but without a jail: for tests only.

Run as a program it is that process: a request per line on stdin, an answer per line on stdout.
"""

from __future__ import annotations

import io
import json
import marshal
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


class _Process:
    """One prepared process: a request in, the answer's line out."""

    def __init__(self) -> None:
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "HOME": "/nowhere", "LANG": "C.UTF-8"}
        command = [sys.executable, "-P", __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd="/")

    def answer(self, job: bytes) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(job + b"\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()


class Jobs:
    """Prepared processes. `trace` gives the Trace of a source, `messages` what one child emits.

    What is asked for `ahead` is answered while other tests run, on every core, each request in a child of its own as always, and once.
    """

    def __init__(self) -> None:
        self._mine = threading.local()
        self._all: list[_Process] = []
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1)
        self._now = ThreadPoolExecutor(1)
        self._ahead: dict[bytes, Future[bytes]] = {}

    def ahead(self, requests: Iterable[dict[str, Any]]) -> None:
        """Begin to answer requests that will be asked for."""
        for request in requests:
            job = _job(request)
            if job not in self._ahead:
                self._ahead[job] = self._threads.submit(self._run, job)

    def messages(self, request: dict[str, Any], seconds: float = 60, cpu: int = 0) -> list[dict[str, Any]]:
        """What one child emits, or a `lost` message; `cpu` limits its processor time, in whole seconds."""
        job = _job(request, seconds, cpu)
        future = self._ahead.get(job) or self._now.submit(self._run, job)
        return json.loads(future.result())  # type: ignore[no-any-return]

    def trace(self, source: str, seconds: float = 60, **request: Any) -> dict[str, Any]:
        """The merged Trace of a source; a second child runs it for real when the first asks for that."""
        from visualizer.tracing._source import merged

        wanted: dict[str, Any] | None = {"source": source, **request}
        while True:
            messages = self.messages(wanted, seconds)
            again = next((message["again"] for message in messages if "again" in message), None)
            if again is None:
                return merged(messages)
            wanted = again

    def printed(self, source: str) -> str:
        """What plain Python prints when it runs a source, without anything of ours."""
        return str(self.messages(plain(source))[0]["printed"])

    def close(self) -> None:
        """End the processes."""
        for threads in (self._threads, self._now):
            threads.shutdown(cancel_futures=True)
        for process in self._all:
            process.close()

    def _run(self, job: bytes) -> bytes:
        process: _Process | None = getattr(self._mine, "process", None)
        if process is None:
            process = self._mine.process = _Process()
            self._all.append(process)
        return process.answer(job)


def plain(source: str) -> dict[str, Any]:
    """The request for what plain Python prints."""
    return {"plain": source}


def _job(request: dict[str, Any], seconds: float = 60, cpu: int = 0) -> bytes:
    return json.dumps({"request": request, "seconds": seconds, "cpu": cpu}, sort_keys=True).encode()


def _answer(request: dict[str, Any], seconds: float, cpu: int, trace_request: Any) -> bytes:
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        dump, write, leave = marshal.dumps, os.write, os._exit  # what a hostile paste cannot replace any more
        os.close(readable)
        messages: list[Any] = []

        def emit(message: Any) -> None:
            messages.append(message)
            if "done" in message:
                data = memoryview(dump(messages))
                while data:
                    data = data[write(writable, data) :]

        if cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        if "plain" in request:
            emit({"printed": _plain(request["plain"])})
        else:
            trace_request(request, emit)
        emit({"done": True})
        leave(0)
    os.close(writable)
    parts, end = [], time.monotonic() + seconds
    while True:
        ready = select.select([readable], [], [], max(0.0, end - time.monotonic()))[0]
        part = os.read(readable, 1 << 20) if ready else b""
        if not part:
            break
        parts.append(part)
    os.close(readable)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    messages = marshal.loads(b"".join(parts)) if parts else [{"lost": status}]
    messages = [message for message in messages if "done" not in message]
    return json.dumps(messages, allow_nan=False).encode("utf-8", "surrogatepass")


def _plain(source: str) -> str:
    import jax

    module = types.ModuleType("__main__")
    module.__file__ = "<paste>"
    sys.modules["__main__"] = module
    sys.stdout = sys.stderr = out = io.StringIO()
    try:
        exec(compile(source, "<paste>", "exec", dont_inherit=True), module.__dict__)
    finally:
        jax.effects_barrier()
    return out.getvalue()


def main() -> None:
    from visualizer.tracing._worker import prepare, trace_request

    prepare()
    answers = os.dup(1)
    os.dup2(2, 1)  # what children print must not get between the answers
    while line := sys.stdin.buffer.readline():
        job = json.loads(line)
        os.write(answers, _answer(job["request"], job["seconds"], job["cpu"], trace_request) + b"\n")


if __name__ == "__main__":
    main()
