"""The pastes that are measured, and how to trace each by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "visualizer" / "examples"


@dataclass(frozen=True)
class Paste:
    """A paste, and the function and arguments (expressions in its namespace) that it traces.

    `plain` pastes make next to no arrays, so their answer may cost no more than tracing and lowering by hand.
    """

    name: str
    source: str
    fun: str
    args: str
    plain: bool = True
    sizes: Callable[[int], str] | None = None
    """The arguments of each request, of sizes that nobody has traced before: JAX's caches know neither side's."""

    def at(self, count: int) -> Paste:
        """The paste of one request."""
        if self.sizes is None:
            return self
        args = self.sizes(count)
        return replace(self, source=self.source.replace(self.args, args), args=args)

    @property
    def setup(self) -> str:
        """What is run by hand before its function is traced by hand: all of it, but for what would make JAX know the sizes."""
        return self.source if self.sizes is None else self.source.replace(f"jax.make_jaxpr({self.fun}){self.args}", "")


def pastes() -> list[Paste]:
    """The lesson's training step, the gradient of a scan, and a paste whose arrays cost more than its program."""
    training = (EXAMPLES / "02_training_scan.py").read_text("utf-8")
    return [
        Paste("training scan", training, "train", TRAIN),
        Paste("gradient of a scan", (EXAMPLES / "01_grad_of_scan.py").read_text("utf-8"), "jax.grad(loss)", "(gain, h0, xs)"),
        Paste("network with random weights", NETWORK, "jax.value_and_grad(loss)", "(params, x, y)", plain=False),
        Paste("training scan of new sizes", training, "train", TRAIN, sizes=_training_sizes),
    ]


TRAIN = "(jnp.zeros(3), jnp.ones((6, 2, 3)), jnp.ones((6, 2)), jnp.float32(0.1))"


def _training_sizes(count: int) -> str:
    width, steps, batch = 16 + count, 64 + count, 128 + count
    return f"(jnp.zeros({width}), jnp.ones(({steps}, {batch}, {width})), jnp.ones(({steps}, {batch})), jnp.float32(0.1))"


NETWORK = """\
import jax
import jax.numpy as jnp

def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        {"w": jax.random.normal(k, (m, n)) / jnp.sqrt(m), "b": jnp.zeros(n)}
        for k, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]

def forward(params, x):
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]

def loss(params, x, y):
    return jnp.mean((forward(params, x) - y) ** 2)

params = init(jax.random.key(0), [8, 32, 32, 4])
x, y = jax.random.normal(jax.random.key(1), (16, 8)), jnp.ones((16, 4))
print(jax.make_jaxpr(jax.value_and_grad(loss))(params, x, y))
"""
