"""The person's own names: from JAX, from assignments, through binders, from the forward to the backward."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from tests.tracing.naming import LESSON, LESSON_ARGS, Dict, binders, eqns, label, outputs, traced
from visualizer.tracing._serialize import serialize
from visualizer.tracing.source._targets import Targets


def results(program: Dict, eqn: Dict) -> list[str | None]:
    body = next(program["jaxprs"][call["jaxpr"]] for call in eqn["nested"] if call["label"] == "body")
    return [label(body, atom) for atom in body["outvars"]]


def test_training_scan_of_the_lesson() -> None:
    program = traced(LESSON, "train", LESSON_ARGS)
    ((top, scan),) = eqns(program, "scan")
    assert [(operand["role"], label(top, operand["atom"])) for operand in scan["operands"]] == [
        ("const", "lr"),
        ("carry", "w"),
        ("xs", "xs"),
        ("xs", "ys"),
    ]
    assert scan["trips"] == 6
    assert binders(program, scan) == ["lr", "w", "batch[0]", "batch[1]"]
    assert results(program, scan) == ["w", "loss"]
    assert [label(top, {"var": result["var"]}) for result in scan["results"]] == ["w", "loss"]


RNN = """
def loss(params, h0, xs):
    def cell(h, x):
        h = jnp.tanh(params["w"] * h + x)
        return h, h
    last, hs = jax.lax.scan(cell, h0, xs)
    total = jnp.sum(hs ** 2)
    return total + last
"""
RNN_ARGS = "({'w': jnp.float32(0.5)}, jnp.float32(0.0), jnp.ones(4))"


def test_assigned_names_reach_results_and_binders() -> None:
    program = traced(RNN, "loss", RNN_ARGS)
    ((top, scan),) = eqns(program, "scan")
    assert [label(top, operand["atom"]) for operand in scan["operands"]] == ["params['w']", "h0", "xs"]
    assert [label(top, {"var": result["var"]}) for result in scan["results"]] == ["last", "hs"]
    assert binders(program, scan) == ["params['w']", "h", "x"]
    ((body, tanh),) = eqns(program, "tanh")
    assert label(body, {"var": tanh["results"][0]["var"]}) == "h"
    ((top, total),) = eqns(program, "reduce_sum")
    assert label(top, {"var": total["results"][0]["var"]}) == "total"


NEWTON = """
def newton(target, guess):
    def unfinished(state):
        x, steps = state
        return (jnp.abs(x * x - target) > 1e-6) & (steps < 50)
    def improve(state):
        x, steps = state
        x = 0.5 * (x + target / x)
        return x, steps + 1
    return jax.lax.while_loop(unfinished, improve, (guess, 0))
"""


def test_a_carry_keeps_its_name_from_step_to_step_and_out_of_the_loop() -> None:
    program = traced(NEWTON, "newton", "(jnp.float32(2.0), jnp.float32(1.0))")
    ((_, loop),) = eqns(program, "while")
    condition, body = (program["jaxprs"][call["jaxpr"]] for call in sorted(loop["nested"], key=lambda call: call["label"] != "cond"))
    assert [condition["vars"][var]["label"] for var in condition["invars"]] == ["target", "state[0]", "state[1]"]
    assert [body["vars"][var]["label"] for var in body["invars"]] == ["target", "state[0]", "state[1]"]
    assert results(program, loop) == ["x", "state[1]"]
    assert outputs(program) == ["x", "state[1]"]


RETURNS = """
def loss(w, x):
    h = jnp.tanh(w * x)
    total = jnp.sum(jnp.where(h > 0, h, x))
    return total, {"most": jnp.max(h), "state": (w, h)}
def early(x, flag):
    a = jnp.sin(x) + 1; b = jnp.cos(x) + 1
    if flag:
        return a, b, a
    return a, (b, b), x
def swap(w, x):
    y = jnp.sin(w) * x
    z = y * 2
    return z, y
def pair(params, x):
    new, size = jax.tree.map(lambda p: p * x, params), jnp.sum(x) + 1
    return new, size
"""
ARGS = "(jnp.ones(3), jnp.ones(3))"


@pytest.mark.parametrize(
    ("fun", "args", "names"),
    [
        ("loss", ARGS, ["total", "result[1]['most']", "w", "h"]),
        ("jax.jit(loss)", ARGS, ["total", "result[1]['most']", "w", "h"]),
        ("jax.vmap(loss)", ARGS, ["total", "result[1]['most']", "w", "h"]),
        ("jax.grad(loss, has_aux=True)", ARGS, [None, "result[1]['most']", "w", "h"]),
        ("jax.value_and_grad(loss, has_aux=True)", ARGS, ["total", "result[0][1]['most']", "w", "h", None]),
        ("jax.grad(lambda w, x: loss(w, x)[0])", ARGS, [None]),
        ("jax.jit(jax.grad(lambda w, x: loss(w, x)[0]))", ARGS, [None]),
        ("jax.jacfwd(lambda w, x: loss(w, x)[0])", ARGS, [None]),
        ("jax.jacfwd(swap)", ARGS, [None, None]),
        ("lambda x: early(x, True)", "(1.0,)", ["a", "b", "a"]),
        ("lambda x: early(x, False)", "(1.0,)", ["a", "b", "b", "x"]),
        ("pair", "({'b': 1.0, 'w': 2.0}, jnp.ones(2))", ["new['b']", "new['w']", "size"]),
    ],
)
def test_what_a_function_returns_has_the_name_it_is_returned_by(fun: str, args: str, names: list[str | None]) -> None:
    assert outputs(traced(RETURNS, fun, args)) == names


def test_two_branches_name_a_result_where_they_agree() -> None:
    text = """
