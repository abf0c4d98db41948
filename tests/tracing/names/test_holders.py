"""Which name of a paste a constant gets: containers of globals, then what the function holds, then attributes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracing.naming import binders, body, eqns
from visualizer.tracing.names._holders import Holders

HEAD = "import functools, jax, jax.numpy as jnp\nx = jnp.arange(3.0)\n"
MODEL = """class Model:
    def __init__(self, k=1): self.w = jnp.ones(3) * k
    def f(self, x): return self.w * x
    def loss(self, x): return self.f(x).sum()
"""
PASTES = {
    "a method": (MODEL + "m = Model()\njax.grad(m.loss)(x)", ["self.w"]),
    "a method of an object without a name": (MODEL + "jax.grad(Model().loss)(x)", ["self.w"]),
    "an object that a global leads to": (MODEL + "m = Model()\njax.grad(lambda x: m.loss(x))(x)", ["m.w"]),
    "two objects": (MODEL + "a, b = Model(1), Model(2)\njax.grad(lambda x: a.f(b.f(x)).sum())(x)", ["b.w", "a.w"]),
    "two of them in a function": (
        MODEL + "def main():\n    a, b = Model(1), Model(2)\n    return jax.grad(lambda x: a.f(b.f(x)).sum())(x)\nmain()",
        ["b.w", "a.w"],
    ),
    "partial": (
        "def step(a, x, decay): return x * decay + a\njax.jit(functools.partial(step, jnp.ones(3), decay=x + 1))(x)",
        ["decay", "a"],
    ),
    "what a decorator and a function close over": (
        """def twice(fn):
    k = jnp.ones(3)
    return lambda *a: fn(*a) * k
def make():
    w = jnp.ones(3)
    @twice
    def loss(x): return x * w
    return loss
jax.jit(make())(x)""",
        ["w", "k"],
    ),
    "a default": ("jax.jit(lambda x, w=jnp.ones(3): x * w)(x)", ["w"]),
    "an object that was not traced": (MODEL + "def f(c, x): return c.w * x\nprint(f(Model(), x))", ["c.w"]),
    # Never one of two.
    "two attributes": (MODEL + "m = Model()\nm.v = m.w\njax.grad(m.loss)(x)", [None]),
    "two functions that call their own the same": (
        """def make(k):
    w = jnp.ones(3) * k
    return lambda x: x * w
def main():
    a, b = make(3), make(4)
    return jax.jit(lambda x: a(b(x)))(x)
main()""",
        [None, None],
    ),
}


@pytest.mark.parametrize("case", PASTES)
def test_a_constant_has_the_only_name_that_leads_to_it(jobs: Any, case: str) -> None:
    source, names = PASTES[case]
    for engine in ("held", "real"):
        (program,) = jobs.trace(HEAD + source, engine=engine)["programs"]
        found = [jaxpr["vars"][var]["label"] for jaxpr in program["jaxprs"].values() for var in jaxpr["constvars"]]
        assert found == names


def test_names_go_on_into_bodies(jobs: Any) -> None:
    source = HEAD + (
        "class Model:\n    def __init__(self): self.w, self.limit = jnp.ones(3), jnp.array(9.0)\n    def loss(self, xs):\n"
        "        def step(c, v): return jnp.where(c > self.limit, c, c * self.w + v), None\n"
        "        return jax.lax.scan(step, jnp.zeros(3), xs)[0].sum()\n"
        "jax.jit(Model().loss)(jnp.ones((4, 3)))\n"
    )
    (program,) = jobs.trace(source)["programs"]
    (_, forward), *_ = eqns(program, "scan")
    assert [name for name in binders(program, forward) if name and name.startswith("self")] == ["self.limit", "self.w"]
    inside = body(program, forward)
    spans = {inside["vars"][var]["label"]: span["line"] for var, span in inside["bound"].items()}
    assert spans == {"self.w": 5, "self.limit": 5}


def test_nothing_is_looked_for_where_nothing_is_held() -> None:
    assert Holders(None).names_of([]) == []
    assert Holders(None, len).names_of([object()]) == [None]
