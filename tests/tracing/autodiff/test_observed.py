"""What is noted while JAX differentiates, and what is not."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src.interpreters import ad

from tests.tracing.programs import loss
from visualizer.tracing import compat, trace_source
from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff._observed import forget, observing

Dict = dict[str, Any]
W, XS = np.float32(0.5), np.arange(4, dtype=np.float32)


@pytest.fixture(autouse=True)
def _fresh() -> None:
    jax.clear_caches()
    forget()


def watched(fun: Any, *args: Any) -> Dict:
    with observing():
        closed = jax.make_jaxpr(fun)(*args)
    return serialize(closed).program


def operand_kinds(program: Dict, var: str) -> set[str | None]:
    return {
        operand["kind"]
        for jaxpr in program["jaxprs"].values()
        for eqn in jaxpr["eqns"]
        for operand in eqn["operands"]
        if operand["atom"].get("var") == var
    }


def inputs(program: Dict) -> list[str]:
    found: list[str] = program["jaxprs"][program["entry"]]["invars"]
    return found


def test_this_jax_fits() -> None:
    assert compat.differentiation_fits()


def test_everything_is_put_back() -> None:
    before = ad.JVPTracer.__init__, ad.LinearizeTracer.__init__, ad.ValAccum.accum, ad.ValAccum.__init__
    with observing():
        assert ad.JVPTracer.__init__ is not before[0]
        inner = ad.JVPTracer.__init__
        with observing():
            assert ad.JVPTracer.__init__ is inner
        assert ad.JVPTracer.__init__ is inner
    assert (ad.JVPTracer.__init__, ad.LinearizeTracer.__init__, ad.ValAccum.accum, ad.ValAccum.__init__) == before


def test_another_jax_is_not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ad.ValAccum, "accum", lambda self, x, more: None)
    before = ad.JVPTracer.__init__
    with observing():
        assert ad.JVPTracer.__init__ is before


def test_watching_changes_no_program() -> None:
    plain = str(jax.make_jaxpr(jax.hessian(loss))(W, XS))
    jax.clear_caches()
    with observing():
        assert str(jax.make_jaxpr(jax.hessian(loss))(W, XS)) == plain


def test_tangent_that_comes_in() -> None:
    program = watched(lambda w, t: jax.jvp(lambda w: loss(w, XS), (w,), (t,)), W, W)
    w, t = inputs(program)
    assert operand_kinds(program, w) == {None}
    assert operand_kinds(program, t) == {"tangent"}


def test_value_that_is_its_own_tangent_is_neither() -> None:
    program = watched(lambda w: jax.jvp(lambda w: w * w * 2.0, (w,), (w,)), W)
    assert operand_kinds(program, inputs(program)[0]) == {None}


def test_cotangent_that_is_a_value_too_is_neither() -> None:
    program = watched(lambda w: jax.vjp(lambda w: jnp.sin(w) * 3.0, w)[1](w), W)
    assert operand_kinds(program, inputs(program)[0]) == {None}


def test_explicit_cotangent_beside_a_number() -> None:
    program = watched(lambda w, ct: jax.vjp(lambda w: jnp.sin(w) * 3.0, w)[1](ct), W, W)
    w, ct = inputs(program)
    assert operand_kinds(program, ct) == {"cotangent"}
    assert operand_kinds(program, w) == {None}


def test_linearized_function() -> None:
    def run(w: Any, t: Any) -> Any:
        _, tangent_of = jax.linearize(lambda w: loss(w, XS), w)
        return tangent_of(t)

    program = watched(run, W, W)
    w, t = inputs(program)
    assert operand_kinds(program, t) == {"tangent"}
    assert operand_kinds(program, w) == {None}
    last = program["jaxprs"][program["entry"]]["eqns"][-1]
    assert [result["kind"] for result in last["results"]] == ["tangent"]


def test_linear_function_alone() -> None:
    with observing():
        _, tangent_of = jax.linearize(lambda w: jnp.sin(w) * w, W)
        program = serialize(jax.make_jaxpr(tangent_of)(W)).program
    assert operand_kinds(program, inputs(program)[0]) == {"tangent"}
    results = [result["kind"] for eqn in program["jaxprs"][program["entry"]]["eqns"] for result in eqn["results"]]
    assert set(results) == {"tangent"}


def test_scaled_gradient_knows_which_factor() -> None:
    @jax.custom_vjp
    def scaled(x: Any, scale: Any) -> Any:
        return x

    scaled.defvjp(lambda x, scale: (x, scale), lambda scale, g: (g * scale, jnp.zeros_like(scale)))
    program = watched(lambda w, s, ct: jax.vjp(lambda w: scaled(w, s), w)[1](ct), W, W, W)
    _, s, ct = inputs(program)
    assert operand_kinds(program, ct) == {"cotangent"}
    assert operand_kinds(program, s) == {None}


def test_unwatched_says_nothing_where_either_factor_could_be_it() -> None:
    closed = jax.make_jaxpr(lambda w, s: jax.grad(lambda w: w * s)(w))(W, W)
    program = serialize(closed).program
    ends = [end for eqn in program["jaxprs"][program["entry"]]["eqns"] for end in eqn["operands"] if end["kind"] == "cotangent"]
    assert all("literal" in end["atom"] for end in ends)


def test_paste_is_watched() -> None:
    trace = trace_source("import jax\nimport jax.numpy as jnp\nprint(jax.make_jaxpr(lambda x, t: jax.jvp(jnp.sin, (x,), (t,)))(1.0, 2.0))")
    program = trace["programs"][0]
    assert operand_kinds(program, inputs(program)[1]) == {"tangent"}


def test_notes_keep_no_array_alive() -> None:
    import gc
    import weakref

    big = jnp.ones(1000)
    seen = weakref.ref(big)
    with observing():
        jax.grad(lambda x: jnp.sum(jnp.sin(x)))(big)
    del big
    gc.collect()
    jax.clear_caches()
    gc.collect()
    assert seen() is None
