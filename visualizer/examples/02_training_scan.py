# A whole training loop is one equation. `lr` is closed over by the step, so it is a
# const operand; `w` is the carry; each step gets one row of `xs` and of `ys`.
import jax
import jax.numpy as jnp


def train(w, xs, ys, lr):
    def step(w, batch):
        x, y = batch
        loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return w - lr * grad, loss

    return jax.lax.scan(step, w, (xs, ys))


jax.make_jaxpr(train)(jnp.zeros(3), jnp.ones((6, 2, 3)), jnp.ones((6, 2)), jnp.float32(0.1))
