"""What was differentiated and is traced again keeps its kinds: a jit around a derivative changes none, whatever is done to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from tests.tracing.linearity import Judged
from visualizer.tracing import compat
from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff._observed import forget, observing

XS = np.array([0.3, -0.8, 1.1], np.float32)
Fun = Callable[[Any], Any]


def scanned(x: Any) -> Any:
    return (lax.scan(lambda c, a: (jnp.sin(c * a), c), x.sum(), XS)[1] ** 2).sum()


def plain(x: Any) -> Any:
    return jnp.tanh(x * XS).sum() * x[0]


DERIVATIVES: dict[str, Fun] = {
    "grad of a scan": jax.grad(scanned),
    "grad": jax.grad(plain),
    "jvp": lambda x: jax.jvp(plain, (x,), (x * 0.2,))[1] * x,
    "jvp of a scan": lambda x: jax.jvp(scanned, (x,), (x * 0.2,))[1] * x,
}
DONE: dict[str, Callable[[Fun], Fun]] = {
    "jvp": lambda g: lambda x: jax.jvp(g, (x,), (x * 0.1,)),
    "vmap": lambda g: lambda x: jax.vmap(g)(jnp.stack([x, x])),
    "grad": lambda g: jax.grad(lambda x: (g(x) ** 2).sum()),
    "linearize": lambda g: lambda x: jax.linearize(g, x)[1](x * 0.1),
    "vmap of jvp": lambda g: lambda x: jax.vmap(lambda t: jax.jvp(g, (x,), (t,)))(jnp.eye(3)),
    "jvp of a scan": lambda g: lambda x: jax.jvp(lambda x: lax.scan(lambda c, a: (c, g(c * a)), x, XS)[1], (x,), (x,)),
    "jvp of a cond": lambda g: lambda x: jax.jvp(lambda x: lax.cond(x[0] > 0, g, lambda x: x, x), (x,), (x,)),
    "jvp of a checkpoint": lambda g: lambda x: jax.jvp(jax.checkpoint(g), (x,), (x,)),
}


def kinds(fun: Fun) -> Counter[tuple[Any, ...]]:
    """How often each primitive gives results of which kinds, where it gives any."""
    forget()
    jax.clear_caches()  # what was traced before it was watched has no notes
    with observing():
        closed = jax.make_jaxpr(fun)(XS)
    bodies = serialize(closed).program["jaxprs"].values()
    found = Counter((eqn["primitive"], *[result["kind"] for result in eqn["results"]]) for body in bodies for eqn in body["eqns"])
    return Counter({key: count for key, count in found.items() if key[0] != "jit" and any(key[1:])})


@pytest.mark.parametrize("done", DONE)
@pytest.mark.parametrize("derivative", DERIVATIVES)
def test_a_jit_changes_no_kind(derivative: str, done: str) -> None:
    fun = DERIVATIVES[derivative]
    found = kinds(DONE[done](jax.jit(fun)))
    assert found == kinds(DONE[done](fun))
    assert any("tangent" in key or "cotangent" in key for key in found)


@pytest.mark.parametrize("done", ["jvp", "grad", "linearize", "jvp of a cond"])
def test_kinds_of_a_jitted_gradient_are_right(done: str) -> None:
    judged = Judged(DONE[done](jax.jit(jax.grad(scanned))), (XS,))
    assert judged.wrong() == []
    assert "cotangent" in {end["kind"] for _, end, _, _ in judged.ends()}


def test_what_is_evaluated_gives_what_it_gave() -> None:
    closed = jax.make_jaxpr(jax.grad(scanned))(XS)
    before = [getattr(*place) for place in compat.AD_EVALUATES]
    with observing():
        watched = jax.make_jaxpr(lambda x: jax.grad(lambda x: scanned(x).sum())(x))(XS)
        again = jax.make_jaxpr(jax.extend.core.jaxpr_as_fun(watched))(XS)
    assert str(again) == str(watched)
    assert [getattr(*place) for place in compat.AD_EVALUATES] == before
    assert np.allclose(jax.extend.core.jaxpr_as_fun(closed)(XS)[0], jax.extend.core.jaxpr_as_fun(again)(XS)[0])
