# More carries than the eye can follow one by one, and a Fibonacci scan, whose carries change places.
import jax
import jax.numpy as jnp


def decay(state, rates):
    def step(state, rate):
        return tuple(rate * part for part in state), sum(part.sum() for part in state)

    return jax.lax.scan(step, state, rates)


def fibonacci(n):
    def step(pair, _):
        before, now = pair
        return (now, before + now), before

    return jax.lax.scan(step, (0, 1), None, length=n)


print(jax.make_jaxpr(decay)(tuple(jnp.ones(3) for _ in range(6)), jnp.ones(4)))
print(jax.make_jaxpr(lambda: fibonacci(10))())
