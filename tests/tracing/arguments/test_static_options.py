"""Numbers held static leave what jit was told with the arguments that are left."""

from __future__ import annotations

import pytest

from visualizer.model import Trace
from visualizer.tracing import trace_source

HEAD = "import functools, jax, jax.numpy as jnp\nx, y = jnp.ones(3), jnp.ones(3)\ndef update(lr, x, n, y): return x * lr + n, y * 2\n"


def main_of(source, **request):
    trace = trace_source(HEAD + source, levels=["jaxpr", "stablehlo"], static_numbers=True, **request)
    Trace.model_validate(trace)
    assert trace["diagnostics"] == []
    (program,) = trace["programs"]
    text = program["texts"]["stablehlo"]["text"]
    return program, next(line for line in text.splitlines() if "@main" in line), text


@pytest.mark.parametrize(
    "source",
    [
        "jax.jit(update, donate_argnums=(1,)).lower(0.1, x, 2, y)",
        "jax.jit(update, donate_argnums=(1,)).trace(0.1, x, 2, y)",
        "jax.jit(update, donate_argnames='x').lower(0.1, x, n=2, y=y)",
        "jax.jit(update, donate_argnums=(1,), static_argnums=2).lower(0.1, x, 2, y)",
        "jax.jit(update, donate_argnums=(1,), static_argnums=(0, 2)).lower(0.1, x, 2, y)",
    ],
)
@pytest.mark.parametrize("engine", ["held", "real"])
def test_donation_stays_with_its_argument(source, engine):
    program, main, _ = main_of(source, engine=engine)
    first, second = main.split("%arg1")
    assert "tf.aliasing_output" in first
    assert "tf.aliasing_output" not in second.partition(" -> ")[0]
    entry = program["jaxprs"][program["entry"]]
    assert [entry["vars"][var]["label"] for var in entry["invars"]] == ["x", "y"]
    assert [(p["name"], p["text"]) for p in program["parameters"] if p["text"] != "f32[3]"] == [("lr", "0.1"), ("n", "2")]


def test_shardings_and_the_name_stay():
    source = (
        "mesh = jax.make_mesh((1,), ('i',))\nspec = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec('i'))\n"
        "jax.jit(update, in_shardings=(None, spec, None, None), out_shardings=(None, spec)).lower(0.1, x, 2, y)\n"
    )
    _, main, text = main_of(source)
    arguments, _, results = main.partition(" -> ")
    assert [part.count('{"i"}') for part in arguments.split("%arg1")] == [1, 0]
    assert results.count('{"i"}') == 1
    assert "module @jit_update" in text
