"""Why an operand is a const: the name that the body closes over, and where it was bound."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.tracing.naming import binders, body, bound, eqns, every_bound, traced
from visualizer.tracing._public import serialize

LOOP = """
def f(w, xs, lr):
    def step(w, x):
        return w - lr * x, w.sum()
    return jax.lax.scan(step, w, xs)
"""
ARGS = "(jnp.ones(3), jnp.ones((4, 3)), jnp.float32(0.1))"


def only(text: str, primitive: str = "scan", fun: str = "f", args: str = ARGS, which: str = "body") -> dict[str, tuple[str, int]]:
    program = traced(text, fun, args)
    return bound(text, body(program, eqns(program, primitive)[0][1], which))


def test_a_parameter_of_the_enclosing_function() -> None:
    assert only(LOOP) == {"lr": ("lr", 2)}


# Each body reads something that is bound in another way; the line counts from the first of the text.
KINDS = {
    "assignment": ("    k = jnp.sin(lr)\n    def step(w, x):\n        return w * k, x.sum()", {"k": ("k", 2)}),
    "another name for a parameter": ("    rate = lr\n    def step(w, x):\n        return w * rate, x.sum()", {"rate": ("rate", 2)}),
    "unpacked": (
        "    a, (b, c) = jnp.sin(lr), (lr, w)\n    def step(w, x):\n        return w * a * b, c.sum()",
        {name: (name, 2) for name in "abc"},
    ),
    "part of a parameter": ("    first = w[0]\n    def step(w, x):\n        return w * first, x.sum()", {"first": ("first", 2)}),
    "annotated": ("    k: jax.Array = jnp.cos(lr)\n    step = lambda w, x: (w * k, x.sum())", {"k": ("k", 2)}),
    "augmented": ("    k = jnp.cos(lr)\n    k *= 2\n    step = lambda w, x: (w * k, x.sum())", {"k": ("k", 3)}),
    "walrus": ("    print(k := jnp.cos(lr))\n    step = lambda w, x: (w * k, x.sum())", {"k": ("k", 2)}),
    "the last of two assignments": ("    k = jnp.cos(lr)\n    k = jnp.sin(k)\n    step = lambda w, x: (w * k, w)", {"k": ("k", 3)}),
    "through another function": ("    def inner(w):\n        return w * lr\n    step = lambda w, x: (inner(w), w)", {"lr": ("lr", 1)}),
    "a default": ("    def step(w, x, k=jnp.sin(lr)):\n        return w * k, x.sum()", {}),
    "a default that is a name": ("    def step(w, x, k=lr):\n        return w * k, x.sum()", {"k": ("k", 2)}),
    "a loop": ("    for k in [jnp.sin(lr)]:\n        step = lambda w, x: (w * k, w)", {}),
    "with": ("    with jax.named_scope('s'):\n        k = jnp.sin(lr)\n    step = lambda w, x: (w * k, w)", {"k": ("k", 3)}),
    "shape only": ("    def step(w, x):\n        return w * lr.ndim, x.sum()", {}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_bind_a_name(kind: str) -> None:
    lines, expected = KINDS[kind]
    text = f"def f(w, xs, lr):\n{lines}\n    return jax.lax.scan(step, w, xs)\n"
    assert only(text) == expected


WHERE = {
    "while": (
        "jax.lax.while_loop(lambda s: (s < lr).all(), lambda s: s + scale, w)",
        "while",
        {"cond": {"lr": 1}, "body": {"scale": 2}},
    ),
    "fori": ("jax.lax.fori_loop(0, 3, lambda i, s: s * scale + i, w)", "scan", {"body": {"scale": 2}}),
    "fori of unknown length": ("jax.lax.fori_loop(0, lr.astype(int), lambda i, s: s * scale, w)", "while", {"body": {"scale": 2}}),
    "map": ("jax.lax.map(lambda x: x * scale + lr, xs)", "scan", {"body": {"scale": 2, "lr": 1}}),
    "cond": (
        "jax.lax.cond(lr > 0, lambda z: z * scale, lambda z: z + lr, w)",
        "cond",
        {"true": {"scale": 2, "lr": 1}, "false": {"scale": 2, "lr": 1}},
    ),
    "jit": ("jax.jit(lambda z: z * scale)(w)", "jit", {"body": {"scale": 2}}),
    "checkpoint": ("jax.checkpoint(lambda z: z * scale)(w)", "remat2", {"body": {"scale": 2}}),
    "vmapped": ("jax.lax.scan(jax.vmap(lambda c, x: (c * scale, x), in_axes=0), w, xs)", "scan", {"body": {"scale": 2}}),
    "partial": ("jax.lax.scan(functools.partial(lambda k, c, x: (c * k, x), scale), w, xs)", "scan", {"body": {"scale": 2}}),
}


@pytest.mark.parametrize("kind", WHERE)
def test_every_kind_of_body(kind: str) -> None:
    call, primitive, expected = WHERE[kind]
    text = f"def f(w, xs, lr):\n    scale = jnp.sin(lr)\n    return {call}\nimport functools\n"
    program = traced(text, "f", ARGS)
    found = {}
    for _, eqn in eqns(program, primitive)[:1]:
        for nested in eqn["nested"]:
            names = {name: line for name, (_, line) in bound(text, program["jaxprs"][nested["jaxpr"]]).items()}
            found.update({nested["label"]: names} if names else {})
    assert found == expected


NESTED = """
def f(w, xs, lr):
    def outer(c, x):
        def inner(c2, x2):
            return c2 * lr + x2 + c, None
        return jax.lax.scan(inner, c, x)[0], None
    return jax.lax.scan(outer, w, jnp.stack([xs, xs]))
