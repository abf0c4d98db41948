"""The steps of generated programs (`tests.generated`) as JAX code.

Promises: whatever a step's data asks, the code has a type: values are reshaped and cast to fit, and what JAX cannot differentiate (a while
under reverse mode, a custom_vjp under forward mode) becomes its nearest relative that it can.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

typeof = getattr(jax, "typeof", None) or jax.core.get_aval  # from 0.5
Values = list[Any]


@dataclass(frozen=True)
class Mode:
    """What the code around will do to a body: differentiate it backward or forward."""

    reverse: bool = False
    forward: bool = False


def is_float(value: Any) -> bool:
    return bool(jnp.issubdtype(jnp.result_type(value), jnp.floating))


def floating(value: Any) -> Any:
    """The value as a float array."""
    return jnp.asarray(value) if is_float(value) else jnp.asarray(value).astype(jnp.float32)


def fit(value: Any, like: Any) -> Any:
    """The value with the shape and dtype (and weakness) of another."""
    target = typeof(like)
    value = jnp.asarray(value)
    if value.shape != target.shape:
        value = jnp.broadcast_to(value.sum() if value.ndim else value, target.shape)
    if value.dtype != target.dtype or typeof(value).weak_type != target.weak_type:
        value = lax.convert_element_type(value, target.dtype)
        if target.weak_type:  # only adding a Python number to a weak value makes a weak one
            value = lax.convert_element_type_p.bind(value, new_dtype=target.dtype, weak_type=True, sharding=None)
    return value


def _plain() -> dict[str, Callable[[Values, int], Any]]:
    def scatter(v: Values, flags: int) -> Any:
        x = jnp.atleast_1d(floating(v[0]))
        if not x.shape[0]:
            return x
        at = x.at[jnp.asarray(flags % 2)]
        return (at.set, at.add, at.multiply, at.max)[flags // 2 % 4](floating(v[-1]).sum())

    def window(v: Values, flags: int) -> Any:
        x = jnp.atleast_1d(floating(v[0])).ravel()
        return lax.reduce_window(x, 0.0, lax.add, (2,), (1,), "SAME") if flags % 2 else jnp.cumsum(x)

    def index(v: Values, flags: int) -> Any:
        x = jnp.atleast_1d(v[0])
        return x[jnp.asarray(v[-1]).astype(jnp.int32).sum() if flags % 2 else -1] if x.shape[0] else x.sum()

    return {
        "add": lambda v, flags: floating(v[0]).sum() + floating(v[-1]) if flags % 2 else floating(v[0]) * 2.0 + 1,
        "mul": lambda v, flags: floating(v[0]) * floating(v[-1]).mean(),
        "sin": lambda v, flags: (jnp.sin, jnp.tanh, jnp.exp, jnp.cos)[flags % 4](floating(v[0])),
        "sum": lambda v, flags: jnp.sum(v[0]) if flags % 2 or not jnp.size(v[0]) else jnp.max(v[0]),
        "dot": lambda v, flags: jnp.dot(floating(v[0]).ravel(), floating(v[0]).ravel()),
        "int": lambda v, flags: jnp.asarray(v[0]).astype(jnp.int32) + flags,
        "less": lambda v, flags: jnp.asarray(v[0]) < flags,
        "where": lambda v, flags: jnp.where(floating(v[0]) > 0, floating(v[0]), flags / 2),
        "relu": lambda v, flags: (jax.nn.relu, jax.nn.silu, jax.nn.softplus)[flags % 3](floating(v[0])),
        "grow": lambda v, flags: jnp.broadcast_to(floating(v[0]).sum(), ((), (3,), (2, 3), (1, 3))[flags % 4]),
        "stack": lambda v, flags: jnp.stack([floating(v[0]), floating(v[0]) - 1]) if jnp.ndim(v[0]) < 2 else v[0],
        "index": index,
        "scatter": scatter,
        "window": window,
        "sort": lambda v, flags: jnp.sort(floating(v[0]).ravel()) if flags % 2 else jnp.argsort(floating(v[0]).ravel()),
        "iota": lambda v, flags: jnp.arange(flags % 4 + 1),
        "constant": lambda v, flags: jnp.asarray([1.0, 2.0, 3.0]) if flags % 2 else jnp.zeros((2, 3)),
        "stop": lambda v, flags: lax.stop_gradient(floating(v[0])),
    }


_PLAIN = _plain()
PLAIN = tuple(_PLAIN)
NESTED = (
    "jit",
    "scan",
    "cond",
    "while",
    "fori",
    "map",
    "switch",
    "vmap",
    "grad",
    "value_and_grad",
    "jvp",
    "linearize",
    "vjp",
    "checkpoint",
    "custom_jvp",
    "custom_vjp",
    "twice",
    "library",
    "scope",
    "reduce",
    "associative_scan",
)


class Builder:
    """Turns the data of a program into calls of JAX. One per program: the bodies of its library are jitted once and shared."""

    def __init__(self, library: Sequence[Any]) -> None:
        self._blocks = library
        self._jitted: dict[tuple[int, Mode], Any] = {}
        self._mode = Mode()

    def transformed(self, transform: str, fun: Callable[..., Any], args: tuple[Any, ...]) -> Callable[..., Any]:
        """A transform of the whole function, over those arguments that it can take."""
        floats = [i for i, arg in enumerate(args) if jax.tree.leaves(arg) and all(map(is_float, jax.tree.leaves(arg)))]
        if transform in ("grad", "value_and_grad", "hessian") and floats:
            self._mode = Mode(reverse=True, forward=transform == "hessian")

            def loss(*args: Any) -> Any:
                return self._scalar(jax.tree.leaves(fun(*args)))

            over = {"grad": jax.grad, "value_and_grad": jax.value_and_grad, "hessian": jax.hessian}[transform]
            return over(loss, argnums=tuple(floats) if transform != "hessian" else floats[0])
        if transform == "jvp" and floats:
            self._mode = Mode(forward=True)

            def push(*args: Any) -> Any:
                def part(*some: Any) -> Any:
                    whole = list(args)
                    for i, value in zip(floats, some, strict=True):
                        whole[i] = value
                    return fun(*whole)

                some = [jax.tree.map(floating, args[i]) for i in floats]
                return jax.jvp(part, some, some)

            return push
        if transform == "vmap" and all(jnp.ndim(leaf) and jnp.shape(leaf)[0] == 3 for leaf in jax.tree.leaves(args)):
            return jax.vmap(fun)
        return {"jit": jax.jit, "checkpoint": jax.checkpoint}.get(transform, lambda same: same)(fun)

    def run(self, block: Any, outside: Values, params: Values) -> Values:
        """The results of a body that sees its own parameters and, if any, the values around it."""
        env = [*outside, *params]
        for op in block.ops:
            taken = [env[-1 - pick % len(env)] for pick in op.picks]
            if op.kind in _PLAIN:
                env.append(_PLAIN[op.kind](taken, op.flags))
            else:
                env += getattr(self, "_" + op.kind)(op, env, taken)
        return [env[-1 - out % len(env)] for out in block.outs]

    def _body(self, block: Any, outside: Values, **mode: bool) -> Callable[..., tuple[Any, ...]]:
        inside = Mode(**{"reverse": self._mode.reverse, "forward": self._mode.forward, **mode})

        def body(*params: Any) -> tuple[Any, ...]:
            before, self._mode = self._mode, inside
            try:
                return tuple(self.run(block, outside, list(params)))
            finally:
                self._mode = before

        return body

    def _like(self, block: Any, outside: Values, **mode: bool) -> Callable[..., tuple[Any, ...]]:
        """A body whose results have the types of its parameters."""
        body = self._body(block, outside, **mode)

        def same(*params: Any) -> tuple[Any, ...]:
            outs = body(*params)
            return tuple(fit(outs[i % len(outs)], param) for i, param in enumerate(params))

        return same

    @staticmethod
    def _scalar(outs: Sequence[Any]) -> Any:
        return sum((floating(out).sum() for out in outs), start=jnp.float32(0))

    @staticmethod
    def _floats(taken: Values) -> Values:
        return [floating(value) for value in taken]

    # ---- calls

    def _jit(self, op: Any, env: Values, taken: Values) -> Values:
        return [*jax.jit(self._body(op.bodies[0], env if op.flags % 2 else []), inline=op.flags == 6)(*taken)]

    def _twice(self, op: Any, env: Values, taken: Values) -> Values:
        shared = jax.jit(self._like(op.bodies[0], []))
        taken = [jnp.asarray(value) for value in taken]
        return [*shared(*shared(*taken))]

    def _library(self, op: Any, env: Values, taken: Values) -> Values:
        which = op.flags % len(self._blocks)
        key = (which, self._mode)
        if key not in self._jitted:
            self._jitted[key] = jax.jit(self._body(self._blocks[which], []))
        return [*self._jitted[key](floating(taken[0]).sum())]

    def _scope(self, op: Any, env: Values, taken: Values) -> Values:
        with jax.named_scope(f"scope{op.flags}"):
            return [*self._body(op.bodies[0], env)(*taken)]

    def _checkpoint(self, op: Any, env: Values, taken: Values) -> Values:
        policies = jax.checkpoint_policies
        policy = (None, policies.everything_saveable, policies.dots_saveable, policies.nothing_saveable)[op.flags % 4]
        return [*jax.checkpoint(self._body(op.bodies[0], env), policy=policy, prevent_cse=op.flags < 8)(*taken)]

    def _custom_jvp(self, op: Any, env: Values, taken: Values) -> Values:
        fun = jax.custom_jvp(self._float_body(op.bodies[0]))
        fun.defjvp(lambda primals, tangents: jax.jvp(self._float_body(op.bodies[0], forward=True), primals, tangents))
        return [*fun(*self._floats(taken))]

    def _custom_vjp(self, op: Any, env: Values, taken: Values) -> Values:
        if self._mode.forward:
            return self._custom_jvp(op, env, taken)
        body = self._float_body(op.bodies[0], reverse=True)
        fun = jax.custom_vjp(body)
        fun.defvjp(lambda *args: (body(*args), args), lambda args, cotangents: jax.vjp(body, *args)[1](cotangents))
        return [*fun(*self._floats(taken))]

    def _float_body(self, block: Any, **mode: bool) -> Callable[..., tuple[Any, ...]]:
        # Rules may not close over values that are being differentiated: the body sees its parameters alone.
        body = self._body(block, [], **mode)
        return lambda *params: tuple(floating(out) for out in body(*params))

    # ---- control flow

    def _scan(self, op: Any, env: Values, taken: Values) -> Values:
        sizes = [jnp.shape(value)[0] for value in taken if jnp.ndim(value)]
        xs = [value for value in taken if jnp.ndim(value) and jnp.shape(value)[0] == sizes[0]] if op.flags % 4 else []
        carry = tuple(jnp.asarray(value) for value in taken[: op.flags % 3])
        body = self._body(op.bodies[0], env)

        def step(carry: Any, x: Any) -> Any:
            outs = body(*carry, *(x or ()))
            return tuple(fit(outs[i % len(outs)], c) for i, c in enumerate(carry)), outs

        options: dict[str, Any] = {"reverse": op.flags >= 8, "unroll": (1, 1, 2, True)[op.flags % 4]}
        carry, ys = lax.scan(step, carry, tuple(xs) or None, length=None if xs else op.flags % 4, **options)
        return [*carry, *ys]

    def _map(self, op: Any, env: Values, taken: Values) -> Values:
        body = self._body(op.bodies[0], env)
        array = jnp.atleast_1d(taken[0])
        return [*lax.map(body, array, batch_size=2 if op.flags == 3 and array.shape[0] else None)]

    def _fori(self, op: Any, env: Values, taken: Values) -> Values:
        body = self._like(op.bodies[0], env)
        taken = [jnp.asarray(value) for value in taken]
        return [*lax.fori_loop(0, op.flags % 4 + 1, lambda i, carry: body(*carry), tuple(taken))]

    def _while(self, op: Any, env: Values, taken: Values) -> Values:
        if self._mode.reverse:
            return self._fori(op, env, taken)
        body = self._like(op.bodies[0], env)
        taken = [jnp.asarray(value) for value in taken]
        limit = jnp.asarray(env[op.flags % len(env)]).sum() if op.flags % 2 else 7

        def until(carry: Any) -> Any:
            return carry[0] < limit

        return [*lax.while_loop(until, lambda carry: (carry[0] + 1, *body(*carry[1:])), (0, *taken))]

    def _cond(self, op: Any, env: Values, taken: Values) -> Values:
        taken = [jnp.asarray(value) for value in taken]
        branches = [self._like(block, env) for block in op.bodies[:2]]
        return [*lax.cond(jnp.asarray(env[op.flags % len(env)]).sum() > 0, *branches, *taken)]

    def _switch(self, op: Any, env: Values, taken: Values) -> Values:
        taken = [jnp.asarray(value) for value in taken]
        branches = [self._like(block, env) for block in op.bodies]
        return [*lax.switch(jnp.asarray(env[op.flags % len(env)]).astype(jnp.int32).sum(), branches, *taken)]

    def _reduce(self, op: Any, env: Values, taken: Values) -> Values:
        if self._mode.reverse or self._mode.forward:
            return [jnp.prod(floating(taken[0]))]
        array = jnp.atleast_1d(floating(taken[0]))
        return [lax.reduce(array, jnp.float32(op.flags), lambda a, b: a * b + a, (0,))]

    def _associative_scan(self, op: Any, env: Values, taken: Values) -> Values:
        array = jnp.atleast_1d(floating(taken[0]))
        return [lax.associative_scan(lambda a, b: a * b + a, array, reverse=op.flags % 2 == 1)]

    # ---- transforms

    def _vmap(self, op: Any, env: Values, taken: Values) -> Values:
        sizes = [jnp.shape(value)[0] for value in taken if jnp.ndim(value)]
        size = sizes[0] if sizes else 3
        axes = [0 if jnp.ndim(value) and jnp.shape(value)[0] == size else None for value in taken]
        body = self._body(op.bodies[0], env)
        return [*jax.vmap(body, in_axes=(*axes, 0))(*taken, jnp.arange(size, dtype=jnp.float32))]

    def _loss(self, op: Any, env: Values, **mode: bool) -> Callable[..., Any]:
        body = self._body(op.bodies[0], env, **mode)
        return lambda *params: self._scalar(body(*params))

    def _grad(self, op: Any, env: Values, taken: Values) -> Values:
        floats = self._floats(taken)
        return [*jax.grad(self._loss(op, env, reverse=True), argnums=tuple(range(len(floats))))(*floats)]

    def _value_and_grad(self, op: Any, env: Values, taken: Values) -> Values:
        value, grads = jax.value_and_grad(self._loss(op, env, reverse=True))(*self._floats(taken))
        return [value, grads]

    def _jvp(self, op: Any, env: Values, taken: Values) -> Values:
        floats = self._floats(taken)
        value, tangent = jax.jvp(self._loss(op, env, forward=True), floats, [jnp.ones_like(v) for v in floats])
        return [value, tangent]

    def _linearize(self, op: Any, env: Values, taken: Values) -> Values:
        floats = self._floats(taken)
        value, push = jax.linearize(self._loss(op, env, forward=True, reverse=True), *floats)
        return [value, push(*floats)]

    def _vjp(self, op: Any, env: Values, taken: Values) -> Values:
        value, pull = jax.vjp(self._loss(op, env, reverse=True), *self._floats(taken))
        return [value, *pull(jnp.ones_like(value))]
