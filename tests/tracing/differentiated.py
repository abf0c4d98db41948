"""Differentiated programs as people write them: for the tests of kinds and twins.

Each is (function, arguments, how many of its twins are scans). Arguments are small and generic, so that equal numbers mean equal values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Differentiated = tuple[Callable[..., Any], tuple[Any, ...], int]
W = np.float32(0.7)
XS = np.array([0.3, -0.8, 1.1], np.float32)


def rnn(w: Any, xs: Any) -> Any:
    """The loss of a scanned cell."""

    def cell(h: Any, x: Any) -> Any:
        h = jnp.tanh(w * h + x)
        return h, h

    _, hs = lax.scan(cell, np.float32(0.1), xs)
    return (hs**2).mean()


def grad_of_a_scan() -> Differentiated:
    return jax.grad(rnn), (W, XS), 1


def grad_of_a_jitted_loss() -> Differentiated:
    return jax.grad(jax.jit(rnn)), (W, XS), 1


def jitted_value_and_grad() -> Differentiated:
    return jax.jit(jax.value_and_grad(jax.jit(rnn))), (W, XS), 1


def checkpointed_loss() -> Differentiated:
    return jax.value_and_grad(jax.checkpoint(rnn)), (W, XS), 1


def checkpointed_cell() -> Differentiated:
    def loss(w: Any, xs: Any) -> Any:
        cell = jax.checkpoint(lambda h, x: (jnp.sin(jnp.tanh(w * h + x)), h))
        return lax.scan(cell, np.float32(0.1), xs)[0]

    return jax.grad(loss), (W, XS), 1


def checkpoint_with_a_policy() -> Differentiated:
    policy = jax.checkpoint_policies.dots_saveable

    def loss(w: Any, xs: Any) -> Any:
        return lax.scan(jax.checkpoint(lambda h, x: (jnp.tanh(w @ h + x), None), policy=policy), jnp.ones(2) / 3, xs)[0].sum()

    return jax.grad(loss), (np.array([[0.2, 0.5], [-0.3, 0.7]], np.float32), XS), 1


def several_losses() -> Differentiated:
    def run(w: Any, xs: Any) -> Any:
        def other(w: Any) -> Any:
            return lax.scan(lambda c, x: (jnp.cos(c * w + x), None), np.float32(0.2), xs)[0]

        return jax.grad(rnn)(w, xs) + jax.grad(other)(w)

    return run, (W, XS), 2


def one_loss_twice() -> Differentiated:
    return lambda w, v, xs: (jax.grad(rnn)(w, xs), jax.grad(rnn)(v, xs)), (W, W * 2, XS), 2


def loss_of_two_scans() -> Differentiated:
    return jax.grad(lambda w, xs: rnn(w, xs) * rnn(w + 1, xs[::-1])), (W, XS), 2


def scan_in_a_scan() -> Differentiated:
    def loss(w: Any, xs: Any) -> Any:
        def outer(c: Any, x: Any) -> Any:
            c, _ = lax.scan(lambda c, y: (jnp.sin(c * w + y * x), None), c, xs)
            return c, c

        return lax.scan(outer, np.float32(0.3), xs)[1].sum()

    return jax.grad(loss), (W, XS), 2


def scan_in_a_cond() -> Differentiated:
    def loss(w: Any, xs: Any) -> Any:
        return lax.cond(xs[0] > 0, lambda w: rnn(w, xs), lambda w: jnp.sin(w), w)

    return jax.grad(loss), (W, XS), 1


def cond_in_a_scan() -> Differentiated:
    def loss(w: Any, xs: Any) -> Any:
        def cell(c: Any, x: Any) -> Any:
            return lax.cond(x > 0, lambda c: jnp.sin(c * w), lambda c: c * x, c), c

        return lax.scan(cell, np.float32(0.3), xs)[1].sum()

    return jax.grad(loss), (W, XS), 1


def custom_vjp_in_a_scan() -> Differentiated:
    @jax.custom_vjp
    def f(w: Any, x: Any) -> Any:
        return jnp.sin(w * x)

    f.defvjp(lambda w, x: (jnp.sin(w * x), (w, x)), lambda r, g: (g * jnp.cos(r[0] * r[1]) * r[1], g * jnp.cos(r[0] * r[1]) * r[0]))

    def loss(w: Any, xs: Any) -> Any:
        return lax.scan(lambda c, x: (f(c + w, x), c), np.float32(0.3), xs)[1].sum()

    return jax.grad(loss), (W, XS), 1


def scan_in_a_custom_rule() -> Differentiated:
    def run(w: Any, xs: Any) -> Any:
        return lax.scan(lambda c, x: (jnp.sin(c * w + x), c), np.float32(0.3), xs)

    @jax.custom_vjp
    def f(w: Any, xs: Any) -> Any:
        return run(w, xs)[0]

    def backward(r: Any, g: Any) -> Any:
        w, xs, cs = r
        back = lax.scan(lambda g, r: (g * jnp.cos(r[0] * w + r[1]) * w, g * r[0]), g, (cs, xs), reverse=True)
        return back[1].sum(), jnp.zeros_like(xs)

    def forward(w: Any, xs: Any) -> Any:
        last, cs = run(w, xs)
        return last, (w, xs, cs)

    f.defvjp(forward, backward)
    return jax.grad(lambda w, xs: f(w, xs) * 2), (W, XS), 0


def transformer(checkpoint: bool) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """Layers stacked, and a scan over them."""

    def layer(x: Any, p: Any) -> Any:
        q, k, v = x @ p["q"], x @ p["k"], x @ p["v"]
        x = x + jax.nn.softmax(q @ k.T) @ v
        x = x / jnp.sqrt(1e-3 + jnp.mean(x * x, -1, keepdims=True))
        return x + jax.nn.gelu(x @ p["up"]) @ p["up"].T, None

    def loss(params: Any, x: Any) -> Any:
        x, _ = lax.scan(jax.checkpoint(layer) if checkpoint else layer, x, params)
        return -jnp.mean(jax.nn.log_softmax(x)[:, 0])

    make = np.random.default_rng(0)
    params = {name: make.normal(size=(2, 3, 3)).astype(np.float32) / 2 for name in ("q", "k", "v", "up")}
    return loss, (params, make.normal(size=(2, 3)).astype(np.float32))


def scanned_transformer() -> Differentiated:
    loss, args = transformer(False)
    return jax.value_and_grad(loss), args, 1


def checkpointed_transformer() -> Differentiated:
    loss, args = transformer(True)
    return jax.jit(jax.value_and_grad(loss)), args, 1


def network() -> Differentiated:
    def loss(layers: Any, x: Any) -> Any:
        for w, b in layers:
            x = jnp.tanh(x @ w + b)
        return jnp.mean(x**2)

    make = np.random.default_rng(1)
    layers = [(make.normal(size=(3, 3)).astype(np.float32) / 2, make.normal(size=3).astype(np.float32)) for _ in range(2)]
    return jax.grad(loss), (layers, make.normal(size=(2, 3)).astype(np.float32)), 0


def training_step() -> Differentiated:
    def run(w: Any, xs: Any, ys: Any, lr: Any) -> Any:
        def step(w: Any, batch: Any) -> Any:
            x, y = batch
            value, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
            return w - lr * grad, value

        return lax.scan(step, w, (xs, ys))

    make = np.random.default_rng(2)
    return run, (make.normal(size=3).astype(np.float32), make.normal(size=(1, 2, 3)).astype(np.float32), np.ones((1, 2), np.float32), W), 0


def vmapped_gradient() -> Differentiated:
    return jax.vmap(jax.grad(rnn), in_axes=(None, 0)), (W, np.stack([XS, XS[::-1] * 2])), 1


def vmapped_over_the_last_axis() -> Differentiated:
    return jax.vmap(jax.grad(rnn, argnums=(0, 1)), in_axes=(None, 1)), (W, np.stack([XS, XS[::-1] * 2], 1)), 1


def gradient_of_a_vmap() -> Differentiated:
    return jax.grad(lambda w, xs: jax.vmap(rnn, in_axes=(None, 0))(w, xs).sum()), (W, np.stack([XS, XS[::-1] * 2])), 1


def hessian() -> Differentiated:
    return jax.hessian(rnn), (W, XS), 1


def reverse_over_forward() -> Differentiated:
    return jax.jacrev(jax.jacfwd(rnn)), (W, XS), 1


def gradient_of_a_gradient() -> Differentiated:
    return jax.grad(jax.grad(rnn)), (W, XS), 3


def associative_scan() -> Differentiated:
    return jax.grad(lambda w, xs: lax.associative_scan(lambda a, b: a * b + w, xs).sum()), (W, XS), 0


def mapped() -> Differentiated:
    return jax.grad(lambda w, xs: lax.map(lambda x: jnp.sin(w * x), xs).sum()), (W, XS), 1


def static_fori() -> Differentiated:
    return jax.grad(lambda w, xs: lax.fori_loop(0, 3, lambda i, c: jnp.sin(c * w + xs[i]), np.float32(0.2))), (W, XS), 1


def passed_through() -> Differentiated:
    def loss(w: Any, xs: Any) -> Any:
        (_, c), _ = lax.scan(lambda c, x: ((c[0], jnp.sin(c[0] * c[1] + x)), None), (w, np.float32(0.2)), xs)
        return c

    return jax.grad(loss), (W, XS), 1


def equal_branches() -> Differentiated:
    def loss(w: Any, x: Any) -> Any:
        return lax.switch(1, [jnp.sin, jnp.cos, lambda y: y * x[0]], w) * w

    return jax.grad(loss), (W, XS), 0


def clipped_gradient() -> Differentiated:
    @jax.custom_vjp
    def clip(x: Any) -> Any:
        return x

    clip.defvjp(lambda x: (x, None), lambda _, g: (jnp.clip(g, -1, 1),))
    return jax.grad(lambda w, xs: jnp.sum(jnp.sin(clip(w * xs)))), (W, XS), 0


def scaled_gradient() -> Differentiated:
    @jax.custom_vjp
    def scaled(x: Any, scale: Any) -> Any:
        return x

    scaled.defvjp(lambda x, scale: (x, scale), lambda scale, g: (g * scale, jnp.zeros_like(scale)))
    return jax.grad(lambda w, xs: scaled(w, xs[0]) * 1.0), (W, XS), 0


def literal_in_a_rule() -> Differentiated:
    @jax.custom_vjp
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (jnp.cos(x * 1.0) * 1.0 * g,))
    return jax.grad(lambda w, xs: f(w) * 1.0), (W, XS), 0


PROGRAMS: dict[str, Callable[[], Differentiated]] = {
    make.__name__: make
    for make in (
        grad_of_a_scan, grad_of_a_jitted_loss, jitted_value_and_grad, checkpointed_loss, checkpointed_cell, checkpoint_with_a_policy,
        several_losses, one_loss_twice, loss_of_two_scans, scan_in_a_scan, scan_in_a_cond, cond_in_a_scan, custom_vjp_in_a_scan,
        scan_in_a_custom_rule, scanned_transformer, checkpointed_transformer, network, training_step, vmapped_gradient,
        vmapped_over_the_last_axis, gradient_of_a_vmap, hessian,  reverse_over_forward, gradient_of_a_gradient,
        associative_scan, mapped, static_fori, passed_through, equal_branches, clipped_gradient, scaled_gradient, literal_in_a_rule,
    )
}  # fmt: skip
