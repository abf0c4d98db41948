# unroll does not change the jaxpr: three programs that differ in one param.
import jax
import jax.numpy as jnp


def running_sum(xs, unroll):
    return jax.lax.scan(lambda total, x: (total + x, total), 0.0, xs, unroll=unroll)


xs = jnp.arange(8.0)
for unroll in (1, 4, 8):
    jax.make_jaxpr(lambda xs, unroll=unroll: running_sum(xs, unroll))(xs)
