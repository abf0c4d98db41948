"""The parameters of every program whose function is known."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from visualizer.model import Trace
from visualizer.tracing import trace_source
from visualizer.tracing.arguments._parameters import call_of, wire_parameters

HEAD = """import functools, jax, jax.numpy as jnp
from typing import NamedTuple
class Params(NamedTuple):
    w: jax.Array
    b: jax.Array
def loss(p, x, n=2, *, lr=0.1, act='tanh'):
    return (getattr(jnp, act)(p['w'] @ x) ** n).sum() * lr
p, x = {'w': jnp.ones((2, 3))}, jnp.ones(3)
"""


def parameters(source, **request):
    trace = trace_source(HEAD + source, levels=["jaxpr"], **request)
    Trace.model_validate(trace)
    return [program["parameters"] and [(q["name"], q["text"]) for q in program["parameters"]] for program in trace["programs"]]


W, X = ("p", "{'w': f32[2,3]}"), ("x", "f32[3]")


@pytest.mark.parametrize("engine", ["held", "real"])
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("loss(p, x)", [W, X]),
        ("loss(p, x, lr=0.5, act='sin')", [W, X, ("act", "'sin'"), ("lr", "~f32[]")]),
        ("loss(p, x, 3)", [W, X, ("n", "~i32[]")]),
        ("jax.make_jaxpr(loss)(p, x, 3)", [W, X, ("n", "~i32[]")]),
        ("jax.make_jaxpr(loss, static_argnums=(2,))(p, x, 3)", [W, X, ("n", "3")]),
        ("jax.jit(loss, static_argnames=('n', 'act')).lower(p, x, n=3, act='sin')", [W, X, ("act", "'sin'"), ("n", "3")]),
        ("jax.jit(loss, static_argnums=2).trace(p, x, 3, lr=2.0)", [W, X, ("n", "3"), ("lr", "~f32[]")]),
        ("jax.eval_shape(loss, p, x)", [W, X]),
        ("jax.export.export(jax.jit(loss))(p, x)", [W, X]),
        ("jax.grad(loss)(p, x)", [W, X]),
        ("functools.partial(loss, p)(x)", [X]),
        ("jax.vmap(loss, (None, 0))(p, jnp.ones((4, 3)))", [W, ("x", "f32[4,3]")]),
        (
            "def f(params): return params.w\njax.make_jaxpr(f)(Params(x, jnp.bfloat16(1)))",
            [("params", "Params(w=f32[3], b=bf16[])")],
        ),
        ("def f(*xs, **more): return xs[0]\nf(x, 2., a=x)", [("xs[0]", "f32[3]"), ("xs[1]", "~f32[]"), ("a", "f32[3]")]),
        ("def f(key, i): return jax.random.fold_in(key, i)\nf(jax.random.key(0), 3)", [("key", "key<fry>[]"), ("i", "~i32[]")]),
        ("class M:\n  def loss(self, x): return x * 2\nM().loss(x)", [X]),
        ("def f(): return x * 2\njax.make_jaxpr(f)()", []),
        ("jax.make_jaxpr(loss)(p, x)\n" * 2, [W, X]),
    ],
)
def test_parameters_in_the_words_of_a_signature(source, expected, engine):
    found = parameters(source, engine=engine)
    assert found
    assert all(one == expected for one in found)


@pytest.mark.parametrize("source", ["x * 2 + 1", "y = x * 2\n", "jnp.sin(x)"])
def test_where_the_function_is_not_known_there_are_none(source):
    assert parameters(source) == [None]


def test_static_numbers_are_given_by_their_value():
    assert parameters("loss(p, x, 3, lr=0.5)", static_numbers=True) == [[W, X, ("n", "3"), ("lr", "0.5")]]


def test_what_a_parameter_says_can_be_typed_again():
    (first,) = parameters("loss(p, x, 3, lr=0.5)")
    trace = trace_source(HEAD, fun="loss", signature=dict(first), levels=["jaxpr"])
    recorded = trace_source(HEAD + "loss(p, x, 3, lr=0.5)", levels=["jaxpr"])
    assert trace["programs"][0]["texts"]["jaxpr"] == recorded["programs"][0]["texts"]["jaxpr"]
    assert trace["programs"][0]["parameters"] == recorded["programs"][0]["parameters"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (jnp.ones(3), True),
        (jnp.ones(3, "complex64"), True),
        ({"w": jnp.ones(3), "b": jnp.bfloat16(1)}, True),
        (2.0, True),
        ({"w": jnp.ones(3), "n": 1}, False),
        (jnp.ones(3, bool), False),
        (jax.random.key(0), False),
        (None, False),
        ([], False),
    ],
)
def test_differentiable_is_what_jax_would_differentiate(value, expected):
    def f(value):
        return value

    (parameter,) = wire_parameters(call_of(jax.make_jaxpr(f)(value), f, (value,), {})) or ()
    assert parameter["differentiable"] is expected
    if expected or jax.tree.leaves(value):
        # JAX itself says so, too.
        total = jax.grad(lambda value: sum(jnp.abs(leaf).sum() for leaf in jax.tree.leaves(value)).astype("float32"))
        if expected:
            jax.eval_shape(total, value)
        else:
            with pytest.raises(TypeError):
                jax.eval_shape(total, value)


def test_a_jaxpr_that_does_not_fit_the_call_has_no_parameters():
    def f(x):
        return x

    closed = jax.make_jaxpr(f)(jnp.ones(3))
    assert call_of(closed, f, (jnp.ones(4),), {}) is None
    assert call_of(closed, f, (jnp.ones(3), jnp.ones(3)), {}) is None
    assert call_of(closed, None, (jnp.ones(3),), {}) is None
    assert wire_parameters(None) is None
