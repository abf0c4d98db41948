# Reducers that a word says, and one that it does not.
import jax
import jax.numpy as jnp


def reduced(x, i):
    added = x.at[i].add(1.0)
    largest = x.at[i].max(2.0)
    mixed = jax.lax.reduce(x, jnp.float32(1), lambda a, b: a * b + a, (0,))
    return added, largest, mixed


print(jax.make_jaxpr(reduced)(jnp.ones(4), jnp.array([1, 2])))
