"""Programs that a library made of the paste's functions and ran itself."""

from __future__ import annotations

import pytest

from visualizer.model import Trace
from visualizer.tracing import trace_source

LIBRARY = """import jax, jax.numpy as jnp
class Sampler:
    def __init__(self, density): self.density, self.state = density, None
    def run(self, start, steps):
        def loop(state):
            step = lambda _, x: x - 0.1 * jax.grad(self.density)(x)
            return jax.lax.fori_loop(0, steps, step, state)
        self.state = jax.jit(loop)(start)
        jnp.sum(self.state)
"""
PASTE = """import sampling, jax.numpy as jnp
def density(x): return jnp.sum(x ** 2)
sampler = sampling.Sampler(density)
for _ in range(2):
    sampler.run(jnp.ones(3), 5)
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    (tmp_path / "sampling.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "sampling", raising=False)


@pytest.mark.parametrize("engine", ["held", "real"])
def test_what_a_library_ran_is_the_program(library, engine):
    trace = trace_source(PASTE, engine=engine)
    Trace.model_validate(trace)
    (program,) = trace["programs"]
    assert (program["name"], program["count"], program["span"]["line"]) == ("loop", 2, 5)
    assert "scan" in program["texts"]["jaxpr"]["text"]
    assert "stablehlo" in program["texts"]
    assert trace["diagnostics"] == []
    spans = {eqn["span"]["line"] for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["span"]}
    assert 2 in spans  # the paste's own density


def test_where_the_paste_has_programs_of_its_own_they_are_shown(library):
    trace = trace_source(PASTE + "density(jnp.ones(3))\n", levels=["jaxpr"])
    assert [program["name"] for program in trace["programs"]] == ["density"]


def test_what_jax_runs_itself_is_no_program():
    trace = trace_source("import jax.numpy as jnp\nx = jnp.where(jnp.ones(3) > 0, 1.0, 2.0)\nprint(x.shape)\n", levels=["jaxpr"])
    assert [program["origin"] for program in trace["programs"]] == ["module"]
