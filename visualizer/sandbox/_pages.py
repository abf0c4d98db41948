"""The pages a job will touch, made ready before it comes.

A forked child shares every page with its zygote: the first write to each is a fault and a copy, a third of a short job's time, and what is
mapped from files (the code of JAX's libraries) is not in its page table at all. Which pages those are hardly depends on the job, so one
rehearsal tells: the pages that it wrote are copied, and those that it read are entered, in each waiting child while it has nothing to do.

Promises: the contents of memory do not change; where the kernel does not help, nothing is done and nothing fails.
Must never: know what a job is.

"""

import contextlib
import os
import struct
from array import array
from collections.abc import Callable, Iterator

from . import _kernel

Range = tuple[int, int, int]
"""Address and length in bytes, both multiples of the page's size, and what the kernel is asked to do there."""

_PRESENT, _EXCLUSIVE = 1 << 63, 1 << 56
_LONGEST_MAPPING = 1 << 32
_MOST_RANGES = 20_000
_RANGE = struct.Struct("=QQQ")


def learn(rehearse: Callable[[], object] | None, tasks: int) -> tuple[Range, ...]:
    """The ranges of this process's memory that `rehearse` touches when a child runs it. `tasks` is `/proc/self/task`, opened.

    Call it with one thread. Empty where there is nothing to rehearse, it fails, or /proc does not tell.
    """
    if rehearse is None:
        return ()
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return ()
    if pid == 0:
        with contextlib.suppress(BaseException):
            rehearse()
            with os.fdopen(writing, "wb", closefd=False) as out:
                out.writelines(_RANGE.pack(*found) for found in touched(tasks))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        data = told.read()
    os.waitpid(pid, 0)
    if len(data) % _RANGE.size or len(data) // _RANGE.size > _MOST_RANGES:
        return ()
    return tuple(_RANGE.iter_unpack(data))


def touched(tasks: int) -> Iterator[Range]:
    """The pages of private memory that are this process's alone, and those of read-only files that it has in its table.

    Raises OSError where /proc does not tell.
    """
    size = os.sysconf("SC_PAGE_SIZE")
    # /proc itself may be out of reach by now; what was opened in it is not.
    with os.fdopen(os.open("../../self/maps", os.O_RDONLY, dir_fd=tasks)) as maps:
        mappings = [line.split(maxsplit=5) for line in maps]
    with os.fdopen(os.open("../../self/pagemap", os.O_RDONLY, dir_fd=tasks), "rb", 0) as pagemap:
        for where, permissions, _, _, inode, *_ in mappings:
            start, end = (int(part, 16) for part in where.split("-"))
            if permissions[3] != "p" or end - start > _LONGEST_MAPPING:
                continue
            if permissions[1] == "w":
                mask, advice = _PRESENT | _EXCLUSIVE, _kernel.MADV_POPULATE_WRITE
            elif inode != "0":
                mask, advice = _PRESENT, _kernel.MADV_POPULATE_READ
            else:
                continue
            pagemap.seek(start // size * 8)
            pages = array("Q", pagemap.read((end - start) // size * 8))
            first = None
            for index, page in enumerate(pages):
                mine = page & mask == mask
                if mine and first is None:
                    first = index
                elif not mine and first is not None:
                    yield start + first * size, (index - first) * size, advice
                    first = None
            if first is not None:
                yield start + first * size, (len(pages) - first) * size, advice


def populate(ranges: tuple[Range, ...]) -> None:
    """Make the pages of `ranges` ready now. Ends at the first sign that the kernel cannot (before Linux 5.14)."""
    for address, length, advice in ranges:
        try:
            _kernel.madvise(address, length, advice)
        except OSError as problem:
            # Others are of one range alone: not mapped here (the rehearsal's own), or past the end of its file.
            if problem.errno == _kernel.EINVAL:
                return
