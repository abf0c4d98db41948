"""Custom rules, references, kernels and callbacks, in the style of JAX's tests: run by the peer plugin, and by nothing else."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from absl.testing import absltest, parameterized
from jax import lax
from jax._src import test_util as jtu
from jax.experimental import pallas as pl

jax.config.parse_flags_with_absl()


class CustomRulesTest(jtu.JaxTestCase):
    def test_jvp_rule_with_symbolic_zeros(self):
        @jax.custom_jvp
        def f(x, y):
            return x * y, x + y

        @functools.partial(f.defjvp, symbolic_zeros=True)
        def rule(primals, tangents):
            tx, ty = tangents
            zero = type(tx) is jax.custom_derivatives.SymbolicZero
            return f(*primals), ((ty, ty) if zero else (tx, tx))

        jax.make_jaxpr(jax.grad(lambda x: f(x, 3.0)[0]))(1.0)
        jax.make_jaxpr(jax.vmap(jax.grad(lambda x: sum(f(x, x)))))(jnp.ones(3))

    @parameterized.parameters(False, True)
    def test_vjp_rule(self, optimize_remat):
        @jax.custom_vjp
        def f(x, y):
            return jnp.sin(x) * y

        f.defvjp(lambda x, y: (f(x, y), (x, y)), lambda r, g: (g * jnp.cos(r[0]) * r[1], g * r[0]), optimize_remat=optimize_remat)
        jax.make_jaxpr(lambda x: jax.linearize(f, x, 2.0)[0])(1.0)
        jax.make_jaxpr(jax.grad(lambda x: lax.scan(lambda c, a: (f(c, a), None), x, jnp.ones(3))[0]))(1.0)
        jax.make_jaxpr(jax.grad(jax.checkpoint(lambda x: f(f(x, 2.0), x))))(1.0)

    def test_batching_rule(self):
        @jax.custom_batching.sequential_vmap
        def f(x):
            return jnp.sin(x)

        jax.make_jaxpr(jax.vmap(jax.vmap(f)))(np.ones((2, 3), np.float32))


class StateTest(jtu.JaxTestCase):
    def test_refs_in_loops(self):
        def f(x, n):
            ref = jax.new_ref(x)

            def body(i, c):
                ref[i] = ref[i] * 2 + c
                return c + ref[0]

            total = lax.fori_loop(0, 4, body, 0.0)
            lax.cond(total > 0, lambda: ref.__setitem__(1, 3.0), lambda: None)
            return total, ref[...]

        jax.make_jaxpr(jax.jit(f))(jnp.ones(4), 3)

    def test_kernel_over_a_grid(self):
        def kernel(x, y, out):
            out[...] = x[...] + y[...]

        block = pl.BlockSpec((2,), lambda i: (i,))
        shape = jax.ShapeDtypeStruct((4,), jnp.float32)
        add = pl.pallas_call(kernel, out_shape=shape, grid=(2,), in_specs=[block, block], out_specs=block, interpret=True)
        jax.make_jaxpr(jax.vmap(add, (0, None)))(jnp.ones((3, 4)), jnp.ones(4))

    def test_effects(self):
        def f(x):
            jax.debug.print("x {}", x, ordered=True)
            return jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), np.float32), x, vmap_method="sequential")

        jax.make_jaxpr(lambda xs: lax.map(f, xs))(jnp.ones(3))
        jax.make_jaxpr(lambda p, x: lax.cond(p, f, lambda x: x, x))(True, 1.0)

    def test_leaks_are_still_found(self):
        kept = []
        with self.assertRaisesRegex(Exception, "[Ll]eaked"), jax.checking_leaks():
            jax.jit(lambda x: kept.append(x) or x)(1.0)


if __name__ == "__main__":
    absltest.main(testLoader=jtu.JaxTestLoader())
