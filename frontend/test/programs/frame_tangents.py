# Forward mode through a scan: values and their tangents go side by side.
import jax
import jax.numpy as jnp


def total(w, xs):
    return jax.lax.scan(lambda h, x: (jnp.tanh(w * h + x), h), 0.0, xs)[1].sum()


def directional(w, dw, xs):
    return jax.jvp(lambda w: total(w, xs), (w,), (dw,))


print(jax.make_jaxpr(directional)(0.5, 1.0, jnp.ones(4)))
