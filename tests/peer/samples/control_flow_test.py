"""Loops and branches, in the style of JAX's `lax_control_flow_test.py`: run by the peer plugin, and by nothing else."""

# ruff: noqa: E731, RUF059

import jax
import jax.numpy as jnp
import numpy as np
from absl.testing import absltest, parameterized
from jax import lax
from jax._src import test_util as jtu

jax.config.parse_flags_with_absl()


def scan_reference(f, init, xs):
    carry, ys = init, []
    for x in xs:
        carry, y = f(carry, x)
        ys.append(y)
    return carry, np.stack(ys)


class LaxControlFlowTest(jtu.JaxTestCase):
    def test_while_with_tuple(self):
        limit = 10

        def loop(x):
            return lax.while_loop(lambda c: c[0] < limit, lambda c: (c[0] + 1, c[1] * 2.0), (0, x))

        self.assertEqual(loop(3.0)[0], 10)
        self.assertEqual(jax.jit(loop)(3.0)[0], 10)

    def test_while_closes_over_both_ways(self):
        def f(limit, step, x):
            return lax.while_loop(lambda x: x < limit, lambda x: x + step, x)

        self.assertAllClose(jax.jit(f)(10.0, 3.0, 0.0), np.float32(12.0), check_dtypes=False)
        self.assertAllClose(jax.vmap(f, (0, None, 0))(np.arange(3.0), 1.0, np.zeros(3)), np.arange(3.0), check_dtypes=False)

    @parameterized.parameters((False, 1, True), (True, 2, False), (False, True, True))
    def test_scan(self, reverse, unroll, jit):
        d = np.arange(2, dtype=np.float32)

        def f(c, a):
            b = jnp.cos(jnp.sum(jnp.sin(a)) + jnp.sum(jnp.cos(c)) + jnp.sum(jnp.tan(d)))
            return jnp.sin(c * b), b

        as_ = np.arange(10, dtype=np.float32).reshape(5, 2)
        scan = lambda c, xs: lax.scan(f, c, xs, reverse=reverse, unroll=unroll)
        scan = jax.jit(scan) if jit else scan
        carry, ys = scan(d, as_)
        truth, _ = scan_reference(f, d, as_[::-1] if reverse else as_)
        self.assertAllClose(carry, truth, check_dtypes=False, rtol=1e-5)
        jax.make_jaxpr(jax.hessian(lambda c: scan(c, as_)[1].sum()))(d)

    def test_scan_of_scan_under_vmap(self):
        def outer(c, xs):
            c, ys = lax.scan(lambda c, x: (c * x, c), c, xs)
            return c, ys.sum()

        f = lambda c, xs: lax.scan(outer, c, xs)
        out, _ = jax.vmap(f, (None, 0))(1.0, np.ones((3, 2, 4), np.float32))
        self.assertAllClose(out, np.ones(3), check_dtypes=False)
        jax.hessian(lambda c: f(c, np.ones((2, 4), np.float32))[0])(2.0)

    def test_cond_and_switch(self):
        f = lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda x: lax.cond(x > 0, jnp.exp, lambda x: x, x)], x)
        for i in range(3):
            self.assertAllClose(jax.jit(f)(i, 1.0), [np.sin, np.cos, np.exp][i](1.0), check_dtypes=False)
        jax.vmap(f, (0, None))(np.arange(3), 1.0)
        jax.grad(f, argnums=1)(1, 1.0)
        jax.jit(jax.grad(lambda p, x: lax.cond(p, lambda: x * 2, lambda: x), 1))(True, 1.0)

    def test_associative_scan_fori_map(self):
        xs = np.arange(6, dtype=np.float32)
        self.assertAllClose(lax.associative_scan(lax.add, xs), np.cumsum(xs))
        self.assertEqual(jax.jit(lambda n: lax.fori_loop(0, n, lambda i, c: c + i, 0))(5), 10)
        self.assertAllClose(lax.map(jnp.square, xs, batch_size=4), xs**2)

    def test_custom_linear_solve_and_root(self):
        a = np.eye(3, dtype=np.float32) * 2
        solve = lambda mv, b: jnp.linalg.inv(a) @ b
        f = lambda b: lax.custom_linear_solve(lambda x: a @ x, b, solve, transpose_solve=solve)
        self.assertAllClose(jax.jit(jax.grad(lambda b: f(b).sum()))(np.ones(3, np.float32)), np.full(3, 0.5, np.float32))
        g = lambda c: lax.custom_root(
            lambda x: x**2 - c, 1.0, lambda g, x: lax.fori_loop(0, 9, lambda _, x: x - g(x) / 4, x), lambda g, y: y / g(1.0)
        )
        jax.grad(g)(2.0)


if __name__ == "__main__":
    absltest.main(testLoader=jtu.JaxTestLoader())
