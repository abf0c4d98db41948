"""Pages that a job will touch: learned from a rehearsal, made ready ahead, never changed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from visualizer.sandbox import _kernel, _pages

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux only")

# In a process of its own: learning forks, and pytest may have threads.
LEARN = """
import ctypes, os, resource
from visualizer.sandbox import _pages
tasks = os.open("/proc/self/task", os.O_RDONLY | os.O_DIRECTORY)
size = os.sysconf("SC_PAGE_SIZE")
buffer = bytearray(b"x") * (64 * size)
start = ctypes.addressof(ctypes.c_char.from_buffer(buffer))
first = -(-start // size) * size - start

def rehearse():
    for page in range(8, 24):
        buffer[first + page * size] = 121

ranges = _pages.learn(rehearse, tasks)
learned = {address + offset for address, length, advice in ranges if advice == 23 for offset in range(0, length, size)}
inside = {(page - start - first) // size for page in learned if start + first <= page < start + first + 60 * size}
assert inside == set(range(8, 24)), sorted(inside)

assert _pages.learn(None, tasks) == ()
assert _pages.learn(lambda: 1 / 0, tasks) == ()
assert _pages.learn(rehearse, os.open("/", os.O_RDONLY)) == (), "where /proc does not tell"

# What is read of a file is learned, too, and is in the table of a child at once.
import mmap, sys
pages = 16 * 64  # the kernel enters sixteen at a time by itself
with open(sys.argv[1], "rb") as file:
    mapped = mmap.mmap(file.fileno(), pages * size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)

def read():
    return sum(mapped[page * size] for page in range(0, pages, 32))

entered = _pages.learn(read, tasks)
assert any(advice == 22 for _, _, advice in entered)

def reading_faults(populated):
    reading, told = os.pipe()
    if os.fork() == 0:
        if populated:
            _pages.populate(entered)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        assert read() == 32 * 120
        os.write(told, str(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before).encode())
        os._exit(0)
    os.wait()
    return int(os.read(reading, 20))

without, with_ = reading_faults(False), reading_faults(True)
assert without - with_ >= 24, (without, with_)

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def writing(populated):
    reading, told = os.pipe()
    if os.fork() == 0:
        if populated:
            _pages.populate(ranges)
        assert set(buffer) == {120}, "contents do not change"
        before = faults()
        rehearse()
        os.write(told, str(faults() - before).encode())
        os._exit(0)
    os.wait()
    return int(os.read(reading, 20))

# Python's own memory faults a little in both.
without, with_ = writing(False), writing(True)
assert without - with_ >= 12, (without, with_)
print("done")
"""


def test_what_a_rehearsal_touches_is_learned_and_made_ready_ahead(tmp_path: Path):
    (tmp_path / "mapped").write_bytes(b"x" * (1024 * os.sysconf("SC_PAGE_SIZE")))
    done = subprocess.run([sys.executable, "-c", LEARN, str(tmp_path / "mapped")], capture_output=True, text=True, check=False)
    if "NotImplemented" in done.stderr:
        pytest.skip("this kernel does not tell")
    assert done.stdout == "done\n", done.stderr


def test_a_kernel_that_cannot_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    asked = []

    def madvise(address: int, length: int, advice: int) -> None:
        asked.append(address)
        raise OSError(errno.ENOMEM if address == 0x1000 else errno.EINVAL, "no")

    monkeypatch.setattr(_kernel, "madvise", madvise)
    _pages.populate(((0x1000, 0x1000, 23), (0x2000, 0x1000, 22), (0x3000, 0x1000, 23)))
    assert asked == [0x1000, 0x2000]
