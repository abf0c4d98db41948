"""The pages a job will write, copied before it comes.

A forked child shares every page with its zygote, and the first write to each is a fault and a copy: a third of a short job's time. Which
pages those are hardly depends on the job, so one rehearsal tells: the pages that it wrote are copied in each waiting child while it has
nothing to do.

Promises: the contents of memory do not change; where the kernel does not help, nothing is done and nothing fails.
Must never: know what a job is.

"""

import contextlib
import os
import struct
from array import array
from collections.abc import Callable, Iterator

from . import _kernel

Range = tuple[int, int]
"""Address and length in bytes, both multiples of the page's size."""

_PRESENT, _EXCLUSIVE = 1 << 63, 1 << 56
_LONGEST_MAPPING = 1 << 32
_MOST_RANGES = 20_000


def learn(rehearse: Callable[[], object] | None, tasks: int) -> tuple[Range, ...]:
    """The ranges of this process's memory that `rehearse` writes when a child runs it. `tasks` is `/proc/self/task`, opened.

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
                out.writelines(struct.pack("=QQ", *found) for found in written(tasks))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        data = told.read()
    os.waitpid(pid, 0)
    if len(data) % 16 or len(data) // 16 > _MOST_RANGES:
        return ()
    return tuple((address, length) for address, length in struct.iter_unpack("=QQ", data))


def written(tasks: int) -> Iterator[Range]:
    """The ranges of writable private memory that are this process's alone. Raises OSError where /proc does not tell."""
    size = os.sysconf("SC_PAGE_SIZE")
    # /proc itself may be out of reach by now; what was opened in it is not.
    with os.fdopen(os.open("../../self/maps", os.O_RDONLY, dir_fd=tasks)) as maps:
        mappings = [line.split()[:2] for line in maps]
    with os.fdopen(os.open("../../self/pagemap", os.O_RDONLY, dir_fd=tasks), "rb", 0) as pagemap:
        for where, permissions in mappings:
            start, end = (int(part, 16) for part in where.split("-"))
            if permissions[1] != "w" or permissions[3] != "p" or end - start > _LONGEST_MAPPING:
                continue
            pagemap.seek(start // size * 8)
            pages = array("Q", pagemap.read((end - start) // size * 8))
            first = None
            for index, page in enumerate(pages):
                own = page & _PRESENT and page & _EXCLUSIVE
                if own and first is None:
                    first = index
                elif not own and first is not None:
                    yield start + first * size, (index - first) * size
                    first = None
            if first is not None:
                yield start + first * size, (len(pages) - first) * size


def populate(ranges: tuple[Range, ...]) -> None:
    """Copy the pages of `ranges` now. Ends at the first sign that the kernel cannot (before Linux 5.14)."""
    for address, length in ranges:
        try:
            _kernel.madvise(address, length, _kernel.MADV_POPULATE_WRITE)
        except OSError as problem:
            if problem.errno != _kernel.ENOMEM:  # not mapped here: the rehearsal's own, not ours
                return
