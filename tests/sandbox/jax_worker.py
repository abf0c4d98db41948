"""A small worker that loads JAX as the real one does: one thread, no backend until a job is there."""

from collections.abc import Callable
from typing import Any

import fake_worker
import jax


def prepare() -> None:
    """Trace once without a backend, so that children start warm."""
    jax.make_jaxpr(lambda x: x + 1)(jax.ShapeDtypeStruct((2,), "float32"))


def prepare_child() -> None:
    """Start the backend in each waiting child, with its threads, before the filter."""
    jax.local_devices()


def describe() -> dict[str, Any]:
    return {"jax": jax.__version__}


def trace_request(request: dict[str, Any], emit: Callable[[dict[str, Any]], None]) -> None:
    fake_worker.trace_request(request, emit)
