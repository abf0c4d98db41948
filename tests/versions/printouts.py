"""What JAX 0.6.0 prints for a scan and its gradient: the printouts that lessons of its time show."""

from __future__ import annotations

SOURCE = """
import jax
import jax.numpy as jnp

def last_value(gain, rows):
    def step(state, row):
        return state * row + gain, state
    state, _ = jax.lax.scan(step, 1.0, rows)
    return state

jax.make_jaxpr(jax.grad(last_value))(jnp.float32(0.5), jnp.arange(1., 5.))
"""

GRADIENT = """{ lambda ; a:f32[] b:f32[4]. let
    _:f32[] _:f32[4] = scan[
      _split_transpose=False
      jaxpr={ lambda ; c:f32[] d:f32[] e:f32[]. let
          f:f32[] = convert_element_type[new_dtype=float32 weak_type=False] d
          g:f32[] = mul f e
          h:f32[] = add g c
        in (h, d) }
      length=4
      linear=(False, False, False)
      num_carry=1
      num_consts=1
      reverse=False
      unroll=1
    ] a 1.0 b
    i:f32[] _:f32[] = scan[
      _split_transpose=False
      jaxpr={ lambda ; j:f32[] k:f32[] l:f32[]. let
          m:f32[] = mul k l
          n:f32[] = convert_element_type[new_dtype=float32 weak_type=True] m
          o:f32[] = add_any j k
        in (o, n) }
      length=4
      linear=(True, True, False)
      num_carry=2
      num_consts=0
      reverse=True
      unroll=1
    ] 0.0 1.0 b
  in (i,) }"""

STEPS = """
import jax
import jax.numpy as jnp

def fit(w, xs, ys, rate):
    def step(w, batch):
        x, y = batch
        error = lambda w: jnp.mean((x @ w - y) ** 2)
        return w - rate * jax.grad(error)(w), error(w)
    return jax.lax.scan(step, w, (xs, ys))

jax.make_jaxpr(fit)(jnp.zeros(3), jnp.ones((6, 2, 3)), jnp.ones((6, 2)), jnp.float32(0.1))
"""
