# A branch by a predicate, and one by a number: both have two, only one of them has a true one. One branch reads less than the other.
import jax
import jax.numpy as jnp


def clip(x, limit, shift):
    def scaled(x, shift):
        return x * limit, x.sum()

    def shifted(x, shift):
        return x + shift, limit

    return jax.lax.cond(x.sum() > limit, scaled, shifted, x, shift)


def pick(which, x):
    return jax.lax.switch(which, [jnp.sin, jnp.cos], x)


print(jax.make_jaxpr(clip)(jnp.ones(4), 1.0, jnp.ones(4)))
print(jax.make_jaxpr(pick)(1, jnp.ones(4)))
