"""Kinds and residuals of twins, over programs as people write them, against a numeric oracle that knows nothing of our method."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.generated import seeded
from tests.tracing.differentiated import PROGRAMS, W, rnn
from tests.tracing.linearity import Judged
from visualizer.tracing.autodiff._levels import levels

Dict = dict[str, Any]
XS = np.array([0.3, -0.8, 1.1], np.float32)
# Differentiated twice: what the inner pass saves depends on its seed.
TWICE = {"hessian", "reverse_over_forward", "gradient_of_a_gradient"}
# A person's rule that is not linear in the cotangent.
OWN_RULE = {"clipped_gradient"}


@lru_cache(64)
def of(name: str) -> Judged:
    """A program, measured once."""
    fun, args, _ = PROGRAMS[name]()
    return Judged(fun, args)


def kinds(judged: Judged) -> list[str]:
    return [end["kind"] for _, end, _, _ in judged.ends() if end["kind"] is not None]


def scans_of(judged: Judged) -> list[Dict]:
    primitive = {eqn["id"]: eqn["primitive"] for jaxpr in judged.program["jaxprs"].values() for eqn in jaxpr["eqns"]}
    return [twin for twin in judged.program["twins"] if primitive[twin["backward"].rsplit("/", 1)[-1].split(":")[0]] == "scan"]


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, watched: bool) -> None:
    judged = of(name).as_if(watched=watched)
    twins = PROGRAMS[name]()[2]
    if name not in OWN_RULE:
        assert judged.wrong() == []
    if name not in TWICE:
        assert judged.dependent_residuals() == []
    assert len(scans_of(judged)) == twins
    assert judged.wrong_links() == []
    # Where nobody watched, a cotangent is not told from its tangent.
    assert ("cotangent" in kinds(judged)) == (watched or name != "hessian")


def plainly_made(judged: Judged) -> set[str]:
    """The seeds themselves, which no differentiation made: equations of the outermost body that it did not touch."""
    top = judged.program["jaxprs"][judged.program["entry"]]
    return {eqn["id"] for eqn in top["eqns"] if not levels(eqn["stack"])}


@pytest.mark.parametrize(
    "name", sorted(set(PROGRAMS) - OWN_RULE - TWICE - {"jitted_value_and_grad", "checkpointed_transformer", "training_step"})
)
def test_nothing_that_carries_a_cotangent_goes_unmarked(name: str) -> None:
    judged = of(name)
    seeds = plainly_made(judged)
    assert [where for where in judged.unmarked() if where.split()[0] not in seeds] == []


@pytest.mark.parametrize("number", range(12))
def test_generated_program(number: int) -> None:
    generated = seeded(number, depth=2, width=3)
    judged = Judged(generated.fun, generated.args)
    for watched in (False, True):
        assert judged.as_if(watched=watched).wrong() == []
        assert judged.as_if(watched=watched).wrong_links() == []


def jvp_of(fun: Any) -> Any:
    """The derivative of `fun` in its first argument, along the basis that the oracle scales."""
    return lambda w, *rest: jax.jacfwd(fun)(w, *rest)


def rooted(w: Any, xs: Any) -> Any:
    """While loop, cond, and a custom rule, in one."""

    @jax.custom_jvp
    def soft(x: Any) -> Any:
        return jnp.log1p(jnp.exp(x))

    soft.defjvp(lambda p, t: (soft(*p), t[0] * jax.nn.sigmoid(p[0])))
    _, w = jax.lax.while_loop(lambda c: c[0] < 2, lambda c: (c[0] + 1, jnp.sin(c[1] * 1.5)), (0, w))
    return soft(jax.lax.cond(xs[0] > 0, jnp.sin, lambda x: x * 2, w)) * xs.sum()


FORWARD = {
    "scan": lambda: (jvp_of(rnn), (W, XS)),
    "jit": lambda: (jvp_of(jax.jit(rnn)), (W, XS)),
    "while, cond and a custom rule": lambda: (jvp_of(rooted), (W, XS)),
    "vmap inside": lambda: (jvp_of(lambda w, xs: jax.vmap(lambda x: rnn(w * x, xs))(xs).sum()), (W, XS)),
    "jvp of jvp": lambda: (jvp_of(jvp_of(rnn)), (W, XS)),
    "checkpoint": lambda: (jvp_of(jax.checkpoint(rnn)), (W, XS)),
    "network": lambda: (jvp_of(lambda w, xs: jnp.tanh(xs * w).sum()), (W, XS)),
}


@pytest.mark.parametrize("name", FORWARD)
def test_tangents(name: str) -> None:
    fun, args = FORWARD[name]()
    judged = Judged(fun, args)
    assert judged.wrong() == []
    assert set(kinds(judged)) == {"tangent"}
    seeds = plainly_made(judged)
    assert [where for where in judged.unmarked() if where.split()[0] not in seeds | _made_of_seeds(judged)] == []


def _made_of_seeds(judged: Judged) -> set[str]:
    """The equations that scale what a derivative starts from, in a derivative around it."""
    top = judged.program["jaxprs"][judged.program["entry"]]
    known, found = {top["invars"][0]}, set()
    for eqn in top["eqns"]:
        if eqn["primitive"] in ("slice", "squeeze", "mul") and known.intersection(
            operand["atom"].get("var") for operand in eqn["operands"]
        ):
            found.add(eqn["id"])
            if eqn["primitive"] != "mul":
                known |= {result["var"] for result in eqn["results"]}
    return found


VECTOR = np.array([0.3, -0.5], np.float32)
BODIES: dict[str, Any] = {
    "scan": lambda w: jax.lax.scan(lambda c, x: (jnp.sin(c * w + x), None), w, XS)[0],
    "cond": lambda w: jax.lax.cond(w[0] > 0, lambda w: jnp.sin(w) * w, lambda w: w**3, w),
    "loop": lambda w: jax.lax.fori_loop(0, 2, lambda _, c: jnp.sin(c * w), w),
    "custom_jvp": lambda w: jax.nn.softplus(w) * jax.nn.relu(w),
    "jit and checkpoint": lambda w: jax.jit(jnp.sin)(w) * jax.checkpoint(lambda w: jnp.sin(jnp.cos(w) * w))(w),
}


def pushed(fun: Any) -> Any:
    return lambda w: jax.jvp(fun, (w,), (jnp.ones_like(w),))[1]


def linearized(fun: Any) -> Any:
    return lambda w: jax.linearize(fun, w)[1](jnp.ones_like(w))


def summed(fun: Any) -> Any:
    return lambda w: fun(w).sum()


# What is done, and what the outermost derivative, which takes the first seed or the last, makes.
OUTER: dict[str, tuple[Any, int, str]] = {
    "jvp of jvp": (lambda f: pushed(pushed(f)), 0, "tangent"),
    "jvp of vmap of jvp": (lambda f: pushed(lambda w: jax.vmap(pushed(f))(jnp.stack([w, w * 2]))), 0, "tangent"),
    "jacfwd of jacfwd": (lambda f: jax.jacfwd(jax.jacfwd(f)), 0, "tangent"),
    "linearize of linearize": (lambda f: linearized(linearized(f)), 1, "tangent"),
    "hessian": (lambda f: jax.hessian(summed(f)), 0, "tangent"),
    "vmap of hessian": (lambda f: lambda w: jax.vmap(jax.hessian(summed(f)))(jnp.stack([w, w * 2])), 0, "tangent"),
    "jvp of grad": (lambda f: pushed(jax.grad(summed(f))), 0, "tangent"),
    "grad of jvp": (lambda f: jax.grad(summed(pushed(f))), 1, "cotangent"),
}


@pytest.mark.parametrize("inner", BODIES)
@pytest.mark.parametrize("name", OUTER)
def test_the_outermost_derivative_names_what_two_are_in(name: str, inner: str) -> None:
    """An end that depends on its seed has its kind, or is a residual, or has none; one that depends on another alone has not that kind."""
    transform, seed, kind = OUTER[name]
    judged = Judged(transform(BODIES[inner]), (VECTOR,))
    for watched in (True, False):
        seen = judged.as_if(watched=watched)
        assert seen.wrong() == []
        named = [(where, end["kind"], depends) for where, end, _, depends in seen.ends() if end["kind"] in ("tangent", "cotangent")]
        assert [where for where, found, depends in named if seed in depends and found != kind] == []
        if name not in SAME_TWICE:
            assert [where for where, found, depends in named if depends and seed not in depends and found == kind] == []
    if kind == "tangent" and name not in SAME_TWICE:
        assert "cotangent" not in kinds(judged.as_if(watched=False))  # they cannot be told from their tangents


# Tangents of tangents: both are called so.
SAME_TWICE = {"jvp of jvp", "jvp of vmap of jvp", "jacfwd of jacfwd", "linearize of linearize"}


@pytest.mark.parametrize("inner", ["scan", "cond", "loop", "custom_jvp"])
@pytest.mark.parametrize("name", [*sorted(SAME_TWICE - {"linearize of linearize"}), "jvp of grad"])
def test_no_tangent_goes_unmarked(name: str, inner: str) -> None:
    judged = Judged(OUTER[name][0](BODIES[inner]), (VECTOR,))
    if (name, inner) == ("jvp of vmap of jvp", "cond"):
        pytest.skip("a cond over rows is a select of operands whose gradients JAX stops")
    known = plainly_made(judged) | _made_of_seeds(judged)
    assert [where for where in judged.unmarked() if where.split()[0] not in known] == []


def test_tangent_of_a_cotangent_is_a_tangent_and_the_other_way_round() -> None:
    assert {"tangent", "cotangent", "residual"} == set(kinds(of("hessian")))
    judged = of("reverse_over_forward")
    for jaxpr in judged.program["jaxprs"].values():
        for eqn in jaxpr["eqns"]:
            stack = [entry["name"] for entry in eqn["stack"]]
            if stack[:2] == ["transpose", "jvp"]:
                assert "tangent" not in {result["kind"] for result in eqn["results"]}
