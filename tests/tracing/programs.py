"""Small programs, one for each way that a jaxpr is nested in an equation: for the tests of the serialiser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

X = np.arange(4, dtype=np.float32)
Traceable = tuple[Callable[..., Any], tuple[Any, ...]]


def scan() -> Traceable:
    return lambda k, c, xs: lax.scan(lambda c, x: (c + k * x, c * x), c, xs), (np.float32(2), np.float32(0), X)


def while_loop() -> Traceable:
    def f(x: Any, limit: Any, step: Any) -> Any:
        return lax.while_loop(lambda c: c[0] < limit, lambda c: (c[0] + step, c[1] * 2), (0, x))

    return f, (X, 3, 1)


def cond() -> Traceable:
    return lambda p, x: lax.cond(p, jnp.sin, lambda y: y * 2, x), (True, X)


def switch() -> Traceable:
    return lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda y: y * 2], x), (1, X)


def jit() -> Traceable:
    return lambda x: jax.jit(lambda y: jnp.sin(y) * 2)(x), (X,)


def shared_jit() -> Traceable:
    g = jax.jit(lambda y: jnp.sin(y) * 2)
    return lambda x: g(g(x)), (X,)


def checkpoint() -> Traceable:
    return jax.checkpoint(lambda x: jnp.sin(jnp.sin(x))), (X,)


def custom_jvp() -> Traceable:
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.defjvp(lambda p, t: (jnp.sin(p[0]), t[0] * jnp.cos(p[0])))
    return f, (X,)


def custom_vjp() -> Traceable:
    @jax.custom_vjp
    def f(x: Any, scale: Any) -> Any:
        return jnp.sin(x) * scale

    f.defvjp(lambda x, scale: (jnp.sin(x) * scale, x), lambda r, t: (t * jnp.cos(r), None))
    return f, (X, np.float32(2))


def linear_solve() -> Traceable:
    def f(a: Any, b: Any) -> Any:
        return lax.custom_linear_solve(lambda x: a @ x, b, lambda mv, y: y / 2, lambda mv, y: y / 2)

    return f, (np.eye(4, dtype=np.float32) * 2, X)


def reduce() -> Traceable:
    return lambda x: lax.reduce(x, np.float32(1), lambda a, b: a * b + a, (0,)), (X,)


def shard_map() -> Traceable:
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("i",))
    spec = jax.sharding.PartitionSpec
    return jax.shard_map(lambda x: lax.psum(x * 2, "i"), mesh=mesh, in_specs=spec("i"), out_specs=spec()), (X,)


def scatter() -> Traceable:
    return lambda x, i: x.at[i].apply(jnp.sin), (X, np.array([1, 2]))


def pallas() -> Traceable:
    from jax.experimental import pallas as pl

    def kernel(x: Any, out: Any) -> None:
        out[...] = jnp.sin(x[...]) * 2

    block = pl.BlockSpec((2,), lambda i: (i,))
    shape = jax.ShapeDtypeStruct((4,), np.float32)
    return pl.pallas_call(kernel, out_shape=shape, grid=(2,), interpret=True, in_specs=[block], out_specs=block), (X,)


def loss(w: Any, xs: Any) -> Any:
    """A scan whose gradient has a twin with residuals."""

    def cell(h: Any, x: Any) -> Any:
        h = jnp.tanh(w * h + x)
        return h, h

    _, hs = lax.scan(cell, np.float32(0), xs)
    return (hs**2).mean()
