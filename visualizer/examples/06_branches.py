# cond picks a branch by an index: branch 0 is the false one. Inside a scan both
# branches are traced once.
import jax
import jax.numpy as jnp


def clip_or_keep(xs, limit):
    def step(count, x):
        big = jnp.abs(x) > limit
        y = jax.lax.cond(big, lambda x: limit * jnp.sign(x), lambda x: x, x)
        return count + big, y

    return jax.lax.scan(step, 0, xs)


clip_or_keep(jnp.linspace(-3.0, 3.0, 7), jnp.float32(1.5))
