"""Links: which operations came from which equation."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.tracing.lowered import TRAIN, Lowering, shape, train
from tests.tracing.transformer import transformer


def test_every_operation_of_the_lessons_program_is_linked():
    made = Lowering(train, *TRAIN)
    assert made.unlinked() == []
    (scan,) = made.linked("scan")
    assert scan.count("stablehlo.while") == 1
    assert scan.count("func.call") == 4  # two slices, the body, the update
    assert made.linked("integer_pow") == [[], ["stablehlo.multiply"]]  # JAX drops the first as dead; the second is a multiplication
    assert made.linked("sub")[0] == ["stablehlo.subtract"]


def test_the_constant_of_a_literal_belongs_to_the_equation_that_reads_it():
    made = Lowering(lambda x: (x + 2.0) * 3.0, shape(3))
    assert made.linked("add") == [["stablehlo.constant", "stablehlo.broadcast_in_dim", "stablehlo.add"]]
    assert made.linked("mul") == [["stablehlo.constant", "stablehlo.broadcast_in_dim", "stablehlo.multiply"]]


def test_links_are_in_program_order():
    made = Lowering(train, *TRAIN)
    order = list(made.ops)
    for ops in made.links.values():
        assert ops == sorted(ops, key=order.index)


def test_a_call_is_its_equations_and_what_is_called_is_the_inner_equations():
    made = Lowering(lambda x: jax.jit(lambda y: jnp.sin(y) * 2)(x), shape(3))
    assert made.linked("jit") == [["func.call"]]
    assert made.linked("sin") == [["stablehlo.sine"]]


def test_a_body_that_is_shared_is_linked_once_and_called_twice():
    inner = jax.jit(lambda x: jnp.sin(x))
    made = Lowering(lambda x: inner(inner(x)), shape(3))
    assert made.linked("jit") == [["func.call"], ["func.call"]]
    assert made.linked("sin") == [["stablehlo.sine"]]


def test_equal_equations_of_one_line_are_told_apart():
    made = Lowering(lambda x: jnp.sin(jnp.sin(jnp.sin(x))), shape(3))
    ops = [made.links[key] for key in made.eqns]
    assert sorted(op for group in ops for op in group) == [key for key, op in made.ops.items() if op["name"] == "stablehlo.sine"]
    assert len({tuple(group) for group in ops}) == 3


def test_a_helper_function_belongs_to_those_who_call_it():
    made = Lowering(lambda x: jnp.cumsum(x) + jnp.cumsum(x * 2), shape(4))
    windows = [key for key, op in made.ops.items() if op["name"] == "stablehlo.reduce_window"]
    owners = {key for key, ops in made.links.items() if set(windows) & set(ops)}
    assert windows and {made.eqns[key]["primitive"] for key in owners} <= {"cumsum"}
    assert made.unlinked() == []


def test_equations_that_lowering_drops_have_no_links():
    def dead(x: Any) -> Any:
        jnp.cos(x)
        return jnp.sin(x)

    made = Lowering(dead, shape(3))
    assert made.linked("cos") == [[]] and made.linked("sin") == [["stablehlo.sine"]]
    assert {key for key, eqn in made.eqns.items() if eqn["primitive"] == "cos"}.isdisjoint(made.links)


def relu() -> Any:
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return jnp.maximum(x, 0)

    f.defjvp(lambda primals, tangents: (f(*primals), jnp.where(primals[0] > 0, tangents[0], 0)))
    return f


def clip() -> Any:
    @jax.custom_vjp
    def f(x: Any) -> Any:
        return jnp.clip(x, -1, 1)

    f.defvjp(lambda x: (f(x), x), lambda x, g: (g * (x > 0),))
    return f


def batched() -> Any:
    @jax.custom_batching.custom_vmap
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.def_vmap(lambda size, batched, x: (jnp.cos(x), True))
    return f


RULES: dict[str, Any] = {
    "custom_jvp": lambda x: relu()(x),
    "custom_jvp, grad": jax.grad(lambda x: relu()(x).sum()),
    "custom_vjp": lambda x: clip()(x),
    "custom_vjp, grad": jax.grad(lambda x: clip()(x).sum()),
    "custom_vmap": lambda x: batched()(x),
    "checkpoint": jax.grad(lambda x: jax.checkpoint(lambda y: jnp.sin(jnp.sin(y)))(x).sum()),
    "cond": lambda x: jax.lax.cond(x.sum() > 0, jnp.sin, jnp.cos, x),
    "vmap of cond": lambda x: jax.vmap(lambda y: jax.lax.cond(y > 0, jnp.sin, jnp.cos, y))(x),
    "associative_scan": lambda x: jax.lax.associative_scan(jnp.add, x),
    "custom_root": lambda x: jax.lax.custom_root(lambda y: y**2 - x, jnp.ones_like(x), lambda f, y: y, lambda g, y: y / 2),
    "linear_solve": lambda x: jax.scipy.sparse.linalg.cg(lambda y: 2 * y, x)[0],
    "hessian": jax.hessian(lambda x: jnp.sin(x).prod()),
    "fft": lambda x: jnp.fft.fft(x).real,
    "sort": lambda x: jnp.sort(x)[::-1],
    "random": lambda x: x + jax.random.normal(jax.random.key(0), x.shape),
    "debug": lambda x: (jax.debug.print("{}", x), x)[1],
}


@pytest.mark.parametrize("name", RULES)
def test_rules_and_bodies_of_every_kind(name: str):
    made = Lowering(RULES[name], shape(4))
    assert not made.result.diagnostics and not made.result.notes
    assert [op for op in made.unlinked() if not op.startswith("sdy.")] == []
    assert made.text == made.traced.lower().compiler_ir("stablehlo").operation.get_asm(large_elements_limit=64)


def test_a_transformer_of_twelve_layers_is_linked_op_by_op():
    fun, args = transformer(layers=12)
    made = Lowering(fun, *args)
    assert len(made.ops) > 1_500
    assert made.unlinked() == []
    owned = {op for ops in made.links.values() for op in ops}
    assert len(owned) == sum(op["name"] != "func.return" for op in made.ops.values())
    assert all(op["text_span"] for op in made.ops.values() if op["name"] in ("stablehlo.dot_general", "stablehlo.exponential"))
