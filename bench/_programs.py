"""The pastes that are measured, and how to trace each by hand."""

from __future__ import annotations

from dataclasses import dataclass
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


def pastes() -> list[Paste]:
    """The lesson's training step, the gradient of a scan, and a paste whose arrays cost more than its program."""
    return [
        Paste("training scan", (EXAMPLES / "02_training_scan.py").read_text("utf-8"), "train", TRAIN),
        Paste("gradient of a scan", (EXAMPLES / "01_grad_of_scan.py").read_text("utf-8"), "jax.grad(loss)", "(gain, h0, xs)"),
        Paste("network with random weights", NETWORK, "jax.value_and_grad(loss)", "(params, x, y)", plain=False),
    ]


TRAIN = "(jnp.zeros(3), jnp.ones((6, 2, 3)), jnp.ones((6, 2)), jnp.float32(0.1))"
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
