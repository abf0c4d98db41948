"""The filter's answers, call by call, on both machines, by interpreting the program."""

from __future__ import annotations

import errno
import os
import re
import signal
import struct
from pathlib import Path

import pytest

from visualizer.sandbox import _bpf, _calls, _seccomp

from .bpf_machine import judge

PID = 4242
MACHINES = ["x86_64", "aarch64"]
ALLOW, KILL = _seccomp.ALLOW, _seccomp.KILL
REFUSED = _seccomp.refuse(errno.EPERM)
MAP_PRIVATE, MAP_SHARED, MAP_SHARED_VALIDATE, MAP_ANONYMOUS = 2, 1, 3, 0x20
THREAD = 0x3D0F00  # what pthread_create passes
# Calls that must never be in the list, with their numbers.
FORBIDDEN = {
    "x86_64": {
        "socket": 41, "connect": 42, "sendto": 44, "sendmsg": 46, "bind": 49, "socketpair": 53, "fork": 57, "vfork": 58, "execve": 59,
        "wait4": 61, "kill": 62, "shmget": 29, "truncate": 76, "ftruncate": 77, "chdir": 80, "rename": 82, "mkdir": 83, "creat": 85,
        "link": 86,
        "unlink": 87, "symlink": 88, "chmod": 90, "chown": 92, "ptrace": 101, "setuid": 105, "setfsuid": 122, "capset": 126,
        "rt_sigqueueinfo": 129, "personality": 135, "setrlimit": 160, "chroot": 161, "mount": 165, "reboot": 169, "tkill": 200,
        "io_setup": 206, "add_key": 248, "inotify_init": 253, "openat_mkdirat": 258, "unshare": 272, "splice": 275, "vmsplice": 278,
        "timerfd_create": 283, "perf_event_open": 298, "process_vm_readv": 310, "setns": 308, "seccomp": 317, "memfd_create": 319,
        "bpf": 321,
        "execveat": 322, "userfaultfd": 323, "pidfd_send_signal": 424, "io_uring_setup": 425, "pidfd_open": 434, "pidfd_getfd": 438,
    },
    "aarch64": {
        "socket": 198, "socketpair": 199, "bind": 200, "connect": 203, "sendto": 206, "sendmsg": 211, "execve": 221, "kill": 129,
        "tkill": 130,
        "ptrace": 117, "setuid": 146, "setfsuid": 151, "setrlimit": 164, "mount": 40, "unshare": 97, "chroot": 51, "bpf": 280,
        "execveat": 281,
        "memfd_create": 279, "userfaultfd": 282, "process_vm_readv": 270, "unlinkat": 35, "mkdirat": 34, "shmget": 194,
        "io_uring_setup": 425,
        "perf_event_open": 241, "rt_sigqueueinfo": 138, "capset": 91, "wait4": 260, "seccomp": 277, "ftruncate": 46,
    },
}  # fmt: skip


@pytest.fixture(params=MACHINES)
def machine(request):
    return request.param


@pytest.fixture
def ask(machine):
    program = _seccomp.program(machine, PID)
    numbers = _calls.table(machine)

    def answer(name: str | int, *arguments: int, arch: int = _seccomp.AUDIT[machine]) -> int:
        return judge(program, numbers[name] if isinstance(name, str) else name, arguments, arch)

    return answer


def test_plain_calls_are_allowed(ask):
    for name in _calls.PLAIN:
        assert ask(name) == ALLOW, name


def test_what_is_not_listed_is_refused(ask, machine):
    for name, nr in FORBIDDEN[machine].items():
        assert ask(nr) == REFUSED, name


def test_calls_newer_than_the_table_do_not_exist(ask):
    for nr in (440, 443, 449, 461, 1000, 0x3FFFFFFF):
        assert ask(nr) == _seccomp.refuse(errno.ENOSYS)


def test_another_architecture_is_killed(ask):
    for arch in (0, 0x40000003, *(value for value in _seccomp.AUDIT.values())):
        answer = ask("read", arch=arch)
        assert answer in (ALLOW, KILL)
    assert ask("read", arch=0x40000003) == KILL
    assert ask("read", arch=0) == KILL


def test_the_x32_calls_are_killed():
    program = _seccomp.program("x86_64", PID)
    assert judge(program, 0x40000000 + 1, (), _seccomp.AUDIT["x86_64"]) == KILL
    assert judge(program, 0x40000000 + 520, (), _seccomp.AUDIT["x86_64"]) == KILL


def test_clone_makes_threads_only(ask):
    assert ask("clone", THREAD) == ALLOW
    assert ask("clone", signal.SIGCHLD) == REFUSED
    assert ask("clone", 0) == REFUSED
    assert ask("clone", 0x4000 | 0x100 | signal.SIGCHLD) == REFUSED  # vfork
    for new_namespace in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert ask("clone", THREAD | new_namespace) == REFUSED
    assert ask("clone3", 0, 88) == _seccomp.refuse(errno.ENOSYS)


