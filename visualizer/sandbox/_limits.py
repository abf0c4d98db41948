"""The limits of one job, and the kernel's part of holding them (setrlimit).

Promises: plain numbers with their units, and one function that applies them to the calling process, for good.
Must never: raise a limit above what the process has.
"""

import resource
from dataclasses import dataclass

MB = 1 << 20
# A traced program maps about 1.3 GB of address space (shared libraries, thread stacks) before it allocates anything.
ADDRESS_SPACE_ABOVE_DATA_MB = 3072


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may use.

    cpu_seconds is processor time over all its threads, and over both runs when a job runs again; whole seconds, as the kernel counts.
    wall_seconds is measured from the moment a child has the job. memory_mb bounds what is allocated (private writable memory, and what
    is resident). result_bytes bounds all messages together, output_bytes what is kept of the text printed past the worker.
    """

    cpu_seconds: int = 5
    wall_seconds: float = 20.0
    memory_mb: int = 1024
    threads: int = 128
    result_bytes: int = 32 * MB
    output_bytes: int = 64 * 1024
    request_bytes: int = 8 * MB
    open_files: int = 64
    stack_mb: int = 8
    queue_seconds: float = 10.0


def apply(limits: Limits, cpu_seconds: int, own_process_count: bool) -> None:
    """Lower this process's limits. With `own_process_count` its uid (or user namespace) is its own, so that its threads can be counted."""
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_FSIZE, 0)
    _set(resource.RLIMIT_NOFILE, limits.open_files)
    _set(resource.RLIMIT_MEMLOCK, 0)
    if hasattr(resource, "RLIMIT_MSGQUEUE"):
        _set(resource.RLIMIT_MSGQUEUE, 0)
    _set(resource.RLIMIT_STACK, limits.stack_mb * MB)
    _set(resource.RLIMIT_DATA, limits.memory_mb * MB)
    _set(resource.RLIMIT_AS, (limits.memory_mb + ADDRESS_SPACE_ABOVE_DATA_MB) * MB)
    if own_process_count:
        _set(resource.RLIMIT_NPROC, limits.threads)
    # The soft limit sends SIGXCPU, which a program can ignore; the hard one kills.
    _set(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1)


def _set(which: int, soft: int, hard: int | None = None) -> None:
    _, ceiling = resource.getrlimit(which)
    top = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        top = min(top, ceiling)
    resource.setrlimit(which, (min(soft, top), top))
