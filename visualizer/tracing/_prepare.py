"""Make a process ready to answer many requests by forking.

Promises: everything that a request needs is imported and warm, there is exactly one thread, and no backend exists.
Must never: start a backend: a process forked from one that has a backend hangs at its first compilation.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import os
import tempfile
import threading
from typing import Any

from . import compat
from ._request import trace_request
from ._warm import programs, rehearsals
from .eager._holding import fits
from .eqns._garbage import freeze
from .inputs._readers import READERS, reader_of
from .problems._advice import installed_libraries, know_libraries

LIBRARIES = ("flax", "flax.linen", "flax.nnx", "optax", "equinox")
# Imported only by a paste that wants them: some take seconds, or start a backend.
FURTHER = (
    "blackjax",
    "chex",
    "diffrax",
    "distrax",
    "einops",
    "haiku",
    "jaxtyping",
    "lineax",
    "matplotlib",
    "numpyro",
    "optimistix",
    "scipy",
)


def threads() -> int:
    """How many threads this process has."""
    try:
        return len(os.listdir("/proc/self/task"))  # noqa: PTH208 - names alone are enough
    except OSError:
        return threading.active_count()


def prepare() -> None:
    """Import and warm everything. Raises RuntimeError when a thread or a backend was started."""
    # Libraries ask for a folder of this kind while they are imported; looking for one that can be written would fail in a sandbox.
    tempfile.tempdir = tempfile.tempdir or "/tmp"  # noqa: S108 - a name, nothing is written
    compat.single_threaded_mlir()
    know_libraries(_import_libraries())
    for kind in READERS:
        reader_of(kind)
    with contextlib.suppress(Exception):
        compat.warm_lowering()
    messages: list[dict[str, Any]] = []
    for source in programs():
        trace_request({"source": source, "levels": ["jaxpr", "stablehlo"]}, messages.append)
    compat.spare_contexts(2)
    if compat.backend_started():
        raise RuntimeError("preparing started a backend")
    if (count := threads()) != 1:
        raise RuntimeError(f"preparing left {count} threads")
    freeze()
    # A trace of thousands of equations is all new objects and no garbage: collecting less often saves a seventh of it.
    gc.set_threshold(20_000, 20, 50)


def rehearse() -> None:
    """Jobs of the usual kind, for a process that ends after it: the sandbox watches which pages it writes."""
    unheard: list[dict[str, Any]] = []
    for source in rehearsals():
        trace_request({"source": source, "levels": ["jaxpr", "stablehlo"]}, unheard.append)


def _import_libraries() -> list[str]:
    found = []
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
            if "." not in name:
                found.append(name)
    return found + [name for name in FURTHER if importlib.util.find_spec(name) is not None]


def describe() -> dict[str, Any]:
    """What this worker is: the version of JAX, the libraries a paste may import."""
    return {"jax": compat.JAX_VERSION, "libraries": installed_libraries(), "held": not fits()}