def f(x):
    def small(x):
        a = x * 2; b = x + 1
        return a, b
    def big(x):
        a = x / 2; c = x - 1
        return a, c
    return jax.lax.cond(x > 0, big, small, x)
"""
    assert outputs(traced(text, "f", "(1.0,)")) == ["a", None]


def test_names_are_carried_from_the_forward_to_the_backward() -> None:
    program = traced(RNN, "jax.grad(loss)", RNN_ARGS)
    (top, forward), (_, backward) = eqns(program, "scan")
    assert binders(program, forward) == ["params['w']", "h", "x"]
    assert [label(top, {"var": result["var"]}) for result in forward["results"][:2]] == ["last", "hs"]
    residuals = [operand for operand in backward["operands"] if operand["kind"] == "residual"]
    assert "h" in {label(top, operand["atom"]) for operand in residuals}
    assert "h" in binders(program, backward)
    carries = [operand for operand in backward["operands"] if operand["role"] == "carry"]
    assert not any("var" in operand["atom"] and label(top, operand["atom"]) for operand in carries)
    ((body, tanh),) = eqns(program, "tanh")
    assert label(body, {"var": tanh["results"][0]["var"]}) == "h"
    ((body, sub),) = eqns(program, "sub")
    assert label(body, {"var": sub["results"][0]["var"]}) is None
    gradient = program["jaxprs"][program["entry"]]["outvars"][0]
    assert label(program["jaxprs"][program["entry"]], gradient) == "result['w']"


def test_body_called_from_two_places_keeps_only_names_they_agree_on() -> None:
    text = """
double = jax.jit(lambda *values: [2 * value for value in values])
def f(a, b, c):
    d, = double(a * 1)
    e, = double(b * 1)
    return d, e
"""
    program = traced(text, "f", "(1., 2., 3.)")
    top = program["jaxprs"][program["entry"]]
    calls = [eqn for eqn in top["eqns"] if eqn["primitive"] == "jit"]
    assert [label(top, {"var": eqn["results"][0]["var"]}) for eqn in calls] == ["d", "e"]
    body = program["jaxprs"][calls[0]["nested"][0]["jaxpr"]]
    assert label(body, body["outvars"][0]) is None


def test_same_line_in_a_loop_names_each_value() -> None:
    text = "def f(x):\n    for _ in range(3):\n        x = jnp.sin(x)\n    return x\n"
    program = traced(text, "f", "(1.,)")
    top = program["jaxprs"][program["entry"]]
    assert [top["vars"][eqn["results"][0]["var"]]["label"] for eqn in top["eqns"]] == ["x", "x", "x"]


def test_without_a_source_there_are_jaxs_names_alone() -> None:
    program = serialize(jax.make_jaxpr(lambda a, b: a + b["k"])(1.0, {"k": 2.0})).program
    top = program["jaxprs"][program["entry"]]
    assert [top["vars"][var]["label"] for var in top["invars"]] == ["a", "b['k']"]
    assert top["eqns"][0]["span"] is None


@pytest.mark.parametrize(
    ("text", "place", "results", "names"),
    [
        ("h = f(x)", (1, 4, 1, 8), 1, ("h",)),
        ("a, b = f(x)", (1, 7, 1, 11), 2, ("a", "b")),
        ("(a, _), b.c = f(x)", (1, 14, 1, 18), 3, ("a", None, "b.c")),
        ("a, b = f(x)", (1, 7, 1, 11), 3, None),
        ("a, b = f(x), g(y)", (1, 13, 1, 17), 1, ("b",)),
        ("h: float = f(x)", (1, 11, 1, 15), 1, ("h",)),
        ("g((h := f(x)))", (1, 8, 1, 12), 1, ("h",)),
        ("h += x", (1, 0, 1, 6), 1, ("h",)),
        ("é = f(x)", (1, 5, 1, 9), 1, ("é",)),
        ("h = f(x)", (2, 0, 2, 1), 1, None),
    ],
)
def test_targets(text: str, place: tuple[int, int, int, int], results: int, names: Any) -> None:
    assert Targets(text).at(place, results) == names


def test_parameters_of_a_step_function() -> None:
    targets = Targets("def step(h, x):\n    pass\nf = lambda c, t: c\ng = lambda a: a, lambda b: b\ndef star(*a): pass\n")
    assert targets.parameters("step", 1) == ["h", "x"]
    assert targets.parameters("<lambda>", 3) == ["c", "t"]
    assert not targets.parameters("<lambda>", 4)
    assert targets.parameters("star", 5) is None


def test_text_that_does_not_parse_names_nothing() -> None:
    assert not Targets("def (")
    assert not Targets("x\0")


RETURNED = """
def rnn(w, h0, xs):
    def step(h, x):
        h = jnp.tanh(w @ h + x)
        return h, h.sum()
    return jax.lax.scan(step, h0, xs)

def loss(w, h0, xs):
    return rnn(w, h0, xs)[1].mean()
"""


def test_a_scan_that_is_returned_and_not_assigned_knows_its_step() -> None:
    program = traced(RETURNED, "jax.grad(loss)", "(jnp.eye(3), jnp.zeros(3), jnp.ones((7, 3)))")
    (_, forward), (_, backward) = eqns(program, "scan")
    assert binders(program, forward) == ["w", "h", "x"]
    assert binders(program, backward)[0] == "w"
    assert "h0" not in binders(program, backward)


def test_the_first_of_many_carries_does_not_name_them_all() -> None:
    text = """
def f(start, xs):
    def step(*both):
        return both[0] + both[1], both[0]
    return jax.lax.scan(step, start, xs)[0] * start
"""
    program = traced(text, "jax.grad(lambda s, x: f(s, x).sum())", "(jnp.float32(1.0), jnp.ones(3))")
    _, forward = eqns(program, "scan")[0]
    assert "start" not in binders(program, forward)
