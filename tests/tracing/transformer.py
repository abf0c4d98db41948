"""A transformer in plain jax.numpy, as people write them: layers in a Python loop, so its programs are long."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from tests.tracing.lowered import shape


def transformer(layers: int, width: int = 16, heads: int = 2, length: int = 8) -> tuple[Any, tuple[Any, ...]]:
    """A training step (forward, gradient, update) and the types of its arguments."""
    layer = {
        "norm": shape(width),
        "qkv": shape(width, 3 * width),
        "out": shape(width, width),
        "up": shape(width, 4 * width),
        "down": shape(4 * width, width),
    }
    params = [dict(layer) for _ in range(layers)]

    def norm(x: Any, scale: Any) -> Any:
        return scale * (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-6)

    def attend(x: Any, p: Any) -> Any:
        q, k, v = (part.reshape(length, heads, -1) for part in jnp.split(x @ p["qkv"], 3, axis=-1))
        scores = jnp.einsum("qhd,khd->hqk", q, k) / jnp.sqrt(q.shape[-1])
        weights = jax.nn.softmax(scores + jnp.where(jnp.tril(jnp.ones((length, length))) > 0, 0.0, -1e9), axis=-1)
        return jnp.einsum("hqk,khd->qhd", weights, v).reshape(length, -1) @ p["out"]

    def loss(params: Any, x: Any, y: Any) -> Any:
        for p in params:
            x = x + attend(norm(x, p["norm"]), p)
            x = x + jax.nn.gelu(norm(x, p["norm"]) @ p["up"]) @ p["down"]
        return jnp.mean((x - y) ** 2)

    def step(params: Any, x: Any, y: Any) -> Any:
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    return step, (params, shape(length, width), shape(length, width))
