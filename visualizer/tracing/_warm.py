"""The programs that a process runs before anyone's: what they ask of JAX, its caches know from then on.

Promises: none starts a backend. Must never: be read from anywhere but this package.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from .eager._holding import fits

# Python specialises what has run a few times: a fifth of a short job.
ROUNDS = 3
WARM = """
import jax, jax.numpy as jnp
import numpy as np

key = jax.random.key(0)
w, b, x = jnp.ones((4, 4)), jnp.zeros(4), jax.random.normal(key, (3, 4))

def loss(w, b, x):
    h = jax.nn.relu(x @ w + b)
    return jnp.mean((jnp.tanh(h) - jax.nn.softmax(h)) ** 2) + jnp.where(x > 0, x, 0.).sum()

@jax.jit
def update(w, b, x, lr=0.1):
    g, h = jax.grad(loss, argnums=(0, 1))(w, b, x)
    return w - lr * g, b - lr * h

update(w, b, x)
def total(w, xs):
    step = lambda c, x: (c * x + w, c)
    last, _ = jax.lax.scan(step, 1.0, xs)
    return jax.lax.cond(last > 0, jnp.sin, jnp.cos, last)

jax.make_jaxpr(jax.grad(total))(jnp.float32(0.5), jnp.arange(1., 5.))

def train(w, xs, ys, lr):
    def step(w, batch):
        x, y = batch
        value, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return w - lr * grad, value
    return jax.lax.scan(step, w, (xs, ys))

jax.make_jaxpr(train)(jnp.zeros(4), jnp.ones((5, 3, 4)), jnp.ones((5, 3)), jnp.float32(0.1))
jax.make_jaxpr(jax.vmap(total, in_axes=(None, 0)))(0.5, np.ones((2, 5), "float32"))
jax.make_jaxpr(lambda x: jax.lax.while_loop(lambda c: c < 3, lambda c: c + 1, x))(0)
"""

# Where values cannot be held an eager operation starts a backend, and a process with one must not fork: types alone, and the same rules.
TYPES = """
import jax, jax.numpy as jnp

F = lambda *shape: jax.ShapeDtypeStruct(shape, "float32")

def loss(w, b, x):
    h = jax.nn.relu(x @ w + b)
    return jnp.mean((jnp.tanh(h) - jax.nn.softmax(h)) ** 2) + jnp.where(x > 0, x, 0.).sum()

def total(w, xs):
    step = lambda c, x: (c * x + w, c)
    last, _ = jax.lax.scan(step, 1.0, xs)
    return jax.lax.cond(last > 0, jnp.sin, jnp.cos, last)

print(jax.make_jaxpr(jax.grad(loss, argnums=(0, 1)))(F(4, 4), F(4), F(3, 4)))
jax.make_jaxpr(jax.grad(total))(F(), F(4))
jax.make_jaxpr(jax.vmap(total, in_axes=(None, 0)))(F(), F(2, 5))
jax.make_jaxpr(lambda x: jax.lax.while_loop(lambda c: c < 3, lambda c: c + 1, x))(0)
"""

_EXAMPLES = Path(__file__).parents[1] / "examples"
# The page's examples, which most people open first; not 05, whose loop reads a value and starts a backend.
_FIRST = ("01_grad_of_scan", "02_training_scan")
_OTHERS = (
    "03_python_number_is_a_literal",
    "04_unroll_is_a_param",
    "06_branches",
    "07_recompute",
    "08_steps_that_differ",
    "09_jit_in_jit",
    "10_rules_of_your_own",
)


@lru_cache(1)
def rehearsals() -> tuple[str, ...]:
    """Jobs of the usual kind."""
    return (TYPES,) if fits() else tuple(_example(name) for name in _FIRST)


def programs() -> list[str]:
    """All that is to be run, the usual kinds several times."""
    if fits():
        return [TYPES] * ROUNDS
    return [*([WARM, *rehearsals()] * ROUNDS), *map(_example, _OTHERS)]


def _example(name: str) -> str:
    return (_EXAMPLES / f"{name}.py").read_text("utf-8")
