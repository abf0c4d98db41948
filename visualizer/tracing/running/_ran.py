"""Jitted computations that a library ran while the paste had it at work: what `MCMC.run` or an optimiser's `minimize` made of the paste's
functions. They are programs where nothing of the paste's own is.

Promises: what ran, as it ran, at the call of the paste that it ran for. Must never: trace anew; keep what JAX's own functions run
(`jnp.sum`).
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import jax

from visualizer.tracing import compat

from ._frames import nearest
from ._recorded import Rank, Recorded, same

_thread_id = threading.get_ident
_JAX = str(Path(jax.__file__).parent) + os.sep
MAX_RAN = 16


class Ran:
    """What ran in one run of a paste, in the order of its first calls."""

    def __init__(self, filename: str) -> None:
        self._filename = filename
        self._thread = _thread_id()
        self._known: dict[int, Recorded] = {}

    def note(self, closed: Any, name: str) -> None:
        """A jitted function was called with values."""
        if self._thread != _thread_id():
            return
        known = self._known.get(id(closed))
        if known is not None:
            known.count += 1
            return
        file, _, _ = compat.function_site(closed.jaxpr)
        if file is None or file.startswith(_JAX) or len(self._known) >= MAX_RAN:
            return
        place = self._place()
        if place is None:
            return
        for other in self._known.values():
            if other.place == place and same(other.closed, closed):
                other.count += 1
                return
        self._known[id(closed)] = Recorded(closed, name, "call", Rank.LIBRARY, -1, place)

    def programs(self) -> list[Recorded]:
        """The programs."""
        return list(self._known.values())

    def _place(self) -> tuple[int, int, int, int] | None:
        """Where the paste is."""
        frame = nearest(lambda frame: frame.f_code.co_filename == self._filename)
        return None if frame is None else compat.code_location(frame.f_code, frame.f_lasti)
