"""The list of system calls a job may make; every other one fails.

Promises: threads but no processes, files for reading only, memory that is counted, signals to nobody but itself, no sockets, no exec.
A call for another processor architecture kills the job: its numbers would mean other calls.
Must never: grow a call whose pointer arguments decide what it does; the filter cannot read memory.
"""

import ctypes
import errno
import os
import struct

from . import _bpf, _calls, _kernel

ALLOW, KILL = 0x7FFF0000, 0x80000000
_ERRNO = 0x00050000
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000

CLONE_THREAD = 0x10000
_NEW_NAMESPACES = 0x7E020000
_MAP_SHARED_ANONYMOUS = 0x21
_TMPFILE = 0x400000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | _TMPFILE
# fcntl can make the kernel send signals (F_SETOWN, F_SETSIG) and take leases, so its commands are a list too.
_FCNTL = (0, 1, 2, 3, 4, 1030, 1032)  # DUPFD, GETFD, SETFD, GETFL, SETFL, DUPFD_CLOEXEC, GETPIPE_SZ
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONREAD, FIONCLEX, FIOCLEX
_PRCTL = (15, 16)  # SET_NAME, GET_NAME

_SET_MODE_FILTER, _EVERY_THREAD = 1, 1
_PLACEHOLDER_PID = 0x7EADBEEF


def refuse(code: int) -> int:
    """The filter's answer that makes a call fail with an errno."""
    return _ERRNO | code


def program(machine: str, pid: int) -> list[_bpf.Instruction]:
    """The filter for a process `pid` on a machine; KeyError for a machine that is not known."""
    numbers = _calls.table(machine)
    code = [_bpf.load(_bpf.ARCH), _bpf.when_equal(AUDIT[machine], 1, 0), _bpf.give(KILL), _bpf.load(_bpf.NR)]
    if machine == "x86_64":
        code += [_bpf.when_at_least(_X32, 0, 1), _bpf.give(KILL)]
    for name, body in _judged(pid).items():
        if name in numbers:
            code += [_bpf.when_equal(numbers[name], 0, len(body)), *body]
    for nr in _calls.plain(machine):
        code += [_bpf.when_equal(nr, 0, 1), _bpf.give(ALLOW)]
    code += [_bpf.when_at_least(_calls.NEWEST_KNOWN + 1, 0, 1), _bpf.give(refuse(errno.ENOSYS))]
    return [*code, _bpf.give(refuse(errno.EPERM))]


class Filter:
    """The assembled filter of this machine, ready for any pid: only a constant differs, so it is patched, not assembled anew."""

    def __init__(self) -> None:
        self._bytes = _bpf.assemble(program(_kernel.MACHINE, _PLACEHOLDER_PID))
        self._at = self._bytes.index(struct.pack("I", _PLACEHOLDER_PID))

    def load(self, pid: int) -> None:
        """Apply the filter to every thread of this process, for good. Needs no_new_privs. OSError where the kernel refuses."""
        data = self._bytes[: self._at] + struct.pack("I", pid) + self._bytes[self._at + 4 :]
        buffer = ctypes.create_string_buffer(data, len(data))
        head = _Program(len(data) // 8, ctypes.cast(buffer, ctypes.c_void_p))
        left_out = _kernel.syscall(_kernel.number("seccomp"), _SET_MODE_FILTER, _EVERY_THREAD, ctypes.byref(head))
        if left_out:
            raise PermissionError(f"thread {left_out} did not take the filter")


class _Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def _judged(pid: int) -> dict[str, list[_bpf.Instruction]]:
    """The calls whose arguments decide."""
    allow, forbid = _bpf.give(ALLOW), _bpf.give(refuse(errno.EPERM))
    no_such_call = [_bpf.give(refuse(errno.ENOSYS))]
    return {
        # Their flags are behind a pointer; without them the C library uses clone and openat.
        "clone3": no_such_call,
        "openat2": no_such_call,
        "clone": [
            _bpf.argument(0),
            _bpf.when_any_bit(_NEW_NAMESPACES, 2, 0),
            _bpf.when_any_bit(CLONE_THREAD, 0, 1),
            allow,
            forbid,
        ],
        "tgkill": [_bpf.argument(0), _bpf.when_equal(pid, 0, 1), allow, forbid],
        # Reading limits is fine, setting them is not: the new limit must be a null pointer.
        "prlimit64": [
            _bpf.argument(2),
            _bpf.when_equal(0, 0, 3),
            _bpf.argument_high(2),
            _bpf.when_equal(0, 0, 1),
            allow,
            forbid,
        ],
        # Shared anonymous memory is not counted by RLIMIT_DATA.
        "mmap": [
            _bpf.argument(3),
            _bpf.mask(_MAP_SHARED_ANONYMOUS),
            _bpf.when_equal(_MAP_SHARED_ANONYMOUS, 0, 1),
            forbid,
            allow,
        ],
        "openat": _reading_only(2),
        "open": _reading_only(1),
        "fcntl": _listed(1, _FCNTL, errno.EPERM),
        "ioctl": _listed(1, _IOCTL, errno.ENOTTY),
        "prctl": _listed(0, _PRCTL, errno.EPERM),
    }


def _reading_only(index: int) -> list[_bpf.Instruction]:
    return [
        _bpf.argument(index),
        _bpf.when_any_bit(_WRITING, 0, 1),
        _bpf.give(refuse(errno.EACCES)),
        _bpf.give(ALLOW),
    ]


def _listed(index: int, values: tuple[int, ...], otherwise: int) -> list[_bpf.Instruction]:
    last = len(values)
    tests = [_bpf.when_equal(value, last - at, 0) for at, value in enumerate(values)]
    return [_bpf.argument(index), *tests, _bpf.give(refuse(otherwise)), _bpf.give(ALLOW)]
