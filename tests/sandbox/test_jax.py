"""JAX itself inside the jail: XLA compiles and runs under every layer; the kernel's filter is on the threads that it started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from visualizer.sandbox import Limits

from .conftest import Box, make

pytestmark = pytest.mark.sandbox
IMPORTS = "import jax, jax.numpy as jnp, numpy as np\n"


@pytest.fixture(scope="module")
def jax_box():
    pytest.importorskip("jax")
    with make("jax_worker", limits=Limits(cpu_seconds=10, wall_seconds=60.0)) as supervisor:
        yield Box(supervisor)


DEBUG_PRINT = """
import io, contextlib
with contextlib.redirect_stdout(io.StringIO()) as f:
  jax.debug.print('seen {x}', x=jnp.ones(1)); jax.effects_barrier()
answer = f.getvalue().strip()
"""
CALLBACK = """
s = jax.ShapeDtypeStruct((2,), 'float32')
answer = jax.jit(lambda x: jax.pure_callback(lambda v: v + 1, s, x))(jnp.ones(2))
"""
CURIOUS_CALLBACK = """
def peek(v):
  open('/etc/passwd').read()
  return v
s = jax.ShapeDtypeStruct((), 'float32')
try: answer = jax.jit(lambda x: jax.pure_callback(peek, s, x))(1.0)
except Exception as e: answer = type(e).__name__
"""
GIGANTIC = """
try: answer = jnp.ones((100000, 100000))
except Exception as e: answer = str(e).split(':')[0]
"""
WORKS = {
    "trace": ("answer = jax.make_jaxpr(jnp.sin)(jax.ShapeDtypeStruct((3,), 'float32')).eqns[0].primitive", "sin"),
    "eager": ("answer = jnp.ones(3) + 1", "[2. 2. 2.]"),
    "lower": ("answer = 'stablehlo.sine' in jax.jit(jnp.sin).lower(jnp.ones(3)).as_text()", "True"),
    "compile": ("answer = jax.jit(lambda x: x * 2).lower(jnp.ones(3)).compile()(jnp.ones(3))", "[2. 2. 2.]"),
    "scan": ("answer = jax.jit(lambda xs: jax.lax.scan(lambda c, x: (c + x, c), 0.0, xs)[0])(jnp.arange(4.0))", "6.0"),
    "svd": ("answer = jnp.linalg.svd(jnp.eye(2)).S", "[1. 1.]"),
    "eigh": ("answer = jnp.linalg.eigh(jnp.eye(2)).eigenvalues", "[1. 1.]"),
    "random": ("answer = jax.random.normal(jax.random.key(0), (3,)).shape", "(3,)"),
    "pure_callback": (CALLBACK, "[2. 2.]"),
    "debug.print": (DEBUG_PRINT, "seen [1.]"),
    "a callback that reads": (CURIOUS_CALLBACK, "JaxRuntimeError"),
    "a gigantic array": (GIGANTIC, "RESOURCE_EXHAUSTED"),
    "libraries": ("import flax.linen, optax, equinox\nanswer = 'imported'", "imported"),
    "time zones": ("import zoneinfo\nanswer = zoneinfo.ZoneInfo('Europe/Paris')", "Europe/Paris"),
}


@pytest.mark.parametrize("name", WORKS)
def test_it_works_in_the_jail(jax_box, name):
    source, text = WORKS[name]
    answer = jax_box.run(IMPORTS + source)
    assert (answer.text, answer.codes) == (text, [])


THREADED = """
import socket
names = []
def attack(v):
  try: socket.socket(); names.append('LEAK')
  except PermissionError: names.append('refused')
  return v
s = jax.ShapeDtypeStruct((), 'float32')
jax.jit(lambda x: jax.pure_callback(attack, s, x))(1.0).block_until_ready()
answer = names
"""


def test_threads_that_were_there_before_the_filter_are_under_it(jax_box):
    """The backend starts its threads in the waiting child; a callback runs on one of them."""
    assert jax_box.run(IMPORTS + THREADED).text == "['refused']"


def test_nothing_leaks_with_the_backend_up(jax_box):
    health = jax_box.supervisor.health()
    assert health["leaks"] == []
    assert jax_box.settles()


def test_an_environment_behind_a_symbolic_link_works(start, tmp_path):
    """`.venv -> elsewhere` is common, and a job's own tree of files has real paths only."""
    if sys.prefix == sys.base_prefix:
        pytest.skip("not in a virtual environment")
    link = tmp_path / "venv"
    link.symlink_to(sys.prefix)
    linked = start("jax_worker", python=str(link / Path(sys.executable).relative_to(sys.prefix)))
    assert linked.run(IMPORTS + "answer = jax.make_jaxpr(jnp.sin)(1.0).eqns[0].primitive").text == "sin"
