# Layers of different widths cannot be stacked, so this loop stays a Python loop and
# every layer puts its own equations into the program.
import jax
import jax.numpy as jnp

widths = [8, 16, 4]
layers = [(jnp.ones((m, n)) / m, jnp.zeros(n)) for m, n in zip([6, *widths], widths)]


def forward(layers, x):
    for i, (w, b) in enumerate(layers):
        with jax.named_scope(f"layer{i}"):
            x = jax.nn.relu(x @ w + b)
    return x


try:
    jnp.stack([w for w, _ in layers])
except ValueError as error:
    print(error)

forward(layers, jnp.ones((2, 6)))
