"""The self-test's attacks: each tries, inside a real job, what a job must not be able to do.

Promises: harmless where it succeeds (signal 0, an empty file, one process that ends at once); returns the names of those that succeeded.
Must never: report nothing for an attack that was not tried: the list of tried ones travels too.
"""

import ctypes
import mmap
import os
import resource
import signal
import socket
import threading
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

ATTACKS = (
    "fs-read",
    "fs-read-server",
    "fs-list",
    "fs-write",
    "proc-environ",
    "environ",
    "fork",
    "tcp",
    "udp",
    "unix",
    "abstract-unix",
    "signal-parent",
    "signal-server",
    "sigio",
    "ptrace",
    "shared-memory",
    "memfd",
    "rlimit-raise",
    "new-namespace",
    "descriptors",
    "capabilities",
    "threads-unfiltered",
    "exec",
)


def run(spec: dict[str, Any], emit: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Try every attack. `spec` names the targets that the supervisor laid out (`_canaries.targets`)."""
    emit({"canary": {"started": True}})
    tries = _tries(spec)
    return {"tried": list(ATTACKS), "leaks": [name for name in ATTACKS if _succeeds(tries[name])]}


def _succeeds(attack: Callable[[], object]) -> bool:
    try:
        return attack() is not False
    except BaseException:
        return False


def _tries(spec: dict[str, Any]) -> dict[str, Callable[[], object]]:
    parent, server = os.getppid(), int(spec["pid"])
    return {
        "fs-read": lambda: _any(_read, ("/etc/passwd", "/etc/hostname", "/etc/hosts")),
        "fs-read-server": lambda: _read(spec["secret"]),
        "fs-list": lambda: _any(_list, ("/etc", "/home", "/var", "/tmp")),  # noqa: S108
        "fs-write": lambda: _any(_write, (*spec["folders"], "/tmp", "/dev/shm", "/var/tmp")),  # noqa: S108
        "proc-environ": lambda: _any(_read, [f"/proc/{pid}/environ" for pid in ("self", parent, server)]),
        "environ": lambda: os.environ[spec["mark"]],
        "fork": _fork,
        "tcp": lambda: socket.create_connection(("127.0.0.1", spec["port"]), 1).close(),
        "udp": _send_datagram,
        "unix": lambda: _connect(spec["socket"]),
        "abstract-unix": lambda: _connect("\0" + spec["abstract"]),
        "signal-parent": lambda: os.kill(parent, 0),
        "signal-server": lambda: os.kill(server, 0),
        "sigio": lambda: _own_pipe(server),
        "ptrace": lambda: _ptrace(parent),
        "shared-memory": lambda: mmap.mmap(-1, 4096).close(),
        "memfd": lambda: os.close(os.memfd_create("x")),
        "rlimit-raise": lambda: resource.setrlimit(resource.RLIMIT_CPU, (99999, 99999)),
        "new-namespace": lambda: _c_call("unshare", ctypes.c_int(0x10000000)),
        "descriptors": lambda: any(_is_open(number) for number in range(6, 1024)),
        "capabilities": _has_capability,
        "threads-unfiltered": _thread_opens_socket,
        "exec": lambda: os.execv("/bin/true", ["true"]),
    }


def _any(attack: Callable[[str], object], targets: Iterable[str]) -> bool:
    """Whether an attack succeeds on one of several targets."""
    return any(_succeeds(partial(attack, target)) for target in targets)


def _read(path: str) -> None:
    Path(path).read_bytes()


def _list(path: str) -> None:
    next(Path(path).iterdir(), None)


def _write(folder: str) -> None:
    path = Path(folder) / f".canary-{os.getpid()}"
    path.touch()
    path.unlink()


def _send_datagram() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", 9))


def _connect(address: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(address)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _own_pipe(pid: int) -> None:
    """Ask the kernel to signal another process when our pipe is ready."""
    import fcntl

    reader, writer = os.pipe()
    try:
        fcntl.fcntl(reader, fcntl.F_SETOWN, pid)
    finally:
        os.close(reader)
        os.close(writer)


def _ptrace(pid: int) -> None:
    attach, detach = 16, 17
    _c_call("ptrace", ctypes.c_long(attach), ctypes.c_int(pid), None, None)
    _c_call("ptrace", ctypes.c_long(detach), ctypes.c_int(pid), None, None)
    os.kill(pid, signal.SIGCONT)


def _c_call(name: str, *arguments: Any) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if library[name](*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _has_capability() -> bool:
    """Whether the kernel lets us do something that needs one: change to uid 0."""
    os.setuid(0)
    return True


def _thread_opens_socket() -> bool:
    """A thread must be under the filter as well."""
    opened: list[bool] = []

    def attack() -> None:
        socket.socket().close()
        opened.append(True)

    thread = threading.Thread(target=attack)
    hook, threading.excepthook = threading.excepthook, lambda _: None
    thread.start()
    thread.join()
    threading.excepthook = hook
    return bool(opened)
