"""A training step under one `jax.jit`, as most are written: it opens in place of its box, and trees of arguments are one pill each."""

import jax
import jax.numpy as jnp


def norm(p, x):
    centred = x - x.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * p["scale"] + p["shift"]


def layer(p, x):
    return x + jax.nn.gelu(norm(p, x) @ p["w"] + p["b"])


def loss(params, x, y):
    for p in params:
        x = layer(p, x)
    return ((x - y) ** 2).mean()


def adam(p, m, v, g):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 0.01 * m / (jnp.sqrt(v) + 1e-8), m, v


@jax.jit
def step(params, m, v, x, y):
    value, grads = jax.value_and_grad(loss)(params, x, y)
    made = jax.tree.map(adam, params, m, v, grads)
    return value, *(jax.tree.map(lambda _, each: each[i], params, made) for i in range(3))


params = [{"scale": jnp.ones(8), "shift": jnp.zeros(8), "w": jnp.ones((8, 8)), "b": jnp.zeros(8)} for _ in range(4)]
jax.make_jaxpr(step)(params, params, params, jnp.ones((2, 8)), jnp.ones((2, 8)))
