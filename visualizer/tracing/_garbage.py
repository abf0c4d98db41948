"""Python's garbage collector while a program is being said as data.

Promises: it is as it was afterwards. Must never: be off while the person's code runs.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """No garbage collection meanwhile: a program is many small containers, none of them garbage, and each collection visits them all."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():
                # Everything made here goes to the oldest generation at once; else the next collection would visit all of it.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
