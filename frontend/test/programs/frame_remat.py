# A checkpointed block in a scan, before and after it is differentiated.
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
def block(w, h):
    return jnp.tanh(jnp.tanh(h @ w))


def loss(ws, h):
    return jax.lax.scan(lambda h, w: (block(w, h), None), h, ws)[0].sum()


print(jax.make_jaxpr(loss)(jnp.ones((4, 3, 3)), jnp.ones(3)))
print(jax.make_jaxpr(jax.grad(loss))(jnp.ones((4, 3, 3)), jnp.ones(3)))
