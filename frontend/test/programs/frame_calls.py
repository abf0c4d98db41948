# Calls that say something of themselves: a composite, a call on a device, a state that lives in the call.
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scaled_sine(x, *, scale):
    return jnp.sin(x) * scale


composite = jax.lax.composite(scaled_sine, name="my.scaled_sine", version=2)


def doubled(ref):
    ref[...] = ref[...] * 2


def calls(x):
    return pl.run_state(doubled)(composite(x, scale=2.0))


print(jax.make_jaxpr(calls)(jnp.ones(4)))
