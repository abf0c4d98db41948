"""One trace in a process that uses JAX besides: it says what a watched process says of it, or what is said of a program nobody watched.

What a watched process says is held to the numbers by `test_kinds` and `test_observed_again`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import config, source_info_util
from jax._src.interpreters import ad

from tests.tracing.autodiff.test_observed_again import DERIVATIVES, DONE, XS
from tests.tracing.differentiated import PROGRAMS
from visualizer.tracing import compat, trace_function
from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff import _observed
from visualizer.tracing.autodiff._observed import forget, observing, observing_one

Dict = dict[str, Any]
Fun = Callable[..., Any]
X = np.float32(0.3)


@pytest.fixture(autouse=True)
def _fresh() -> None:
    jax.clear_caches()
    forget()


def curve(x: Any) -> Any:
    return jnp.sin(x) * jnp.exp(x)


def pushed(x: Any, t: Any) -> Any:
    return jax.jvp(curve, (x,), (t,))[1]


def said(program: Dict) -> Any:
    bodies = {
        name: [[(end["kind"], end.get("linear")) for end in (*eqn["operands"], *eqn["results"])] for eqn in body["eqns"]]
        for name, body in program["jaxprs"].items()
    }
    return bodies, program["twins"]


def own(fun: Fun, *args: Any) -> Any:
    (program,) = trace_function(fun, args, {}, levels=("jaxpr",))["programs"]
    return said(program)


def traced(fun: Fun, *args: Any) -> Any:
    return fun.trace(*args).jaxpr if isinstance(fun, compat.Wrapped) else jax.make_jaxpr(fun)(*args)


def judged(fun: Fun, *args: Any) -> tuple[Any, Any]:
    """What is said of a program by a process that watched from its start, and by one that never did. That has differentiated it before."""
    jax.clear_caches()
    with observing():
        closed = traced(fun, *args)
    watched = said(serialize(closed).program)
    forget()
    jax.clear_caches()
    jax.make_jaxpr(jax.jit(fun))(*args)
    return watched, said(serialize(traced(fun, *args)).program)


CASES: dict[str, tuple[Fun, tuple[Any, ...]]] = {name: make()[:2] for name, make in PROGRAMS.items()}
CASES |= {f"{done} of {name}": (change(jax.jit(fun)), (XS,)) for name, fun in DERIVATIVES.items() for done, change in DONE.items()}


@pytest.mark.parametrize("case", CASES)
def test_one_trace_is_as_true_as_in_a_process_that_watched_from_its_start(case: str) -> None:
    fun, args = CASES[case]
    watched, _ = judged(fun, *args)
    assert own(fun, *args) == watched


def test_a_tangent_is_known_though_jax_had_the_trace_already() -> None:
    fun = jax.jit(pushed)
    fun(X, X)
    watched, unwatched = judged(fun, X, X)
    assert own(fun, X, X) == watched != unwatched


def stale() -> dict[str, Fun]:
    """Programs that hold what was differentiated before."""
    _, push = jax.linearize(curve, X)
    _, pull = jax.vjp(curve, X)
    grad, jvp = jax.make_jaxpr(jax.grad(curve))(X), jax.make_jaxpr(pushed)(X, X)
    scan = jax.make_jaxpr(lambda x, t: jax.lax.scan(lambda c, _: (pushed(c, t), None), x, None, length=3))(X, X)

    def again(closed: Any, *args: Any) -> Any:
        return jax.core.eval_jaxpr(closed.jaxpr, closed.consts, *args)[0]

    return {
        "linearize": lambda x, t: push(t) + pushed(x, t),
        "vjp": lambda x, t: pull(t)[0] + pushed(x, t),
        "grad": lambda x, t: again(grad, x) + pushed(x, t),
        "jvp": lambda x, t: again(jvp, x, t) + pushed(x, t),
        "scan": lambda x, t: again(scan, x, t) + pushed(x, t),
        "grad of a grad": lambda x, t: jax.grad(lambda x: again(grad, x))(x) + pushed(x, t),
    }


@pytest.mark.parametrize("name", stale())
def test_what_was_differentiated_unwatched_lets_nothing_be_said(name: str) -> None:
    fun = stale()[name]
    plain = said(serialize(jax.make_jaxpr(fun)(X, X)).program)
    assert own(fun, X, X) == plain


def test_jax_forgets_nothing_and_a_function_is_traced_once() -> None:
    runs = []

    def fun(x: Any) -> Any:
        runs.append(x)
        return jax.grad(curve)(x)

    jitted = jax.jit(fun)
    before, first = jitted(X), jitted.trace(X).jaxpr
    assert len(runs) == 1
    own(jitted, X)
    own(jitted, X)
    assert len(runs) == 2
    assert jitted(X) == before and jitted.trace(X).jaxpr is first
    assert len(runs) == 2 and jitted._cache_size() == 1


def test_what_was_watched_once_is_known_when_it_comes_again() -> None:
    inner = jax.jit(pushed)
    watched, _ = judged(inner, X, X)
    assert [own(inner, X, X) for _ in range(3)] == [watched] * 3
    forget()
    assert own(inner, X, X) == watched


def test_more_notes_than_there_may_be_are_dropped_with_what_they_are_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_observed, "MAX_BESIDE", 0)
    inner = jax.jit(pushed)
    watched, _ = judged(inner, X, X)
    own(inner, X, X)
    notes = _observed._count()
    assert [own(inner, X, X) for _ in range(3)] == [watched] * 3
    assert _observed._count() == notes


def test_everything_is_put_back_whatever_the_function_raises() -> None:
    before = ad.JVPTracer.__init__, ad.ValAccum.accum, source_info_util.Transform, config.jax_jit_cpp_cache_obj.value

    def fails(x: Any) -> Any:
        assert ad.JVPTracer.__init__ is not before[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        own(fails, X)
    assert (ad.JVPTracer.__init__, ad.ValAccum.accum, source_info_util.Transform, config.jax_jit_cpp_cache_obj.value) == before
    assert not _observed._watchers
    assert _observed.notes_on([(None, {})]) is None
    assert own(pushed, X, X) == judged(pushed, X, X)[0]


def test_a_thread_beside_one_that_is_watched_is_not() -> None:
    plain = said(serialize(jax.make_jaxpr(pushed)(X, X)).program)
    found: list[Any] = []

    def fun(x: Any, t: Any) -> Any:
        out = pushed(x, t)
        beside = threading.Thread(target=lambda: found.append(own(pushed, X, X)))
        beside.start()
        beside.join()
        return out

    watched, _ = judged(lambda x, t: pushed(x, t), X, X)
    assert own(fun, X, X) == watched
    assert found == [plain]


def test_a_trace_in_a_trace_is_of_the_same_watch() -> None:
    found: list[Any] = []

    def fun(x: Any, t: Any) -> Any:
        out = pushed(x, t)
        found.append(own(lambda x: jax.jvp(curve, (x,), (x,))[1], X))
        return out

    inner, _ = judged(lambda x: jax.jvp(curve, (x,), (x,))[1], X)
    assert own(fun, X, X) == judged(pushed, X, X)[0]
    assert found == [inner]


def test_where_jax_would_not_trace_anew_nothing_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(config, "jax_jit_cpp_cache_obj")
    before = ad.JVPTracer.__init__
    with observing_one() as watching, watching:
        assert ad.JVPTracer.__init__ is before
