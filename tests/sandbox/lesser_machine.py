"""Plays a machine that lacks something: refuses some kernel calls to itself and its children, then starts a sandbox and says how it went.

Run as a program: lesser_machine.py CALLS(name,...) [layers=...]; prints JSON {health, public, text}.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from visualizer.sandbox import Limits, Supervisor, _bpf, _kernel, _seccomp  # noqa: E402

NUMBERS = {
    "x86_64": {"unshare": 272, "mount": 165, "landlock": 444, "seccomp": 317, "setresuid": 117, "pivot_root": 155},
    "aarch64": {"unshare": 97, "mount": 40, "landlock": 444, "seccomp": 277, "setresuid": 147, "pivot_root": 41},
}[_kernel.MACHINE]
BOMB = """import threading
threading.stack_size(65536)
e = threading.Event()
for _ in range(3000): threading.Thread(target=e.wait, daemon=True).start()"""
SECCOMP_BY_PRCTL, MODE_FILTER = 22, 2


def refuse(names: list[str]) -> None:
    program = [_bpf.load(_bpf.NR)]
    for name in names:
        number = errno.ENOSYS if name == "landlock" else errno.EPERM
        program += [_bpf.when_equal(NUMBERS[name], 0, 1), _bpf.give(_seccomp.refuse(number))]
    data = _bpf.assemble([*program, _bpf.give(_seccomp.ALLOW)])
    buffer = ctypes.create_string_buffer(data, len(data))
    head = _seccomp._Program(len(data) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    if ctypes.CDLL(None).prctl(SECCOMP_BY_PRCTL, MODE_FILTER, ctypes.byref(head), 0, 0) != 0:
        raise SystemExit("cannot play a lesser machine here")


def main() -> None:
    names = [name for name in sys.argv[1].split(",") if name]
    user = next((int(text.removeprefix("user=")) for text in sys.argv[2:] if text.startswith("user=")), None)
    if names:
        if user is not None:
            _kernel.prctl(_kernel.PR_SET_NO_NEW_PRIVS, 1)
        refuse(names)
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    limits = Limits(cpu_seconds=1, wall_seconds=10.0, memory_mb=512)
    python = next((text.removeprefix("python=") for text in sys.argv[2:] if text.startswith("python=")), sys.executable)
    with Supervisor("fake_worker", python=python, import_paths=(str(HERE),), limits=limits, size=2) as supervisor:
        text = b"".join(supervisor.trace({"source": "answer = 6 * 7"})).decode()
        after = b"".join(supervisor.trace({"source": BOMB})).decode()
        print(json.dumps({"health": supervisor.health(), "public": supervisor.allows_public(), "text": text, "bomb": after}))


if __name__ == "__main__":
    main()
