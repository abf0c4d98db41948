# One multiply and one add per step; the gradient needs the carry of every step, in reverse.
import jax
import jax.numpy as jnp


def accumulate(gain, signal):
    def step(level, sample):
        return level * sample + gain, level

    level, _ = jax.lax.scan(step, 1.0, signal)
    return level


jax.make_jaxpr(jax.grad(accumulate))(jnp.float32(0.5), jnp.arange(1.0, 5.0))
