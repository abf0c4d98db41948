"""The limits of one job, and the kernel's part of holding them (setrlimit).

Promises: plain numbers with their units, and one function that applies them to the calling process, for good.
Must never: raise a limit above what the process has.
"""

import contextlib
import resource
from dataclasses import dataclass, replace

MB = 1 << 20
# A traced program maps about 1.3 GB of address space (shared libraries, thread stacks) before it allocates anything.
ADDRESS_SPACE_ABOVE_DATA_MB = 3072


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may use.

    cpu_seconds is processor time over all its threads, and over both runs when a job runs again; whole seconds, as the kernel counts.
    compile_seconds is what a run gets beside them when the request asks for what XLA makes of its programs.
    wall_seconds is measured from the moment a child has the job. memory_mb bounds what is allocated (private writable memory, and what
    is resident). result_bytes bounds all messages together, output_bytes what is kept of the text printed past the worker.
    """

    cpu_seconds: int = 5
    wall_seconds: float = 20.0
    memory_mb: int = 1024
    threads: int = 128
    result_bytes: int = 32 * MB
    output_bytes: int = 64 * 1024
    request_bytes: int = 32 * MB
    open_files: int = 64
    stack_mb: int = 8
    queue_seconds: float = 10.0
    compile_seconds: int = 30

    def compiling(self) -> "Limits":
        """Those of a run that compiles its programs: more time, and as much longer to wait for it."""
        seconds = self.cpu_seconds + self.compile_seconds
        return replace(self, cpu_seconds=seconds, wall_seconds=self.wall_seconds * seconds / self.cpu_seconds)


def apply(limits: Limits, cpu_seconds: int, own_process_count: bool) -> None:
    """Lower this process's limits. With `own_process_count` its uid (or user namespace) is its own, so that its threads can be counted.

    OSError or ValueError when a limit cannot be set.
    """
    for which, soft, hard in _table(limits, cpu_seconds, own_process_count):
        _lower(which, soft, hard)


def apply_what_works(limits: Limits, cpu_seconds: int) -> None:
    """The same on systems that lack some of the limits (macOS has no RLIMIT_AS worth the name): those are left out."""
    for which, soft, hard in _table(limits, cpu_seconds, own_process_count=False):
        with contextlib.suppress(OSError, ValueError):
            _lower(which, soft, hard)


def _table(limits: Limits, cpu_seconds: int, own_process_count: bool) -> list[tuple[int, int, int]]:
    """(which, soft, hard). The soft processor limit sends SIGXCPU, which a program can ignore; the hard one kills."""
    equal = {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_STACK": limits.stack_mb * MB,
        "RLIMIT_DATA": limits.memory_mb * MB,
        "RLIMIT_AS": (limits.memory_mb + ADDRESS_SPACE_ABOVE_DATA_MB) * MB,
    }
    if own_process_count:
        equal["RLIMIT_NPROC"] = limits.threads
    table = [(getattr(resource, name), value, value) for name, value in equal.items() if hasattr(resource, name)]
    return [*table, (resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1)]


def _lower(which: int, soft: int, hard: int) -> None:
    _, ceiling = resource.getrlimit(which)
    if ceiling != resource.RLIM_INFINITY:
        hard = min(hard, ceiling)
    resource.setrlimit(which, (min(soft, hard), hard))
