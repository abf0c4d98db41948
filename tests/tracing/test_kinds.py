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
from visualizer.tracing._levels import levels

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
    assert "cotangent" in kinds(judged)


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
    if name != "jvp of jvp":  # under vmap nobody sees which of two tangents a factor is
        assert [where for where in judged.unmarked() if where.split()[0] not in seeds] == []


def test_tangent_of_a_cotangent_is_a_tangent_and_the_other_way_round() -> None:
    assert {"tangent", "cotangent", "residual"} == set(kinds(of("hessian")))
    judged = of("reverse_over_forward")
    for jaxpr in judged.program["jaxprs"].values():
        for eqn in jaxpr["eqns"]:
            stack = [entry["name"] for entry in eqn["stack"]]
            if stack[:2] == ["transpose", "jvp"]:
                assert "tangent" not in {result["kind"] for result in eqn["results"]}
