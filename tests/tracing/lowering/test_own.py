"""A program that is one call of a jitted function lowers as JAX lowers that function, and not a second time around it."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from tests.tracing.lowered import shape
from visualizer.tracing import trace_source
from visualizer.tracing._serialize import serialize
from visualizer.tracing.lowering._stablehlo import lower, whole_call


@functools.partial(jax.jit, donate_argnums=0)
def update(w, g, unused):
    return w - 0.1 * g


ARGS = (shape(3), shape(3), shape(2))


def test_the_functions_own_module_is_shown():
    closed = jax.make_jaxpr(update)(*ARGS)
    traced = update.trace(*ARGS)
    made = lower(serialize(closed), traced=(traced,)).patch
    module = made["modules"]["stablehlo"]
    assert module["text"] == traced.lower().as_text()
    assert [f["name"] for f in module["functions"]] == ["main"]
    assert len(module["functions"][0]["args"]) == 2  # the unused one is pruned, as JAX prunes it


def test_the_call_owns_the_top_of_main_and_its_body_its_own_ops():
    serialized = serialize(jax.make_jaxpr(update)(*ARGS))
    made = lower(serialized, traced=(update.trace(*ARGS),)).patch
    ops = {op["id"]: op["name"] for op in made["modules"]["stablehlo"]["functions"][0]["region"]["blocks"][0]["ops"]}
    by_primitive = {eqn["primitive"]: eqn["id"] for jaxpr in serialized.program["jaxprs"].values() for eqn in jaxpr["eqns"]}
    links = made["links"]["stablehlo"]
    assert links[by_primitive["jit"]] == [op for op, name in ops.items() if name != "func.return"]
    assert [ops[op] for op in links[by_primitive["sub"]]] == ["stablehlo.subtract"]


def test_without_the_function_the_call_stays_a_call():
    made = lower(serialize(jax.make_jaxpr(update)(*ARGS))).patch
    assert [f["name"] for f in made["modules"]["stablehlo"]["functions"]] == ["main", "update"]


def test_only_a_call_that_is_the_whole_program_counts():
    assert whole_call(jax.make_jaxpr(update)(*ARGS)) is not None
    assert whole_call(jax.make_jaxpr(lambda w, g, u: update(w, g, u) + 1)(*ARGS)) is None
    assert whole_call(jax.make_jaxpr(lambda g, w, u: update(w, g, u))(*ARGS)) is None
    assert whole_call(jax.make_jaxpr(lambda w: (update(w, w, w), w))(shape(3))) is None
    assert whole_call(jax.make_jaxpr(jnp.sin)(shape(3))) is None


def test_a_pasted_call_of_a_jitted_function():
    trace = trace_source("import jax, jax.numpy as jnp\n@jax.jit\ndef f(x):\n    return x * 2\nf(jnp.ones(3))\n")
    (program,) = trace["programs"]
    assert [f["name"] for f in program["modules"]["stablehlo"]["functions"]] == ["main"]
    assert program["modules"]["stablehlo"]["name"] == "jit_f"


def test_make_jaxpr_of_a_jitted_function():
    trace = trace_source("import jax, jax.numpy as jnp\nf = jax.jit(lambda x: x * 2)\njax.make_jaxpr(f)(jnp.ones(3))\n")
    (program,) = trace["programs"]
    assert [f["name"] for f in program["modules"]["stablehlo"]["functions"]] == ["main"]
