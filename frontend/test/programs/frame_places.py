# Where the parts of operands come from: blocks that scalars choose, windows by element, and one axis of a mesh after the other.
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import AxisType

P = jax.sharding.PartitionSpec


def chosen(steps, rows, x):
    def copy(rows_ref, x_ref, out_ref):
        out_ref[...] = x_ref[...]

    spec = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1,
        grid=(steps, 2),
        in_specs=[pl.BlockSpec((2, 4), lambda i, j, rows_ref: (rows_ref[i], j))],
        out_specs=pl.BlockSpec((2, 4), lambda i, j, rows_ref: (i, j)),
    )
    return pl.pallas_call(copy, out_shape=jax.ShapeDtypeStruct((8, 8), jnp.float32), grid_spec=spec, interpret=True)(rows, x)


def windows(x, y):
    def add(x_ref, y_ref, out_ref):
        out_ref[...] = x_ref[:2] + x_ref[2:] + y_ref[...]

    return pl.pallas_call(
        add,
        out_shape=jax.ShapeDtypeStruct((6, 4), jnp.float32),
        grid=(3,),
        in_specs=[
            pl.BlockSpec((pl.Element(4), pl.Element(4)), lambda i: (i * 2, 0)),
            pl.BlockSpec((pl.BoundedSlice(2), 4), lambda i: (pl.ds(0, 2), 0)),
        ],
        out_specs=pl.BlockSpec((2, 4), lambda i: (i, 0)),
    )(x, y)


def mesh(kind):
    return jax.set_mesh(jax.make_mesh((1, 1), ("data", "model"), axis_types=(kind,) * 2))


def in_turn(x, w):
    def inner(x, w):
        return lax.psum(x @ w, "model")

    def outer(x, w):
        specs = (P(None, "model"), P("model", None))
        return jax.shard_map(inner, in_specs=specs, out_specs=P(None, None), axis_names={"model"})(x, w)

    return jax.shard_map(outer, in_specs=(P("data", None), P(None, None)), out_specs=P("data", None), axis_names={"data"})(x, w)


def summed_later(x, w):
    sums = jax.shard_map(lambda x, w: lax.pcast(x @ w, "model", to="unreduced"), out_specs=P("data", None, unreduced={"model"}))
    return jax.sharding.reshard(sums(x, w), P("data", None))


print(jax.make_jaxpr(chosen)(3, jnp.arange(4), jnp.ones((8, 8))))
print(jax.make_jaxpr(windows)(jnp.ones((8, 4)), jnp.ones((8, 4))))
with mesh(AxisType.Auto):
    print(jax.make_jaxpr(in_turn)(jnp.ones((4, 4)), jnp.ones((4, 2))))
with mesh(AxisType.Explicit):
    x, w = jax.device_put((jnp.ones((4, 4)), jnp.ones((4, 2))), (P("data", "model"), P("model", None)))
    print(jax.make_jaxpr(summed_later)(x, w))
