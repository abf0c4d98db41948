"""What a traced function holds is read off its code and the objects it is made of; nothing of it is called."""

from __future__ import annotations

import functools
from typing import Any

import jax
import numpy as np
import pytest

from visualizer.tracing.arguments._fixed import Fixed
from visualizer.tracing.names._reached import roots_of

SOURCE = """
import functools, jax, jax.numpy as jnp, numpy as np
W, V = np.arange(3.0), np.ones(3)
class Model:
    def __init__(self): self.w = W
    def loss(self, x): return (self.w * x).sum()
    def step(self, x, decay, *, k): return x
    def __call__(self, x): return self.w * x
    @classmethod
    def made(cls, x): return x
model = Model()
def step(a, b, x, *, k=V): return x * a + b
def twice(fn):
    scale = V
    @functools.wraps(fn)
    def g(*args): return fn(*args) * scale
    return g
def make():
    w = W
    @twice
    def loss(x): return x * w
    return loss
made = make()
def chosen(config, x): return x
"""
names: dict[str, Any] = {"__name__": "__main__"}
exec(SOURCE, names)
W, V, model = names["W"], names["V"], names["model"]


@pytest.mark.parametrize(
    ("function", "held"),
    [
        ("model.loss", [("self", model)]),
        ("jax.grad(model.loss)", [("self", model)]),
        ("jax.jit(jax.vmap(model.loss))", [("self", model)]),
        ("model", [("self", model)]),
        ("Model.made", [("cls", names["Model"])]),
        ("functools.partial(step, W)", [("a", W), ("k", V)]),
        ("functools.partial(functools.partial(step, W), V, k=W)", [("a", W), ("b", V), ("k", W), ("k", V)]),
        ("functools.partial(model.step, k=W, decay=V)", [("k", W), ("decay", V), ("self", model)]),
        ("functools.partial(model.step, V, W)", [("x", V), ("decay", W), ("self", model)]),
        ("made", [("w", W), ("scale", V)]),
        ("jax.value_and_grad(made)", [("w", W), ("scale", V)]),
        ("lambda x, w=W: x * w", [("w", W)]),
        ("jnp.sin", []),
        ("functools.partial(jnp.where, W)", []),
    ],
)
def test_what_is_held_has_the_names_of_the_code(function: str, held: list[tuple[str, Any]]) -> None:
    found = [(root.name, root.value) for root in roots_of(eval(function, names)) if root.name != "fn"]
    assert len(found) == len(held)
    assert all(any(name == one and value is other for one, other in found) for name, value in held)


def test_what_is_free_was_bound_outside() -> None:
    free = {root.name: (root.free, root.code.co_name) for root in roots_of(names["made"])}
    assert free["w"] == (True, "loss")
    assert free["scale"] == (True, "g")
    assert [root.free for root in roots_of(names["model"].loss)] == [False]


def test_an_argument_that_was_not_traced_is_its_parameter() -> None:
    (root,) = roots_of(lambda *args: None, ()) or roots_of(names["chosen"], (Fixed(model), np.ones(3)))
    assert (root.name, root.value) == ("config", model)

    @functools.wraps(names["chosen"])
    def held(*args: Any) -> Any:
        return args

    assert [root.name for root in roots_of(held, (Fixed(model), 1))] == ["config"]


def test_methods_of_equinox() -> None:
    eqx = pytest.importorskip("equinox")
    space = {**names, "eqx": eqx}
    exec("class Net(eqx.Module):\n    w: jax.Array\n    def loss(self, x): return (self.w * x).sum()\nnet = Net(jnp.ones(3))", space)
    for function in (space["net"].loss, jax.grad(space["net"].loss)):
        (root,) = roots_of(function)
        assert (root.name, root.value) == ("self", space["net"])
