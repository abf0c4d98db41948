# A while loop has two bodies: one asks whether to go on, one takes the step.
# `target` is read by both, so it is a const of each.
import jax
import jax.numpy as jnp


def newton(target, guess, tolerance):
    def unfinished(state):
        x, steps = state
        return (jnp.abs(x * x - target) > tolerance) & (steps < 50)

    def improve(state):
        x, steps = state
        return 0.5 * (x + target / x), steps + 1

    return jax.lax.while_loop(unfinished, improve, (guess, 0))


root, steps = newton(jnp.float32(2.0), jnp.float32(1.0), jnp.float32(1e-6))
print("root", root, "after", steps, "steps")
