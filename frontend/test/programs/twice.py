"""Differentiated twice, or two of them: lanes within lanes, and several twins in one level."""

import jax
import jax.numpy as jnp


def loss(w, xs):
    def step(h, x):
        h = jnp.tanh(w * h + x)
        return h, h * h

    h, squares = jax.lax.scan(step, jnp.zeros(3), xs)
    return jnp.sum(squares) + jnp.sum(h)


def slope(w, xs):
    return jnp.sum(jax.grad(loss)(w, xs) ** 2)


def two_losses(w, v, xs):
    return jax.value_and_grad(loss)(w, xs), jax.value_and_grad(loss)(v, 2 * xs)


@jax.jit
def update(w, xs):
    return w - 0.1 * jax.grad(loss)(w, xs)


w, xs = jnp.ones(3), jnp.ones((5, 3))
jax.make_jaxpr(jax.grad(slope))(w, xs)
jax.make_jaxpr(two_losses)(w, w, xs)
jax.make_jaxpr(jax.hessian(loss))(w, xs)
jax.make_jaxpr(update)(w, xs)
