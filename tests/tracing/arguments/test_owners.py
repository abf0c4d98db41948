"""Objects that change while they are called: traced with the object as an argument."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from visualizer.tracing import trace_source
from visualizer.tracing.arguments._owners import owner_as_argument

NET = """import jax.numpy as jnp
from flax import nnx
class Net(nnx.Module):
    def __init__(self, rngs):
        self.a = nnx.Linear(3, 4, rngs=rngs)
        self.bn = nnx.BatchNorm(4, rngs=rngs)
        self.drop = nnx.Dropout(0.3, rngs=rngs)
    def __call__(self, x): return self.drop(nnx.relu(self.bn(self.a(x)))).sum()
    def loss(self, x, scale): return self(x) * scale
net = Net(nnx.Rngs(0))
"""


@pytest.mark.parametrize("call", ["net(jnp.ones((2, 3)))", "net.loss(jnp.ones((2, 3)), 2.0)"])
def test_a_module_that_changes_when_it_is_called(call):
    trace = trace_source(f"{NET}for _ in range(2): y = {call}\nprint(net.drop.rngs.count.get_value())\n", levels=["jaxpr"])
    assert trace["diagnostics"] == []
    (program,) = trace["programs"]
    assert (program["name"], program["count"]) == (call.partition("(")[0], 2)
    assert [each["name"] for each in program["parameters"]][:2] == ["self", "x"]
    entry = program["jaxprs"][program["entry"]]
    labels = [entry["vars"][var]["label"] for var in entry["invars"]]
    assert any("bn.mean" in (label or "") for label in labels)
    assert trace["output"]["text"] == "2\n"  # our own run left nothing


class Tree:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x

    def scaled(self, x):
        return self(x) * 2


jax.tree_util.register_pytree_node(Tree, lambda tree: ((tree.w,), None), lambda _, leaves: Tree(*leaves))


def test_the_function_behind_an_object():
    tree = Tree(jnp.ones(3))
    assert owner_as_argument(tree) == (Tree.__call__, tree)
    assert owner_as_argument(tree.scaled) == (Tree.scaled, tree)


@pytest.mark.parametrize("other", [len, jnp.sin, lambda x: x, Tree, Tree(1.0), jax.jit(lambda x: x), object()])
def test_what_is_no_such_object(other):
    assert owner_as_argument(other) is None
