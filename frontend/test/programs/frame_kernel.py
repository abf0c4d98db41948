# A kernel on blocks: a grid, a scratch ref that is written under a condition, and one that adds in place.
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def scaled(x_ref, y_ref, out_ref):
    out_ref[...] = x_ref[...] * 2

    @pl.when(pl.program_id(0) == 0)
    def _():
        out_ref[...] += y_ref[...]


def blocks(x, y):
    rows = pl.BlockSpec((2, 4), lambda i: (i, 0))
    call = pl.pallas_call(
        scaled, out_shape=jax.ShapeDtypeStruct((8, 4), jnp.float32), grid=(4,), in_specs=[rows, rows], out_specs=rows, interpret=True
    )
    return call(x, y)


def in_place(x, total):
    def add(x_ref, total_ref, out_ref):
        out_ref[...] = total_ref[...] + x_ref[...]

    call = pl.pallas_call(add, out_shape=jax.ShapeDtypeStruct((4,), jnp.float32), input_output_aliases={1: 0}, interpret=True)
    return call(x, total)


print(jax.make_jaxpr(blocks)(jnp.ones((8, 4)), jnp.ones((8, 4))))
print(jax.make_jaxpr(in_place)(jnp.ones(4), jnp.ones(4)))
