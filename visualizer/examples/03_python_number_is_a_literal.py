# The same loop with a Python number bound before tracing: no const operand any more,
# the number is a literal inside the body.
import functools

import jax
import jax.numpy as jnp


def decay(rate, level, signal):
    def step(level, x):
        level = level + rate * (x - level)
        return level, level

    return jax.lax.scan(step, level, signal)


signal = jnp.ones(12)
print(jax.make_jaxpr(decay)(jnp.float32(0.1), jnp.float32(0.0), signal).eqns[0].params["num_consts"], "const")
print(jax.make_jaxpr(functools.partial(decay, 0.1))(jnp.float32(0.0), signal).eqns[0].params["num_consts"], "consts")
