# A while whose condition and whose step close over a value each.
import jax
import jax.numpy as jnp


def grow(x, limit, factor):
    return jax.lax.while_loop(lambda state: state[1].sum() < limit, lambda state: (state[0] + 1, state[1] * factor), (0, x))


print(jax.make_jaxpr(grow)(jnp.ones(4), 100.0, 2.0))
