# A product over a mesh of two axes (of one device each, so that it runs anywhere).
import jax
import jax.numpy as jnp
import numpy as np

P = jax.sharding.PartitionSpec
mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))


@jax.shard_map(mesh=mesh, in_specs=(P("data", "model"), P("model", None)), out_specs=P("data", None))
def product(x, w):
    return jax.lax.psum(x @ w, "model")


print(jax.make_jaxpr(product)(jnp.ones((4, 4)), jnp.ones((4, 2))))
