# A training scan over a tree of parameters, as its carry.
import jax
import jax.numpy as jnp


def train(params, xs):
    def step(params, x):
        def loss(params):
            h = x
            for layer in params["layers"]:
                h = jnp.tanh(h @ layer["w"] + layer["b"])
            return jnp.mean(h**2)

        value, grads = jax.value_and_grad(loss)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value

    return jax.lax.scan(step, params, xs)


layers = [{"w": jnp.ones((3, 3)), "b": jnp.ones(3)} for _ in range(6)]
print(jax.make_jaxpr(train)({"layers": layers}, jnp.ones((4, 2, 3))))
