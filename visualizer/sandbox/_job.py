"""One job in one child: sends the request, watches the limits, passes on the checked messages, and says why it ended.

Promises: `run` yields only messages that passed the gate; afterwards exactly one of `again`, `ending` or neither (a good end) is set; the
child is dead when `run` returns or is closed, also when its pipes are closed and it lives on.
Must never: block longer than a tick without looking at the clock.
"""

import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

from . import _protocol
from ._child import BROKEN, CANNOT_ANSWER, NOT_CLOSED, SETUP_FAILED
from ._errors import BadResult
from ._gate import Gate
from ._limits import Limits
from ._lines import Lines
from ._process import Child, Exit

Ending = Literal[
    "cpu", "wall", "memory", "threads", "result", "bad", "signal", "exit", "closed", "failed", "restarted", "no-jail", "cancelled"
]
May = Literal["run-again", "report", "answer"]
_TICK_SECONDS = 0.1
_CHUNK = 1 << 18
# A child that closed its pipes gets this long to end by itself.
_GRACE_SECONDS = 0.25
_REAP_SECONDS = 2.0
# At the end of the time a child is told so, and may say where it was.
_LAST_WORDS_SECONDS = 0.5
_LONGEST_CONTROL = 16 << 20
_BY_STATUS: dict[int, Ending] = {SETUP_FAILED: "no-jail", CANNOT_ANSWER: "closed", BROKEN: "failed"}
_DEATHS = frozenset({"signal", "cpu", "wall", "memory", "exit"})
_CRASHES = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGTRAP)


