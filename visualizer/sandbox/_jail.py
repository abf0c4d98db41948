"""The lock of one job: every layer, in the one order in which they work.

Promises: `prepare` (in the zygote, once) finds out what this machine allows and builds what can be built ahead; `lock` (in the child)
applies it before anything of the job is read. Must never: go on when a layer that was planned fails; the exception ends the child.
"""

import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from . import _credentials, _kernel, _landlock, _limits, _namespaces, _seccomp
from ._limits import Limits


@dataclass(frozen=True, slots=True)
class Jail:
    """What every child of a zygote applies. `ruleset` is an open descriptor; None for a layer that this machine does not have."""

    limits: Limits
    rlimits: bool
    mode: _credentials.Mode
    first_uid: int
    own_user_namespace: bool
    ruleset: int | None
    filter: _seccomp.Filter | None

    def names(self) -> list[str]:
        """The layers that are on, for people."""
        found = ["rlimits"] if self.rlimits else []
        if self.mode != "own":
            found.append(f"uid ({self.mode})")
        if self.own_user_namespace:
            found.append("user namespace per job")
        found += ["landlock"] if self.ruleset is not None else []
        return found + (["seccomp"] if self.filter is not None else [])

    def counts_threads(self) -> bool:
        """Whether the kernel counts each job's threads by themselves."""
        return self.mode != "own" or self.own_user_namespace


def prepare(limits: Limits, layers: frozenset[str], roots: Iterable[Path], slots: int) -> Jail:
    """What this machine allows of the layers that are asked for. Forks short-lived children to find out; call with one thread."""
    paths = list(roots)
    with_landlock = "landlock" in layers and _landlock.abi() > 0
    first = _credentials.first_free_uid(slots) if "uid" in layers else 0
    mode = _credentials.choose(first, paths, with_landlock) if "uid" in layers else "own"
    return Jail(
        limits=limits,
        rlimits="rlimits" in layers,
        mode=mode,
        first_uid=first,
        own_user_namespace="namespaces" in layers and os.geteuid() != 0 and _user_namespace_works(),
        ruleset=_landlock.ruleset(paths) if with_landlock else None,
        filter=_seccomp.Filter() if "seccomp" in layers and _kernel.known_machine() and _seccomp_works() else None,
    )


def with_ruleset(jail: Jail, descriptor: int | None) -> Jail:
    """The same jail, its ruleset under another number (a child moves its descriptors)."""
    return replace(jail, ruleset=descriptor)


def lock(jail: Jail, slot: int, cpu_seconds: int) -> None:
    """Lock this process, for good, all but the filter (see `filter_calls`). OSError when a planned layer does not hold."""
    parent = os.getppid()
    if jail.own_user_namespace and not _namespaces.own_user():
        raise PermissionError("no user namespace for the job")
    if jail.rlimits:
        _limits.apply(jail.limits, cpu_seconds, jail.counts_threads())
    _credentials.become(jail.mode, jail.first_uid + slot)
    # A change of uid clears the death signal, so it comes after; then the parent must still be there.
    _kernel.prctl(_kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    _kernel.prctl(_kernel.PR_SET_NO_NEW_PRIVS, 1)
    _kernel.prctl(_kernel.PR_SET_DUMPABLE, 0)
    if jail.ruleset is not None:
        _landlock.restrict(jail.ruleset)
        os.close(jail.ruleset)


def filter_calls(jail: Jail) -> None:
    """The last layer, on every thread: the system call filter."""
    if jail.filter is not None:
        jail.filter.load(os.getpid())


def _seccomp_works() -> bool:
    """Whether the filter loads here, tried in a child."""

    def load() -> None:
        _kernel.prctl(_kernel.PR_SET_NO_NEW_PRIVS, 1)
        _seccomp.Filter().load(os.getpid())

    return _in_child(load)


def _user_namespace_works() -> bool:
    return _in_child(lambda: _kernel.unshare(_kernel.CLONE_NEWUSER))


def _in_child(attempt: Callable[[], object]) -> bool:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            attempt()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == 0
