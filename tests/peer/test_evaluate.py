"""Roles and wiring say enough to run a program: the values are JAX's own."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from tests.generated import Generated, seeded
from tests.peer.evaluate import Evaluator
from tests.tracing import kernels, programs
from visualizer.tracing import serialize


def both(fun: Any, args: Any) -> tuple[list[Any], list[Any], set[str]]:
    """What JAX computes, what the wire's evaluation gives, and the primitives that it ran by the wire alone; one compilation."""
    closed = jax.make_jaxpr(fun)(*args)
    wire = serialize(closed).model_dump(mode="json", by_alias=True)
    evaluator = Evaluator(wire)
    flat = [jax.numpy.asarray(leaf) for leaf in jax.tree.leaves(args)]

    def run(flat: list[Any]) -> Any:
        return jax.core.eval_jaxpr(closed.jaxpr, closed.consts, *flat), evaluator.run(wire["entry"], closed.jaxpr, closed.consts, flat)

    truth, found = jax.jit(run).lower(flat).compile({"xla_backend_optimization_level": 0})(flat)
    return truth, found, evaluator.ran


def same(truth: list[Any], found: list[Any]) -> bool:
    return all(
        np.allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=1e-4, atol=1e-4, equal_nan=True)
        for a, b in zip(truth, found, strict=True)
    )


@pytest.mark.parametrize("name", ["scan", "while_loop", "cond", "switch", "jit", "shared_jit", "checkpoint", "custom_jvp", "custom_vjp"])
def test_programs_that_nest(name: str) -> None:
    fun, args = getattr(programs, name)()
    truth, found, ran = both(fun, args)
    assert same(truth, found)
    assert ran


@pytest.mark.parametrize("name", ["linear_call", "linear_call_with_const", "closed_call", "custom_vmap", "xla_metadata", "composite"])
def test_calls_with_rules(name: str) -> None:
    truth, found, ran = both(*getattr(kernels, name)())
    assert same(truth, found)
    assert ran


def test_a_gradient_of_a_loss() -> None:
    truth, found, ran = both(jax.value_and_grad(jax.checkpoint(programs.loss)), (np.float32(0.5), programs.X))
    assert same(truth, found)
    assert {"scan", "remat2"} & ran


def _ends(program: Generated) -> bool:
    """Whether its loops end: a `while` whose limit is a value of the program may not."""

    def unbounded(block: Any) -> bool:
        return any((op.kind == "while" and op.flags % 2) or any(map(unbounded, op.bodies)) for op in block.ops)

    return not any(map(unbounded, (program.body, *program.library)))


GENERATED = [number for number in range(40) if _ends(seeded(number))][:20]


@pytest.mark.parametrize("number", GENERATED)
def test_generated_programs(number: int) -> None:
    program = seeded(number)
    truth, found, _ = both(program.fun, program.args)
    assert same(truth, found)


def test_a_wrong_wire_gives_wrong_values() -> None:
    fun, args = programs.scan()
    closed = jax.make_jaxpr(fun)(*args)
    wire = serialize(closed).model_dump(mode="json", by_alias=True)
    (eqn,) = wire["jaxprs"][wire["entry"]]["eqns"]
    inputs = eqn["nested"][0]["inputs"]
    inputs[0], inputs[1] = inputs[1], inputs[0]
    flat = [jax.numpy.asarray(leaf) for leaf in args]
    truth = jax.core.eval_jaxpr(closed.jaxpr, closed.consts, *flat)
    assert not same(truth, Evaluator(wire).run(wire["entry"], closed.jaxpr, closed.consts, flat))