"""


def test_a_const_of_a_loop_in_a_loop_comes_from_where_each_name_was_bound() -> None:
    found = dict(every_bound(NESTED, traced(NESTED, "f", ARGS)))
    assert found == {"outer": {"lr": ("lr", 2)}, "inner": {"lr": ("lr", 2), "c": ("c", 3)}}


CALLED = """
def run(p, xs):
    def cell(h, x):
        return h * p['a'] + x, h
    return jax.lax.scan(cell, xs[0], xs)
def loss(params, xs):
    return run(params['net'], xs)[1].sum()
"""


def test_a_parameter_that_was_passed_on_is_found_through_the_call() -> None:
    program = traced(CALLED, "loss", "({'net': {'a': 1.0}}, jnp.ones(4))")
    ((top, scan),) = eqns(program, "scan")
    assert top["vars"][scan["operands"][0]["atom"]["var"]]["label"] == "params['net']['a']"
    assert binders(program, scan) == ["p['a']", "h", "x"]
    assert bound(CALLED, body(program, scan)) == {"p['a']": ("p", 2)}


MADE = """
def make_step(rate):
    def step(w, x):
        return w - rate * x, None
    return step
def f(w, xs, lr):
    step = make_step(lr)
    return jax.lax.scan(step, w, xs)
"""


def test_a_function_that_another_one_made() -> None:
    assert only(MADE) == {"rate": ("rate", 2)}


METHOD = """
class Model:
    def __init__(self, w):
        self.w = w
    def run(self, xs):
        def step(h, x):
            return h * self.w + x, None
        return jax.lax.scan(step, xs[0], xs)[0]
def f(w, xs):
    return Model(w).run(xs)
"""


def test_what_an_object_holds_is_not_guessed() -> None:
    program = traced(METHOD, "f", "(jnp.ones(3), jnp.ones((4, 3)))")
    assert dict(every_bound(METHOD, program)) == {}


def test_two_names_for_one_value_are_told_apart_by_the_name_that_the_value_has() -> None:
    text = "def f(w, xs, lr):\n    rate = lr\n    step = lambda w, x: (w * rate + lr, w)\n    return jax.lax.scan(step, w, xs)\n"
    assert only(text) == {"lr": ("lr", 1)}


def test_two_other_names_for_one_value_are_not_chosen_between() -> None:
    text = "def f(w, xs, lr):\n    a = lr; b = lr\n    step = lambda w, x: (w * a + b, w)\n    return jax.lax.scan(step, w, xs)\n"
    program = traced(text, "f", ARGS)
    ((_, scan),) = eqns(program, "scan")
    assert body(program, scan)["bound"] == {}


def test_a_name_bound_in_two_branches_is_the_one_whose_value_it_is() -> None:
    text = """
def f(w, xs, lr):
    if w.ndim:
        k = jnp.sin(lr)
    else:
        k = jnp.cos(lr)
    return jax.lax.scan(lambda w, x: (w * k, w), w, xs)