class Job:
    """The supervision of one child. `cpu_seconds` is the processor limit that it was given.

    `may` says what it may do beside answering: ask once for a second run, or report the self-test.
    """

    def __init__(self, child: Child, limits: Limits, cpu_seconds: int, deadline: float, gate: Gate, may: May) -> None:
        self._child, self._limits, self._cpu_seconds = child, limits, cpu_seconds
        self._deadline, self._gate, self._may = deadline, gate, may
        self._lines = Lines()
        self._done = self._warned = False
        self.ending: Ending | None = None
        self.detail = ""
        self.number = 0
        self.again: dict[str, Any] | None = None
        self.reading: int | None = None
        """Which section of a text a native parser was given last, where the worker said so."""
        self.canary: dict[str, Any] | None = None
        self.exit: Exit | None = None
        self.output = bytearray()
        self.output_truncated = False

    def run(self, request: bytes, cancelled: Callable[[], bool] | None = None) -> Iterator[bytes]:
        """Do the job. Closing the iterator kills it."""
        try:
            yield from self._watch(memoryview(request), cancelled)
            self._settle()
        finally:
            self._child.close()

    @property
    def death(self) -> tuple[int, str] | None:
        """The section that was being read when the process died, and why: the name of a signal, or `cpu`, `wall`, `memory`, `exit`."""
        if self.reading is None or self.ending not in _DEATHS:
            return None
        return self.reading, _signal_name(self.number) if self.ending == "signal" else str(self.ending)

    def _watch(self, rest: memoryview, cancelled: Callable[[], bool] | None) -> Iterator[bytes]:
        child = self._child
        poll = select.poll()
        poll.register(child.job, select.POLLOUT)
        poll.register(child.result, select.POLLIN)
        poll.register(child.output, select.POLLIN)
        if child.pidfd is not None:
            poll.register(child.pidfd, select.POLLIN)
        result_open, exited = True, False
        silent_since: float | None = None
        looked = time.monotonic()
        while self.ending is None and self.again is None and not self._done:
            now = time.monotonic()
            if now >= self._deadline:
                if self._warned:
                    self.ending = "wall"
                    return
                # A worker that hears it tells where the code was waiting.
                self._warned = True
                self._deadline = now + _LAST_WORDS_SECONDS
                self._child.warn()
            if now - looked >= _TICK_SECONDS:
                looked = now
                self._look(cancelled)
            if not result_open:
                silent_since = silent_since or now
                if exited or now - silent_since > _GRACE_SECONDS:
                    self.ending = "exit"
                    return
            for descriptor, _ in poll.poll(min(_TICK_SECONDS, self._deadline - now) * 1000):
                if descriptor == child.job:
                    rest = self._send(rest)
                    if not rest:
                        poll.unregister(child.job)
                        child.close_job()
                elif descriptor == child.result:
                    data = _read(child.result)
                    if data is None:
                        continue
                    if not data:
                        poll.unregister(descriptor)
                        result_open = False
                    yield from self._take(data)
                elif descriptor == child.output:
                    if self._keep_output() is False:
                        poll.unregister(descriptor)
                else:
                    poll.unregister(descriptor)
                    exited = True

    def _take(self, data: bytes) -> Iterator[bytes]:
        lines = self._lines.feed(data)
        if self._lines.total > self._limits.result_bytes:
            self.ending = "result"
            return
        for line in lines:
            try:
                if not self._control(line):
                    yield self._gate.check(line)
            except BadResult as problem:
                self.ending, self.detail = "bad", str(problem)
            if self._done or self.ending is not None or self.again is not None:
                return

    def _control(self, line: bytes) -> bool:
        """Whether a line is a control line; then it is obeyed."""
        if line == _protocol.DONE:
            self._done = True
            return True
        if line.startswith(_protocol.READING_PREFIX):
            self.reading = _whole_number(line)
            return True
        if not line.startswith((_protocol.AGAIN_PREFIX, _protocol.FAILED_PREFIX, _protocol.CANARY_PREFIX)):
            return False
        try:
            message = json.loads(line) if len(line) <= _LONGEST_CONTROL else None
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or len(message) != 1 or not isinstance(next(iter(message.values())), dict):
            raise BadResult("a control line that is none")
        if "again" in message:
            if self._may != "run-again" or self._gate.passed:
                raise BadResult("a second request to run again")
            self.again = message["again"]
        elif "failed" in message:
            self.ending, self.detail = "failed", str(message["failed"].get("type", ""))[:100]
        elif self._may == "report":
            self.canary = message["canary"]
        else:
            raise BadResult("a report that nobody asked for")
        return True

    def _send(self, rest: memoryview) -> memoryview:
        try:
            return rest[os.write(self._child.job, rest) :]
        except BlockingIOError:
            return rest
        except OSError:  # the child closed its end: how it ended says more
            return rest[len(rest) :]

    def _keep_output(self) -> bool | None:
        """Read once from the output pipe; False at its end, None when there was nothing to read."""
        data = _read(self._child.output)
        if data is None:
            return None
        room = self._limits.output_bytes - len(self.output)
        self.output += data[:room]
        self.output_truncated = self.output_truncated or len(data) > room
        return bool(data)

    def _look(self, cancelled: Callable[[], bool] | None) -> None:
        if cancelled is not None and cancelled():
            self.ending = "cancelled"
            return
        usage = self._child.usage()
        if usage is None:
            return
        # Shared pages of the zygote count as resident too, so this bound stands above RLIMIT_DATA and catches what escapes it.
        if usage.resident_mb > self._limits.memory_mb + 512:
            self.ending = "memory"
        elif usage.threads > self._limits.threads:
            self.ending = "threads"

    def _settle(self) -> None:
        """Find out how the child ended when it did not say so itself."""
        if self._done or self.ending == "cancelled":
            return
        if self.ending != "exit":
            self._child.kill()
        self.exit = self._child.wait(_GRACE_SECONDS)
        lived_on = self.exit is None
        if lived_on:
            self._child.kill()
            self.exit = self._child.wait(_REAP_SECONDS)
        while self._keep_output():
            pass
        if self.ending != "exit":
            return
        if self.exit is None:
            self.ending = "restarted"
            return
        if lived_on:
            self.ending = "closed"
            return
        code = os.waitstatus_to_exitcode(self.exit.status)
        if code >= 0:
            self.number = code
            self.ending = _BY_STATUS.get(code, "exit")
            # Where there is no memory left, there is none for the answer either.
            if self.ending == "closed" and self._was_full(self.exit):
                self.ending = "memory"
            if self.ending == "no-jail" and not self.output.startswith(NOT_CLOSED):
                self.ending = "exit"
            return
        self.number = -code
        self.ending = self._why_killed(self.exit)

    def _was_full(self, how: Exit) -> bool:
        return how.peak_mb >= self._limits.memory_mb * 3 // 4

    def _why_killed(self, how: Exit) -> Ending:
        if self._warned:
            return "wall"
        if self.number == signal.SIGXCPU or (self.number == signal.SIGKILL and how.cpu_seconds >= self._cpu_seconds - 0.5):
            return "cpu"
        if self.number == signal.SIGKILL:
            # Nobody else kills a job but the kernel of a machine that is out of memory.
            return "memory" if how.peak_mb >= self._limits.memory_mb // 2 else "signal"
        if self.number in _CRASHES and self._was_full(how):
            return "memory"  # native code that gets no memory aborts
        return "signal"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _whole_number(line: bytes) -> int:
    """The number in `{"reading":7}`. BadResult for anything else."""
    number = line[len(_protocol.READING_PREFIX) : -1]
    if not number.isdigit() or len(number) > 9 or line[-1:] != b"}":
        raise BadResult("a control line that is none")
    return int(number)


def _read(descriptor: int) -> bytes | None:
    """What is there to read; empty at the end, None when there is nothing yet."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
