"""Functions of one's own process: the names that the person wrote, wherever the function was written."""

from __future__ import annotations

import functools
import linecache
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from visualizer.tracing import trace_function, trace_signature

Dict = dict[str, Any]
X = jax.ShapeDtypeStruct((3,), "float32")
rate = jnp.array([0.1, 0.2, 0.3])
_ = rate  # a notebook has its last results twice


class Model:
    def __init__(self) -> None:
        self.w = jnp.array([1.0, 2.0, 4.0])

    def __call__(self, x: Any) -> Any:
        return self.w * x

    def loss(self, x: Any) -> Any:
        return (self.w * x).sum()


def scaling(scale: Any) -> Any:
    def scaled(x: Any) -> Any:
        def step(carry: Any, _: Any) -> Any:
            return carry * scale, None

        return jax.lax.scan(step, x, None, length=2)[0]

    return scaled


def weighted(x: Any, weights: Any) -> Any:
    return x * weights


def with_rate(x: Any) -> Any:
    return x * rate


def labels(trace: Dict) -> set[str]:
    (program,) = trace["programs"]
    entry = program["jaxprs"][program["entry"]]
    return {entry["vars"][var]["label"] for var in entry["constvars"]}


HELD = {
    "a global": (with_rate, "rate"),
    "a jitted one": (jax.jit(with_rate), "rate"),
    "its gradient": (jax.grad(lambda x: with_rate(x).sum()), "rate"),
    "a free variable": (scaling(jnp.array([1.0, 0.5, 0.25])), "scale"),
    "an object that is called": (Model(), "self.w"),
    "a method": (Model().loss, "self.w"),
    "a partial": (functools.partial(weighted, weights=jnp.array([3.0, 1.0, 2.0])), "weights"),
}


@pytest.mark.parametrize("name", HELD)
def test_what_a_function_holds_has_its_name(name: str) -> None:
    fun, label = HELD[name]
    assert labels(trace_function(fun, (X,), {}, levels=("jaxpr",))) == {label}


def test_where_the_name_was_bound_is_known() -> None:
    (program,) = trace_function(scaling(jnp.array([1.0, 0.5, 0.25])), (X,), {}, levels=("jaxpr",))["programs"]
    entry = program["jaxprs"][program["entry"]]
    (span,) = entry["bound"].values()
    assert span["line"] == scaling.__code__.co_firstlineno


def test_types_for_a_named_function_give_the_same_names() -> None:
    assert labels(trace_signature({**globals()}, "with_rate", {"x": "f32[3]"}, None, ("jaxpr",))) == {"rate"}


def test_two_names_for_one_array_are_none() -> None:
    names: Dict = {"__name__": "elsewhere", "a": rate, "b": rate}
    exec(compile("def fun(x):\n    return x * a\n", __file__, "exec"), names)
    assert labels(trace_function(names["fun"], (X,), {}, levels=("jaxpr",))) == {None}


def test_a_cell_of_a_notebook_has_its_text_and_its_last_results_are_no_names() -> None:
    text = "def fun(x):\n    doubled = x * lr\n    return doubled + 1\n"
    linecache.cache["<cell 3>"] = (len(text), None, text.splitlines(keepends=True), "<cell 3>")
    names: Dict = {"__name__": "__main__", "lr": rate, "_3": rate, "_": rate, "Out": {3: rate}}
    exec(compile(text, "<cell 3>", "exec"), names)
    (program,) = trace_function(names["fun"], (X,), {}, levels=("jaxpr",))["programs"]
    entry = program["jaxprs"][program["entry"]]
    assert {var["label"] for var in entry["vars"].values()} >= {"lr", "x", "doubled"}


def test_a_function_without_a_text_is_traced_and_names_nothing() -> None:
    names: Dict = {"lr": rate}
    exec("def fun(x): return x * lr", names)
    for fun in (names["fun"], jnp.sin):
        assert labels(trace_function(fun, (X,), {}, levels=("jaxpr",))) <= {None}
