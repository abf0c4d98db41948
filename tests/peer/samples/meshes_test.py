"""Programs on a mesh of one device, in the style of JAX's tests: run by the peer plugin, and by nothing else."""

import jax
import jax.numpy as jnp
import numpy as np
from absl.testing import absltest
from jax import lax
from jax._src import test_util as jtu
from jax.sharding import AxisType
from jax.sharding import PartitionSpec as P

jax.config.parse_flags_with_absl()


class MeshesTest(jtu.JaxTestCase):
    def test_sums_that_are_left_to_later(self):
        # A spec with unreduced or reduced axes does not iterate.
        with jax.set_mesh(jax.make_mesh((1, 1), ("x", "y"), axis_types=(AxisType.Explicit,) * 2)):
            a = jax.device_put(np.ones((2, 4), np.float32), P("x", "y"))
            b = jax.device_put(np.ones((4, 2), np.float32), P("y", None))
            left = jax.shard_map(lambda a, b: lax.pcast(a @ b, "y", to="unreduced"), out_specs=P("x", None, unreduced={"y"}))

            def loss(a, b):
                return jax.sharding.reshard(left(a, b), P("x", None)).sum()

            jax.make_jaxpr(jax.jit(jax.grad(loss, argnums=(0, 1))))(a, b)
            kept = jax.shard_map(lambda x: lax.sin(x).sum(), out_specs=P(reduced={"x"}))
            jax.make_jaxpr(jax.jit(jax.grad(kept)))(jax.device_put(np.ones(4, np.float32), P(reduced={"x"})))

    def test_one_mesh_axis_after_the_other(self):
        with jax.set_mesh(jax.make_mesh((1, 1), ("x", "y"), axis_types=(AxisType.Auto,) * 2)):

            def inner(x):
                return jax.shard_map(lambda x: x * x * x, in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"})(x)

            outer = jax.shard_map(inner, in_specs=P("x", None), out_specs=P("x", None), axis_names={"x"})
            jax.make_jaxpr(jax.jit(jax.grad(lambda x: outer(x).sum())))(jnp.ones((2, 4)))

    def test_an_equation_that_jax_cannot_print(self):
        # Its printing rule asks for a param that `bind` does not.
        closed = jax.make_jaxpr(lambda x: lax.mul_p.bind(x, x))(1.0)
        self.assertRaises(KeyError, str, closed)


if __name__ == "__main__":
    absltest.main(testLoader=jtu.JaxTestLoader())
