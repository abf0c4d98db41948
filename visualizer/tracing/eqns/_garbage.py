"""Python's garbage collector while a program is being said as data, and what need not be freed.

Promises: it is as it was afterwards. Must never: be off while the person's code runs; keep anything in a process that goes on.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Whether `freeze` was called. Asking the collector counts what it froze, one by one: 12 ms.
_frozen: list[bool] = []


def freeze() -> None:
    """Leave all that there is now out of every later collection, in this process and in those forked from it."""
    gc.collect()
    gc.freeze()
    _frozen.append(True)


_kept: list[Any] = []


def left(value: Any) -> None:
    """Leave a value to the end of the process where that comes after this job: to free a module takes MLIR a millisecond."""
    if _frozen:
        _kept.append(value)


@contextmanager
def no_collection() -> Iterator[None]:
    """No garbage collection meanwhile: a program is many small containers, none of them garbage, and each collection visits them all."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not _frozen:
                # Everything made here goes to the oldest generation at once; else the next collection would visit all of it.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
