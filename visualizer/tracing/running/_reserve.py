"""Memory kept back for the answer: where a paste has filled all there is, its line could not be told without.

Promises: nothing is taken where the process has no limit of memory; what is kept back is never touched, so it costs no page.
"""

from __future__ import annotations

import contextlib
import mmap
import resource

# What finding the line, and writing an answer with what was found until then, has been seen to need; several times over.
_BYTES = 32 << 20


class Reserve:
    """What is kept back while a paste runs, until it is given up."""

    def __init__(self) -> None:
        self._held: mmap.mmap | None = None

    def keep_back(self) -> None:
        """Before the paste runs."""
        if resource.getrlimit(resource.RLIMIT_DATA)[0] != resource.RLIM_INFINITY:
            with contextlib.suppress(OSError):  # too little is left for a reserve: then there is none
                self._held = mmap.mmap(-1, _BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # what is shared is not counted

    def give_up(self) -> None:
        """From here on the answer may have it."""
        held, self._held = self._held, None
        if held is not None:
            held.close()
