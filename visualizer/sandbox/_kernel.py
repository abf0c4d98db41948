"""Linux calls that Python's os module does not have, through the C library.

Promises: a failed call raises OSError with its errno. Nothing here decides a policy.
"""

import ctypes
import errno
import os
import platform
import struct
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_NO_NEW_PRIVS = 1, 4, 8, 38
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x40000000
SYS_CLOSE_RANGE = 436
MADV_POPULATE_READ, MADV_POPULATE_WRITE = 22, 23
EINVAL = errno.EINVAL

_NUMBERS = {
    "x86_64": {"seccomp": 317, "capset": 126, "pivot_root": 155},
    "aarch64": {"seccomp": 277, "capset": 91, "pivot_root": 41},
}
_CAPABILITY_VERSION_3 = 0x20080522

MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def known_machine() -> bool:
    """Whether this processor's call numbers are known here (x86_64 and aarch64)."""
    return MACHINE in _NUMBERS


def number(name: str) -> int:
    """The number of a call that differs between processors."""
    return _NUMBERS[MACHINE][name]


def syscall(nr: int, *arguments: Any) -> int:
    """Call the kernel. Python ints are passed as longs."""
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _check(_libc.syscall(ctypes.c_long(nr), *converted))


def prctl(option: int, value: int) -> None:
    _check(_libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)))


def madvise(address: int, length: int, advice: int) -> None:
    _check(_libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(length), ctypes.c_int(advice)))


def unshare(flags: int) -> None:
    _check(_libc.unshare(ctypes.c_int(flags)))


def setfsuid(uid: int) -> None:
    """Set the uid that file permissions are checked against; the kernel reports no error, so it is read back."""
    _libc.setfsuid(ctypes.c_uint(uid))
    if _libc.setfsuid(ctypes.c_uint(0xFFFFFFFF)) != uid:
        raise PermissionError(f"setfsuid({uid}) did not take effect")


def setfsgid(gid: int) -> None:
    _libc.setfsgid(ctypes.c_uint(gid))
    if _libc.setfsgid(ctypes.c_uint(0xFFFFFFFF)) != gid:
        raise PermissionError(f"setfsgid({gid}) did not take effect")


def set_capabilities(effective: int, permitted: int) -> None:
    """Replace this thread's capability sets by the given bit masks; the inheritable set becomes empty."""
    header = struct.pack("Ii", _CAPABILITY_VERSION_3, 0)
    low, high = 0xFFFFFFFF, 32
    data = struct.pack("6I", effective & low, permitted & low, 0, effective >> high, permitted >> high, 0)
    syscall(number("capset"), header, data)


def mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    encoded = [None if text is None else text.encode() for text in (source, target, kind)]
    data = None if options is None else options.encode()
    if _libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), data) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), target)


def pivot_root(new: str, old: str) -> None:
    syscall(number("pivot_root"), new.encode(), old.encode())


def unmount(target: str) -> None:
    """Detach a mount, lazily."""
    detach = 2
    _check(_libc.umount2(target.encode(), ctypes.c_int(detach)))


def close_from(first: int) -> None:
    """Close every file descriptor from `first` on."""
    try:
        syscall(SYS_CLOSE_RANGE, first, 0xFFFFFFFF, 0)
    except OSError:
        os.closerange(first, 65536)


def _check(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
