"""Twins and what they save in programs as people write them, against numbers and scopes that no rule of ours looks at."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from bench.serialize import blocks
from tests.tracing.stepwise import Stepped, mark
from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff import _twins
from visualizer.tracing.autodiff._levels import as_at_first, transposition
from visualizer.tracing.autodiff._trails import _after

W = np.array([0.3, -0.4, 0.5], np.float32)
XS = np.sin(np.arange(12, dtype=np.float32)).reshape(4, 3)
BATCH = np.stack([XS, XS * 2, XS + 1])


def rnn(w: Any, xs: Any) -> Any:
    def cell(h: Any, x: Any) -> Any:
        h = jnp.tanh(h * w + x)
        return h, h

    return lax.scan(cell, jnp.full(3, 0.1), xs)


def loss(w: Any, xs: Any) -> Any:
    return (rnn(w, xs)[1] ** 2).mean()


def nested(w: Any, batch: Any) -> Any:
    def outer(h: Any, xs: Any) -> Any:
        def inner(h: Any, x: Any) -> Any:
            h = jnp.tanh(h * w + x)
            return h, jnp.sin(h)

        with mark("at_first"):
            h, a = lax.scan(inner, h, xs)
        with mark("at_second"):
            h, b = lax.scan(inner, h, a, reverse=True)
        return h, (a * b).sum()

    with mark("at_outer"):
        return lax.scan(outer, jnp.full(3, 0.2), batch)[1].sum()


def branches(w: Any, xs: Any, yes: Any) -> Any:
    def true(w: Any) -> Any:
        with mark("at_true"):
            return loss(w, xs)

    def false(w: Any) -> Any:
        with mark("at_false"):
            return jnp.sin(rnn(w * 2, xs)[0]).sum()

    return lax.cond(yes, true, false, w)


def cond_in_a_scan(w: Any, xs: Any) -> Any:
    def cell(h: Any, x: Any) -> Any:
        return lax.cond(x[0] > 0, lambda h: jnp.tanh(h * w + x), lambda h: jnp.sin(h) * x, h), h.sum()

    h, ys = lax.scan(cell, jnp.full(3, 0.1), xs)
    return h.sum() + ys.sum()


jitted = jax.jit(lambda w, xs: rnn(w, xs)[1])


def jits_in_a_scan(w: Any, xs: Any) -> Any:
    def step(h: Any, x: Any) -> Any:
        with mark("at_a"):
            a = jitted(w, xs * h)
        with mark("at_b"):
            b = jitted(w * 2, a + x)
        return b[-1], (a * b).sum()

    with mark("at_outer"):
        return lax.scan(step, w, xs)[1].sum()


def trained(w: Any, rate: Any) -> Any:
    def step(w: Any, xs: Any) -> Any:
        return w - rate * jax.grad(loss)(w, xs), None

    return loss(lax.scan(step, w, BATCH)[0], XS)


def adapted(w: Any) -> Any:
    return loss(w - 0.1 * jax.grad(loss)(w, XS), XS * 2)


INNER = ["at_outer", "at_outer/at_first", "at_outer/at_second"]
WS, BATCHES = np.stack([W, W * 2]), np.stack([BATCH, BATCH * 2])
PROGRAMS = {
    "scans in a scan": (jax.grad(nested), (W, BATCH), INNER),
    "the same of a checkpoint": (jax.grad(jax.checkpoint(nested)), (W, BATCH), INNER),
    "jits in a scan": (jax.grad(jits_in_a_scan), (W, XS), ["at_outer", "at_outer/at_a", "at_outer/at_b"]),
    "cond in a scan": (jax.grad(cond_in_a_scan), (W, XS), [""]),
    "jit of a jit": (jax.jit(jax.grad(jax.jit(jax.jit(loss)))), (W, XS), [""]),
    "gradient through training": (jax.grad(trained, argnums=(0, 1)), (W, np.float32(0.1)), [""] * 5),
    "gradient through a step": (jax.grad(adapted), (W,), [""] * 4),
    "the same of a checkpoint of it": (jax.grad(jax.checkpoint(adapted)), (W,), [""] * 5),
    "scans in a scan, under vmap": (jax.vmap(jax.grad(nested), (0, None)), (WS, BATCH), INNER),
    "the same along another axis": (jax.vmap(jax.grad(nested), (1, None)), (WS.T.copy(), BATCH), INNER),
    "the same over what is scanned": (jax.vmap(jax.grad(nested), (None, 0)), (W, BATCHES), INNER),
    "the same over both, along two axes": (jax.vmap(jax.grad(nested), (0, 1)), (WS, np.stack([BATCH, BATCH * 2], 1)), INNER),
    "the same under two vmaps": (jax.vmap(jax.vmap(jax.grad(nested), (0, None)), (None, 0)), (WS, BATCHES), INNER),
    "the same of a checkpoint under vmap": (jax.vmap(jax.grad(jax.checkpoint(nested)), (0, None)), (WS, BATCH), INNER),
    "the same pushed forward": (jax.hessian(nested), (W, BATCH), INNER),
    "jits in a scan, under vmap": (jax.vmap(jax.grad(jits_in_a_scan), (0, None)), (WS, XS), ["at_outer", "at_outer/at_a", "at_outer/at_b"]),
    "gradient through training, under vmap": (jax.vmap(jax.grad(trained), (0, None)), (WS, np.float32(0.1)), [""] * 5),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_scans_have_their_twins(name: str) -> None:
    fun, args, pairs = PROGRAMS[name]
    stepped = Stepped(fun, *args)
    assert stepped.wrong_links() == []
    assert sorted(stepped.pairs()) == [(each, each) for each in pairs]


def test_what_was_moved_is_followed_until_it_is_back() -> None:
    value = np.arange(24).reshape(2, 3, 4)
    once: tuple[int, ...] = _after((1, 2, 0), ())
    twice = _after((0, 2, 1), once)
    assert (value.transpose(twice) == value.transpose((0, 2, 1)).transpose(once)).all()
    assert _after((2, 0, 1), once) == ()
    assert _after((0, 1, 2), ()) == ()


@pytest.mark.parametrize("yes", [True, False])
def test_a_scan_in_a_branch_has_its_twin_in_the_same_branch(yes: bool) -> None:
    stepped = Stepped(jax.grad(branches), W, XS, yes)
    scans = [twin for twin in stepped.program["twins"] if stepped.eqn(twin["backward"])["primitive"] == "scan"]
    assert len(scans) == 2
    assert all(len(twin["residuals"]) >= 3 for twin in scans)
    assert stepped.wrong_links() == []
    run = [twin for twin in scans if twin["backward"] in stepped.marks]
    assert [stepped.marks[twin["forward"]] for twin in run] == [stepped.marks[twin["backward"]] for twin in run] == [(f"at_{yes}".lower(),)]


def test_residuals_of_a_cond_in_a_scan_go_through_the_scan() -> None:
    stepped = Stepped(jax.grad(cond_in_a_scan), W, XS)
    (twin,) = [twin for twin in stepped.program["twins"] if stepped.eqn(twin["backward"])["primitive"] == "cond"]
    assert len(twin["residuals"]) >= 3


def test_branches_that_are_chosen_from_are_not_paired_by_their_order() -> None:
    stepped = Stepped(jax.vmap(jax.grad(branches), (0, None, 0)), np.stack([W, W * 2]), XS, np.array([True, False]))
    assert all(forward == backward for forward, backward in stepped.pairs())


def test_scans_on_one_line_that_save_nothing_are_paired_by_their_order() -> None:
    def linear(xs: Any) -> Any:
        total = 0.0
        for number in range(3):
            with mark(f"at_{number}"):
                total += lax.scan(lambda c, x: (c * 0.5 + x, c), xs[0], xs)[1].sum() * number
        return total

    stepped = Stepped(jax.grad(linear), XS)
    assert sorted(stepped.pairs()) == [(f"at_{number}", f"at_{number}") for number in range(3)]


def gauss_newton(w: Any, xs: Any, v: Any) -> Any:
    _, push = jax.linearize(lambda w: rnn(w, xs)[1], w)
    _, pull = jax.vjp(lambda w: rnn(w, xs)[1], w)
    return pull(push(v))


def test_what_is_pushed_forward_is_not_what_was_saved() -> None:
    stepped = Stepped(gauss_newton, W, XS, W)
    (twin,) = stepped.program["twins"]
    assert stepped.eqn(twin["forward"])["operands"][0]["kind"] != "tangent"
    assert len(twin["residuals"]) == 3
    assert {stepped.eqn(twin["forward"])["results"][link["result"]]["kind"] for link in twin["residuals"]} == {"residual"}
    pulled = [operand["kind"] for operand in stepped.eqn(twin["backward"])["operands"] if operand["role"] == "xs"]
    assert sorted(pulled) == ["residual", "residual", "residual", "tangent"]
    assert Stepped(gauss_newton, W, XS, W, watched=False).program["twins"] == []


def test_two_rules_of_a_custom_vjp_are_no_twins_in_a_scan_either() -> None:
    run = jax.custom_vjp(lambda w, xs: rnn(w, xs)[0])

    def forward(w: Any, xs: Any) -> Any:
        h, hs = rnn(w, xs)
        return h, (w, xs, hs)

    def backward(saved: Any, g: Any) -> Any:
        w, xs, hs = saved
        (g, gw), gx = lax.scan(lambda c, hx: ((c[0] * w, c[1] + c[0] * hx[0]), c[0]), (g, w * 0), (hs, xs), reverse=True)
        return gw, gx

    run.defvjp(forward, backward)

    def total(w: Any, xs: Any) -> Any:
        with mark("at_outer"):
            return lax.scan(lambda c, x: (run(w * c, xs + x), c.sum()), w, xs)[1].sum()

    stepped = Stepped(jax.grad(total), W, XS)
    (twin,) = stepped.program["twins"]
    assert "/" not in twin["backward"]


def test_the_differentiation_that_was_applied_last_makes_the_pair() -> None:
    assert [transposition(forward, "TT") for forward in ("FT", "TF")] == [0, 1]
    assert transposition("FF", "FT") == 1


def test_levels_of_what_is_computed_again() -> None:
    assert [as_at_first(own) for own in ("TR", "TRF", "TRT", "F")] == ["T", "TF", "TT", "F"]


def test_the_work_grows_no_faster_than_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [0]
    opposite = _twins._opposite

    def counted(forward: Any, back: Any) -> bool:
        asked[0] += 1
        return opposite(forward, back)

    monkeypatch.setattr(_twins, "_opposite", counted)
    work = []
    for size in (600, 2400):
        asked[0] = 0
        serialize(blocks(size), text=False)
        work.append(asked[0])
    assert 0 < work[1] <= 5 * work[0]