"""
    assert only(text) == {"k": ("k", 4)}


GRAD = """
def loss(w, xs, lr):
    def step(h, x):
        h = jnp.tanh(h * lr + x)
        return h, h
    return jax.lax.scan(step, w, xs)[1].sum()
"""


def test_the_bodies_that_differentiation_made_know_it_too() -> None:
    program = traced(GRAD, "jax.grad(loss)", ARGS)
    (_, forward), (_, backward) = eqns(program, "scan")
    assert bound(GRAD, body(program, forward)) == {"lr": ("lr", 2)}
    assert bound(GRAD, body(program, backward)) == {"lr": ("lr", 2)}


GLOBALS = """
gain = jnp.arange(3.0)
table = np.linspace(0.0, 1.0, 3)
params = {"net": [jnp.zeros(3)]}
exact = np.arange(3, dtype=np.float32)
def f(w, xs):
    step = lambda w, x: (w * gain + table + params["net"][0] + exact, x)
    return jax.lax.scan(step, w, xs)
"""


def test_arrays_of_the_module_are_known_by_the_globals_that_hold_them() -> None:
    program = traced(GLOBALS, "f", "(jnp.ones(3), jnp.ones((4, 3)))")
    expected = {"gain": ("gain", 2), "table": ("table", 3), "params['net'][0]": ("params", 4), "exact": ("exact", 5)}
    top = program["jaxprs"][program["entry"]]
    assert {top["vars"][var]["label"] for var in top["constvars"]} == set(expected)
    assert bound(GLOBALS, top) == expected
    ((_, scan),) = eqns(program, "scan")
    assert bound(GLOBALS, body(program, scan)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a = jnp.arange(3.0)\nb = a\ndef f(w): return w * a\n",  # one array, two names
        "def make():\n    a = jnp.arange(3.0)\n    return lambda w: w * a\nf = make()\n",  # no global holds it
        "zeros = np.zeros(3)\ndef f(w):\n    return w * jnp.asarray(np.zeros(3, np.float32))\n",  # equal, and another
        "a = np.arange(3.0)\nb = np.arange(3.0)\ndef f(w): return w * a\n",  # converted, and two have its values
    ],
)
def test_an_array_that_could_be_another_has_no_name(text: str) -> None:
    program = traced(text, "f", "(jnp.ones(3),)")
    top = program["jaxprs"][program["entry"]]
    assert [top["vars"][var]["label"] for var in top["constvars"]] == [None]
    assert top["bound"] == {}


def test_a_global_that_is_bound_twice_has_the_place_of_its_last_value_alone() -> None:
    text = "a = jnp.zeros(3)\na = jnp.arange(3.0)\nif len(a):\n    b = jnp.ones(3)\nelse:\n    b = a\ndef f(w): return w * a + b\n"
    program = traced(text, "f", "(jnp.ones(3),)")
    top = program["jaxprs"][program["entry"]]
    assert {top["vars"][var]["label"] for var in top["constvars"]} == {"a", "b"}
    assert bound(text, top) == {"a": ("a", 2)}


def test_the_parameter_of_a_branch_has_its_own_name() -> None:
    text = "def f(w, lr):\n    yes = lambda z: z * lr\n    no = lambda z: z\n    return jax.lax.cond(lr > 0, yes, no, w)\n"
    program = traced(text, "f", "(jnp.ones(3), jnp.float32(0.1))")
    ((_, cond),) = eqns(program, "cond")
    assert binders(program, cond, "true") == ["lr", "z"]
    assert binders(program, cond, "false") == ["lr", "z"]


def test_without_a_paste_nothing_is_bound() -> None:
    scale = jnp.arange(3.0)

    def f(w: Any, xs: Any) -> Any:
        return jax.lax.scan(lambda c, x: (c * scale, x), w, xs)

    program = serialize(jax.make_jaxpr(f)(np.ones(3, np.float32), np.ones((2, 3), np.float32)))
    assert all(jaxpr.bound == {} for jaxpr in program.jaxprs.values())


def test_a_text_with_wide_characters_is_counted_as_editors_do() -> None:
    text = "def f(w, xs, lr):\n    '😀'; ключ = jnp.sin(lr)\n    return jax.lax.scan(lambda w, x: (w * ключ, w), w, xs)\n"
    program = traced(text, "f", ARGS)
    ((_, scan),) = eqns(program, "scan")
    (span,) = body(program, scan)["bound"].values()
    assert (span["col"], span["end_col"]) == (10, 14)