def test_signals_go_to_itself_only(ask):
    assert ask("tgkill", PID, 1, signal.SIGABRT) == ALLOW
    assert ask("tgkill", PID + 1, 1, signal.SIGABRT) == REFUSED
    assert ask("tgkill", 1, 1, 9) == REFUSED


def test_limits_can_be_read_and_not_set(ask):
    assert ask("prlimit64", 0, 7, 0, 0x7FFF0000) == ALLOW
    assert ask("prlimit64", 0, 7, 0x7FFF0000, 0) == REFUSED
    assert ask("prlimit64", 0, 7, 0x100000000, 0) == REFUSED  # only the high half of the pointer is set


def test_shared_anonymous_memory_is_refused(ask):
    assert ask("mmap", 0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS) == ALLOW
    assert ask("mmap", 0, 4096, 1, MAP_SHARED) == ALLOW
    assert ask("mmap", 0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS) == REFUSED
    assert ask("mmap", 0, 4096, 3, MAP_SHARED_VALIDATE | MAP_ANONYMOUS) == REFUSED


@pytest.mark.parametrize(
    "flags",
    [os.O_WRONLY, os.O_RDWR, os.O_RDONLY | os.O_CREAT, os.O_TRUNC, os.O_APPEND, os.O_TMPFILE | os.O_RDWR, 0x400000],
)
def test_files_are_for_reading(ask, flags):
    assert ask("openat", -100, 0, os.O_RDONLY | os.O_CLOEXEC) == ALLOW
    assert ask("openat", -100, 0, os.O_RDONLY | os.O_DIRECTORY) == ALLOW
    assert ask("openat", -100, 0, flags) == _seccomp.refuse(errno.EACCES)
    assert ask("openat2", -100, 0, 0, 24) == _seccomp.refuse(errno.ENOSYS)


def test_the_older_open_is_for_reading_too():
    program = _seccomp.program("x86_64", PID)
    assert judge(program, _calls.X86_64["open"], (0, os.O_RDONLY), _seccomp.AUDIT["x86_64"]) == ALLOW
    assert judge(program, _calls.X86_64["open"], (0, os.O_WRONLY | os.O_CREAT), _seccomp.AUDIT["x86_64"]) == _seccomp.refuse(errno.EACCES)


def test_descriptors_cannot_be_made_to_send_signals(ask):
    for command in (0, 1, 2, 3, 4, 1030, 1032):
        assert ask("fcntl", 1, command) == ALLOW
    for command in (5, 6, 8, 10, 15, 1024, 1026, 1031, 1033):
        assert ask("fcntl", 1, command) == REFUSED


def test_device_commands_are_a_list(ask):
    assert ask("ioctl", 1, 0x5401) == ALLOW
    for command in (0x5412, 0x541C, 0x5452, 0x8901, 0x8902, 0x80047601):  # TIOCSTI, TIOCLINUX, FIOASYNC, FIOSETOWN
        assert ask("ioctl", 1, command) == _seccomp.refuse(errno.ENOTTY)


def test_a_process_may_name_itself_and_nothing_more(ask):
    assert ask("prctl", 15) == ALLOW
    for option in (1, 4, 8, 22, 23, 24, 38, 47, 0x59616D61):
        assert ask("prctl", option) == REFUSED


def test_every_judged_call_is_known_to_each_table(machine):
    numbers = _calls.table(machine)
    judged = {"clone3", "openat2", "clone", "tgkill", "prlimit64", "mmap", "openat", "fcntl", "ioctl", "prctl"}
    assert judged <= set(numbers)
    assert len(set(numbers.values())) == len(numbers)
    assert max(numbers.values()) == _calls.NEWEST_KNOWN


def test_unknown_machines_have_no_table():
    with pytest.raises(KeyError):
        _seccomp.program("riscv64", PID)


@pytest.mark.parametrize(
    ("machine", "header"),
    [("x86_64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), ("aarch64", "/usr/include/asm-generic/unistd.h")],
)
def test_the_tables_agree_with_the_kernels_headers(machine, header):
    if not Path(header).is_file():
        pytest.skip("the kernel's headers are not installed")
    defined = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", Path(header).read_text()))
    # The generic header names the 64-bit forms after their 32-bit ancestors.
    ancestors = {"newfstatat": "fstatat"}
    for name, nr in _calls.table(machine).items():
        known = defined.get(name, defined.get(ancestors.get(name, name)))
        assert known is not None, name
        assert int(known) == nr, name


def test_jumps_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="does not fit"):
        _bpf.when_equal(1, 256, 0)
    with pytest.raises(ValueError, match="4096"):
        _bpf.assemble([_bpf.give(0)] * 5000)


def test_the_bytes_are_the_kernels_layout():
    assert _bpf.assemble([_bpf.when_equal(7, 1, 2), _bpf.give(ALLOW)]) == struct.pack("=HBBIHBBI", 0x15, 1, 2, 7, 0x06, 0, 0, ALLOW)
