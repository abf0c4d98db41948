# Gradient descent on a line, one batch per step; the rate is an argument, so it is a const of the scan.
import jax
import jax.numpy as jnp


def train(w, xs, ys, lr):
    def step(w, batch):
        x, y = batch

        def loss(w):
            return jnp.mean((x @ w - y) ** 2)

        return w - lr * jax.grad(loss)(w), loss(w)

    return jax.lax.scan(step, w, (xs, ys))


arguments = jnp.zeros(3), jnp.ones((6, 2, 3)), jnp.ones((6, 2))
jax.make_jaxpr(train)(*arguments, jnp.float32(0.1))
jax.make_jaxpr(lambda w, xs, ys: train(w, xs, ys, 0.1))(*arguments)
