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
from ._advice import installed_libraries, know_libraries
from ._garbage import freeze
from ._holding import fits
from ._readers import READERS, reader_of
from ._request import trace_request

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
WARM = """
import jax, jax.numpy as jnp
import numpy as np

key = jax.random.key(0)
w, b, x = jnp.ones((4, 4)), jnp.zeros(4), jax.random.normal(key, (3, 4))

def loss(w, b, x):
    h = jax.nn.relu(x @ w + b)
    return jnp.mean((jnp.tanh(h) - jax.nn.softmax(h)) ** 2) + jnp.where(x > 0, x, 0.).sum()

@jax.jit
def update(w, b, x, lr=0.1):
    g, h = jax.grad(loss, argnums=(0, 1))(w, b, x)
    return w - lr * g, b - lr * h

update(w, b, x)
def total(w, xs):
    step = lambda c, x: (c * x + w, c)
    last, _ = jax.lax.scan(step, 1.0, xs)
    return jax.lax.cond(last > 0, jnp.sin, jnp.cos, last)

jax.make_jaxpr(jax.grad(total))(jnp.float32(0.5), jnp.arange(1., 5.))

def train(w, xs, ys, lr):
    def step(w, batch):
        x, y = batch
        value, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return w - lr * grad, value
    return jax.lax.scan(step, w, (xs, ys))

jax.make_jaxpr(train)(jnp.zeros(4), jnp.ones((5, 3, 4)), jnp.ones((5, 3)), jnp.float32(0.1))
jax.make_jaxpr(jax.vmap(total, in_axes=(None, 0)))(0.5, np.ones((2, 5), "float32"))
jax.make_jaxpr(lambda x: jax.lax.while_loop(lambda c: c < 3, lambda c: c + 1, x))(0)
"""


# Python specialises what has run a few times: a fifth of a short job.
ROUNDS = 3
REHEARSAL = """
import jax, jax.numpy as jnp

def loss(w, h0, xs):
    def cell(h, x):
        h = jnp.tanh(w * h + x)
        return h, h
    _, hs = jax.lax.scan(cell, h0, xs)
    return jnp.mean(hs ** 2)

w, h0, xs = jnp.float32(0.7), jnp.float32(0.), jnp.linspace(-1., 1., 8)
print(jax.make_jaxpr(jax.grad(loss))(w, h0, xs))
"""


# Where values cannot be held an eager operation starts a backend, and a process with one must not fork: types alone, and the same rules.
TYPES = """
import jax, jax.numpy as jnp

F = lambda *shape: jax.ShapeDtypeStruct(shape, "float32")

def loss(w, b, x):
    h = jax.nn.relu(x @ w + b)
    return jnp.mean((jnp.tanh(h) - jax.nn.softmax(h)) ** 2) + jnp.where(x > 0, x, 0.).sum()

def total(w, xs):
    step = lambda c, x: (c * x + w, c)
    last, _ = jax.lax.scan(step, 1.0, xs)
    return jax.lax.cond(last > 0, jnp.sin, jnp.cos, last)

print(jax.make_jaxpr(jax.grad(loss, argnums=(0, 1)))(F(4, 4), F(4), F(3, 4)))
jax.make_jaxpr(jax.grad(total))(F(), F(4))
jax.make_jaxpr(jax.vmap(total, in_axes=(None, 0)))(F(), F(2, 5))
jax.make_jaxpr(lambda x: jax.lax.while_loop(lambda c: c < 3, lambda c: c + 1, x))(0)
"""


def _sources() -> tuple[str, ...]:
    return (TYPES,) if fits() else (WARM, REHEARSAL)


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
    for _ in range(ROUNDS):
        for source in _sources():
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
    """A job of the usual kind, for a process that ends after it: the sandbox watches which pages it writes."""
    unheard: list[dict[str, Any]] = []
    trace_request({"source": _sources()[-1], "levels": ["jaxpr", "stablehlo"]}, unheard.append)


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
