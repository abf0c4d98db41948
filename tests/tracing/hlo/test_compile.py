"""What XLA makes of a program: its own text, linked equation by instruction."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer import examples
from visualizer.model import Trace
from visualizer.tracing._compat_hlo import compiled_text
from visualizer.tracing._source import trace_source
from visualizer.tracing.compat import traced_with
from visualizer.tracing.hlo import _compile
from visualizer.tracing.lowering._tagging import tag

from .test_reader import all_ops

EXAMPLES = sorted(Path(examples.__path__[0]).glob("0[1257]*.py"))
LEVELS = ("jaxpr", "stablehlo", "hlo")

SCAN = """\
import jax, jax.numpy as jnp
def f(w, xs):
    def step(c, x):
        c = jnp.tanh(w @ c + x)
        return c, jnp.sin(c)
    return jax.lax.scan(step, xs[0], xs)
f(jnp.ones((3, 3)), jnp.ones((5, 3)))
"""


def compiled(source, **request):
    trace = trace_source(source, levels=LEVELS, **request)
    Trace.model_validate(trace)
    return trace


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_is_shown_is_the_program_as_it_was(path, monkeypatch):
    texts = []

    def both(serialized, own):
        tagged = traced_with(own, tag(own.jaxpr, serialized.eqn_of, places=True))
        # From one line: the place that a lowering is asked for from is in the text too.
        ours, theirs = (compiled_text(each) for each in (tagged, own))
        texts.append((_compile.untagged(ours), theirs))
        return ours, []

    monkeypatch.setattr(_compile, "_compiled", both)
    trace = compiled(path.read_text())
    assert trace["diagnostics"] == []
    assert len(texts) == len(trace["programs"])
    for ours, theirs in texts:
        assert ours == theirs
        assert "037e" not in ours


def test_equations_are_linked_to_their_instructions():
    [program] = compiled(SCAN)["programs"]
    eqns = {eqn["id"]: eqn for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"]}
    module = program["modules"]["hlo"]
    ops = {op["id"]: op for op in all_ops(module)}
    names = {eqns[eqn]["primitive"]: {ops[op]["name"] for op in linked} for eqn, linked in program["links"]["hlo"].items()}
    assert "tanh" in names["tanh"]
    assert "while" in names["scan"]
    assert names["sin"]
    tanh = next(op for op in ops.values() if op["name"] == "tanh")
    assert tanh["span"]["line"] == 4
    assert tanh["location"].endswith("/tanh, <paste>:4")
    labels = [module["values"][arg]["label"] for function in module["functions"] if function["attributes"] for arg in function["args"]]
    assert labels == ["w", "xs"]
    loop = next(op for op in ops.values() if op["name"] == "while")
    assert (loop["trips"], sorted(operand["role"] for operand in loop["operands"])) == (5, ["carry", "const", "counter", "xs", "ys"])


def test_nothing_is_executed_and_huge_arguments_cost_nothing():
    trace = compiled(
        "import jax, jax.numpy as jnp\nx = jax.ShapeDtypeStruct((100_000, 1_000_000), 'float32')\njax.make_jaxpr(lambda x: x.sum())(x)"
    )
    assert trace["diagnostics"] == []
    assert "f32[100000,1000000]" in trace["programs"][0]["texts"]["hlo"]["text"]


def test_a_program_that_cannot_be_compiled_says_so_and_leaves_the_others():
    source = """\
import jax, jax.numpy as jnp
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P
jax.make_jaxpr(lambda x: x + 1)(1.0)
s = jax.export.symbolic_shape("n")
jax.make_jaxpr(lambda x: x * 2)(jax.ShapeDtypeStruct(s, 'float32'))
"""
    trace = compiled(source)
    assert ["hlo" in program["modules"] for program in trace["programs"]] == [True, False]
    assert all("stablehlo" in program["modules"] for program in trace["programs"])
    [problem] = trace["diagnostics"]
    assert (problem["stage"], problem["code"]) == ("compile", "not-compiled")


def test_hlo_is_not_made_unless_it_is_asked_for():
    assert "hlo" not in trace_source(SCAN)["programs"][0]["modules"]
