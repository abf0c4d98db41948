# The loss is jitted: after grad the forward scan and the backward scan each live in the body of a jit.
import jax
import jax.numpy as jnp


@jax.jit
def loss(params, frames):
    def cell(h, frame):
        h = jnp.tanh(params["w"] @ h + frame + params["b"])
        return h, jnp.sum(h**2)

    _, energies = jax.lax.scan(cell, jnp.zeros(4), frames)
    return energies.mean()


params = {"w": jnp.eye(4) * 0.5, "b": jnp.zeros(4)}
jax.make_jaxpr(jax.value_and_grad(loss))(params, jnp.ones((10, 4)))
jax.make_jaxpr(jax.grad(jax.checkpoint(loss)))(params, jnp.ones((10, 4)))
jax.make_jaxpr(jax.vmap(jax.grad(loss), in_axes=(None, 0)))(params, jnp.ones((3, 10, 4)))
