# A ref that a scan adds to, read before and after.
import jax
import jax.numpy as jnp


def running(start, xs):
    total = jax.new_ref(start)
    first = total[0]

    def step(_, x):
        total[...] += x
        return None, total[0]

    _, seen = jax.lax.scan(step, None, xs)
    return total[...], first, seen


print(jax.make_jaxpr(running)(jnp.zeros(4), jnp.ones((3, 4))))
