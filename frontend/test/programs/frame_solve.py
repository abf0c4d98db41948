# A linear solve by functions of one's own.
import jax
import jax.numpy as jnp


def solve(diagonal, b):
    return jax.lax.custom_linear_solve(lambda x: diagonal * x, b, lambda _, y: y / diagonal, lambda _, y: y / diagonal)


print(jax.make_jaxpr(solve)(jnp.ones(3), jnp.ones(3)))
