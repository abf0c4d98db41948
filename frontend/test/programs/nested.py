# Everything inside everything: a while over a scan over a cond, a switch, a jit, a reducer of one's own and a linear solve.
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def scale(x, by):
    return x * by


def simulate(state, forces, limit, mode):
    def push(x, force):
        x = lax.cond(jnp.sum(x) > limit, lambda x: scale(x, 0.5), lambda x: x + force, x)
        return x, scale(x, 2.0)

    def unfinished(carry):
        turn, x = carry
        return (turn < 10) & (jnp.max(x) < limit)

    def turn(carry):
        number, x = carry
        x, trail = lax.scan(push, x, forces)
        return number + 1, x + trail.mean(0)

    turns, x = lax.while_loop(unfinished, turn, (0, state))
    x = lax.switch(mode, [jnp.sin, jnp.cos, lambda x: x * 2, lambda x: -x], x)
    total = lax.reduce(x, jnp.float32(0), lambda a, b: a + b * b, (0,))
    matrix = jnp.eye(3) * 2
    solved = lax.custom_linear_solve(lambda v: matrix @ v, x, lambda matvec, b: b / 2, symmetric=True)
    return turns, total, solved


jax.make_jaxpr(simulate)(jnp.ones(3), jnp.ones((5, 3)), jnp.float32(9), 1)
