"""A function that registers a class as a pytree may be traced again."""

from __future__ import annotations

import jax
import pytest

from visualizer.tracing import compat

NODE = """import jax
class P:
    def __init__(self, a): self.a = a
def f(x):
    jax.tree_util.register_pytree_node(P, lambda p: ((p.a,), None), lambda _, parts: P(*parts))
    return jax.tree.map(lambda t: t * 2, P(x)).a
print(jax.grad(f)(2.0), jax.tree.leaves(P(1)))
"""
DATACLASS = """import jax, dataclasses
@dataclasses.dataclass
class P:
    a: jax.Array
def f(x):
    jax.tree_util.register_dataclass(P, data_fields=["a"], meta_fields=[])
    return jax.tree.map(lambda t: t * 2, P(x)).a
print(jax.grad(f)(2.0), jax.tree.leaves(P(1)))
"""


@pytest.mark.parametrize("source", [NODE, DATACLASS])
def test_it_is_traced_as_it_ran(jobs, source):
    trace = jobs.trace(source)
    assert trace["output"]["text"] == "2.0 [1]\n"
    assert [program["name"] for program in trace["programs"]] == ["jax.grad(f)"]
    assert trace["diagnostics"] == []


def test_what_was_registered_before_is_refused_as_ever():
    class Before:
        pass

    class After:
        pass

    def register(kind: type) -> None:
        jax.tree_util.register_pytree_node(kind, lambda _: ((), None), lambda *_: kind())

    register(Before)
    known = compat.pytree_classes()
    register(After)
    with compat.registered_again(known):
        register(After)
        with pytest.raises(ValueError, match="Before"):
            register(Before)
    with pytest.raises(ValueError, match="After"):
        register(After)
