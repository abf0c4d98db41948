import jax
import jax.numpy as jnp


def smooth(decay, start, signal):
    def step(level, sample):
        level = decay * level + sample
        return level, level

    return jax.lax.scan(step, start, signal)


def miss(decay, start, signal):
    _, levels = smooth(decay, start, signal)
    return jnp.sum((levels - signal) ** 2)


decay, start, signal = jnp.float32(0.9), jnp.float32(0.0), jnp.linspace(0.0, 1.0, 8)
jax.make_jaxpr(jax.grad(miss))(decay, start, signal)
