"""Who a job is: another user where the zygote may change users, and nobody with any capability.

Promises: each slot has a uid of its own, so that its threads are counted by themselves and it can signal no one.
Where the other user could not read the Python it runs on (a home that is closed to others) the job keeps the zygote's uid for reading
files only (fsuid); Landlock then bounds what it reads. Must never: keep a capability.
"""

import os
import pwd
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from . import _kernel, _roots

Mode = Literal["own", "slot", "slot-reading-as-own"]
# Below 65536, so that it also exists inside a container's user namespace; not nobody, not a range that systemd hands out.
_FIRST_UID = 60600
_CAP_SETUID = 1 << 7


def first_free_uid(slots: int) -> int:
    """The first uid of a run of `slots` that no account has."""
    taken = {entry.pw_uid for entry in pwd.getpwall()}
    first = _FIRST_UID
    while any(uid in taken for uid in range(first, first + slots)):
        first += slots
    return first


def become(mode: Mode, uid: int) -> None:
    """Take on the job's identity and give up every capability, for good. OSError where the kernel refuses."""
    if mode != "own":
        own_uid, own_gid = os.geteuid(), os.getegid()
        os.setgroups([])
        if mode == "slot":
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
        else:
            _kernel.prctl(_kernel.PR_SET_KEEPCAPS, 1)
            os.setresgid(uid, uid, uid)
            _kernel.setfsgid(own_gid)
            os.setresuid(uid, uid, uid)
            # The change of uid emptied the effective set; what is kept is needed once more.
            _kernel.set_capabilities(_CAP_SETUID, _CAP_SETUID)
            _kernel.setfsuid(own_uid)
    _kernel.set_capabilities(0, 0)


def choose(uid: int, roots: Iterable[Path], landlock: bool) -> Mode:
    """The strongest mode that works here, found by trying each in a child of its own."""
    if os.geteuid() != 0:
        return "own"
    paths = list(roots)
    modes: tuple[Mode, ...] = ("slot", "slot-reading-as-own") if landlock else ("slot",)
    return next((mode for mode in modes if _works(mode, uid, paths)), "own")


def _works(mode: Mode, uid: int, paths: list[Path]) -> bool:
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            become(mode, uid)
            code = 0 if all(_roots.can_read(path) for path in paths) else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == 0
