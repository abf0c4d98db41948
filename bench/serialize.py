"""Serialising a jaxpr against JAX's own `str(jaxpr)`, at 300, 3,000 and 30,000 equations, forward alone and with a gradient.

The printed text is left out of ours (it is `str(jaxpr)` itself); kinds, twins, names and wiring are in. Times are of the CPU, the best of
several, taken in turn so that a busy machine slows both alike.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

from bench._table import Row, print_table

SIZES = (300, 3_000, 30_000)
# The nearest to it is nested bodies at 300 equations: each of their dozen forms is analysed once (kinds, twins), which `str` does not do
# at all. From 600 equations on that is made good, for what is alike costs nothing more, and `str` prints it again. What equations say of
# their params, but for the jaxprs in them, is known to the whole process: without that of the calls this row is at 1.02.
BUDGET = 1.0


def unrolled(size: int) -> Any:
    """A Python loop of elementwise equations."""
    import jax
    import jax.numpy as jnp

    def run(x: Any) -> Any:
        for _ in range(size // 3):
            x = jnp.sin(x) * 2.0 + x
        return x

    return jax.make_jaxpr(run)(jnp.ones(4))


def network(size: int) -> Any:
    """Loss and gradient of a network of many layers."""
    import jax
    import jax.numpy as jnp

    def loss(weights: Any, x: Any) -> Any:
        for w in weights:
            x = jnp.tanh(x @ w)
        return (x**2).mean()

    return jax.make_jaxpr(jax.value_and_grad(loss))([jnp.ones((4, 4))] * (size // 9), jnp.ones((2, 4)))


def blocks(size: int) -> Any:
    """Layers with a scan, a cond and jitted helpers in each, and their gradient."""
    import jax
    import jax.numpy as jnp

    @jax.jit
    def gate(x: Any, y: Any) -> Any:
        return jnp.where(x > 0, x * y, jnp.tanh(y))

    def loss(x: Any) -> Any:
        for number in range(size // 60):
            with jax.named_scope(f"layer{number}"):
                x, trail = jax.lax.scan(lambda c, t: (jnp.sin(c) * t, c * t), x, jnp.ones((3, 4)))
                x = jax.lax.cond(x.sum() > number, lambda x: gate(x, x), lambda x: x + 1, x) + trail.sum(0)
        return x.sum()

    return jax.make_jaxpr(jax.grad(loss))(jnp.ones(4))


def best_of(turns: int, *runs: Callable[[], object]) -> list[float]:
    """The least CPU time of each run, in milliseconds, taken in turn."""
    found = [float("inf")] * len(runs)
    for _ in range(turns):
        for number, run in enumerate(runs):
            gc.collect()
            started = time.process_time()
            run()
            found[number] = min(found[number], (time.process_time() - started) * 1e3)
    return found


def main() -> None:
    """Print the table."""
    from visualizer.tracing._serialize import serialize

    rows = []
    for size in SIZES:
        for make in (unrolled, network, blocks):
            closed = make(size)
            ours, theirs = best_of(3 if size > 10_000 else 7, lambda c=closed: serialize(c, text=False), lambda c=closed: str(c))  # type: ignore[misc]
            rows.append(Row(f"{make.__name__}, about {size:,} equations", ours, theirs, budget=BUDGET))
    print_table("Serialise against str(jaxpr)", rows)


if __name__ == "__main__":
    main()
