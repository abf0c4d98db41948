# A small transformer in plain jax.numpy, its loss and its gradient: a few hundred equations in two lanes.
import jax
import jax.numpy as jnp

LAYERS, WIDTH, HEADS, TOKENS = 4, 16, 2, 6


def norm(x, gain):
    with jax.named_scope("norm"):
        centred = x - x.mean(-1, keepdims=True)
        return gain * centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


def attention(layer, x):
    with jax.named_scope("attention"):
        q, k, v = (jnp.reshape(x @ layer[name], (TOKENS, HEADS, -1)) for name in ("q", "k", "v"))
        scores = jnp.einsum("ihd,jhd->hij", q, k) / jnp.sqrt(WIDTH / HEADS)
        weights = jnp.exp(scores - scores.max(-1, keepdims=True))
        weights = weights / weights.sum(-1, keepdims=True)
        return jnp.einsum("hij,jhd->ihd", weights, v).reshape(TOKENS, WIDTH) @ layer["o"]


def mlp(layer, x):
    with jax.named_scope("mlp"):
        return jnp.tanh(x @ layer["up"]) @ layer["down"]


def loss(params, tokens, targets):
    x = params["embedding"][tokens]
    for number, layer in enumerate(params["layers"]):
        with jax.named_scope(f"layer{number}"):
            x = x + attention(layer, norm(x, layer["gain"]))
            x = x + mlp(layer, norm(x, layer["gain2"]))
    logits = x @ params["embedding"].T
    shifted = logits - logits.max(-1, keepdims=True)
    log_probabilities = shifted - jnp.log(jnp.exp(shifted).sum(-1, keepdims=True))
    return -jnp.mean(jnp.take_along_axis(log_probabilities, targets[:, None], axis=1))


def make_layer():
    square = jnp.eye(WIDTH)
    return {
        **dict.fromkeys(("q", "k", "v", "o"), square),
        "up": jnp.ones((WIDTH, 4 * WIDTH)),
        "down": jnp.ones((4 * WIDTH, WIDTH)),
        "gain": jnp.ones(WIDTH),
        "gain2": jnp.ones(WIDTH),
    }


params = {"embedding": jnp.ones((32, WIDTH)), "layers": [make_layer() for _ in range(LAYERS)]}
tokens = jnp.arange(TOKENS)
jax.make_jaxpr(jax.value_and_grad(loss))(params, tokens, tokens)
