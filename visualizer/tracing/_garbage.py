"""Python's garbage collector while a program is being said as data.

Promises: it is as it was afterwards. Must never: be off while the person's code runs.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Whether `freeze` was called. Asking the collector counts what it froze, one by one: 12 ms.
_frozen: list[bool] = []


def freeze() -> None:
    """Leave all that there is now out of every later collection, in this process and in those forked from it."""
    gc.collect()
    gc.freeze()
    _frozen.append(True)


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
