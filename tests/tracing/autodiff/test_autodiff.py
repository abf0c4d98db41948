"""Twins, kinds and linear operands: what differentiation made of a program."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.tracing import programs
from visualizer.model import Program
from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff._autodiff import explain
from visualizer.tracing.autodiff._levels import leaves, levels, saves, transposition
from visualizer.tracing.autodiff._origins import Origins

Dict = dict[str, Any]
W, XS = np.float32(0.5), np.arange(4, dtype=np.float32)


def traced(fun: Any, *args: Any) -> Dict:
    made = serialize(jax.make_jaxpr(fun)(*args)).program
    Program.model_validate(made)
    return made


def at(program: Dict, path: str) -> Dict:
    """The equation that an instance path ends at."""
    name = path.rsplit("/", 1)[-1].split(":")[0]
    return next(eqn for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["id"] == name)


def reverse(eqn: Dict) -> str:
    return next(param["text"] for param in eqn["params"] if param["name"] == "reverse")


def scans(program: Dict) -> list[Dict]:
    return [twin for twin in program["twins"] if at(program, twin["backward"])["primitive"] == "scan"]


def stack(*names: str) -> list[Dict]:
    return [{"kind": "scope" if name.islower() and name.startswith("s_") else "transform", "name": name} for name in names]


@pytest.mark.parametrize(
    ("names", "around", "expected"),
    [
        (("jvp",), "", "F"),
        (("transpose", "jvp"), "", "T"),
        (("vmap", "jvp", "vmap", "transpose", "jvp"), "", "FT"),
        (("s_outer", "transpose", "s_outer", "jvp"), "", "T"),
        (("transpose",), "", "T"),
        (("vmap",), "", ""),
        ((), "TF", "TF"),
    ],
)
def test_levels(names: tuple[str, ...], around: str, expected: str) -> None:
    assert levels(stack(*names), around) == expected


def test_levels_of_a_recomputation() -> None:
    again = [{"kind": "scope", "name": "rematted_computation"}]
    assert levels(again, "T") == "TR"
    assert levels(again, "") == ""


def test_residuals_are_saved_by_one_side_for_the_other() -> None:
    assert saves("F", "T")
    assert saves("FF", "FT")
    assert saves("FF", "TF")
    assert saves("TR", "T")
    assert not saves(None, "T")
    assert not saves("", "T")
    assert not saves("T", "T")
    assert not saves("F", "FT")


def test_gradients_leave_the_transposed_side() -> None:
    assert leaves("T", "")
    assert leaves("FT", "F")
    assert not leaves("T", "T")
    assert not leaves("FT", "TT")


def test_pairs_differ_in_one_differentiation() -> None:
    assert transposition("F", "T") == 0
    assert transposition("FT", "TT") == 0
    assert transposition("FF", "TF") == 0
    assert transposition("F", "TT") is None
    assert transposition("F", "TF") is None
    assert transposition("F", "TF", relaxed=True) == 0


def test_gradient_of_a_scan_is_a_twin() -> None:
    program = traced(jax.grad(programs.loss), W, XS)
    (twin,) = program["twins"]
    forward, backward = at(program, twin["forward"]), at(program, twin["backward"])
    assert (reverse(forward), reverse(backward)) == ("False", "True")
    assert forward["trips"] == backward["trips"] == 4
    assert twin["recomputed"] is None
    for link in twin["residuals"]:
        operand = backward["operands"][link["operand"]]
        assert operand["atom"]["var"] == forward["results"][link["result"]]["var"]
        assert operand["kind"] == forward["results"][link["result"]]["kind"] == "residual"
        assert operand["role"] == "xs"
    assert len(twin["residuals"]) == 3
    assert {operand["kind"] for operand in backward["operands"] if operand["role"] == "carry"} == {"cotangent"}
    assert all(result["kind"] == "cotangent" for result in backward["results"])


def test_input_that_both_sides_read_is_no_residual() -> None:
    program = traced(jax.grad(programs.loss), W, XS)
    top = program["jaxprs"][program["entry"]]
    kinds = {operand["kind"] for eqn in top["eqns"] for operand in eqn["operands"] if operand["atom"].get("var") in top["invars"]}
    assert kinds == {None}


def test_linear_operands_of_the_lesson() -> None:
    def total(w: Any, xs: Any) -> Any:
        last, _ = jax.lax.scan(lambda c, x: (c * x + w, c), 1.0, xs)
        return last

    program = traced(jax.grad(total), W, XS)
    (twin,) = program["twins"]
    forward, backward = at(program, twin["forward"]), at(program, twin["backward"])
    assert [operand["linear"] for operand in forward["operands"]] == [{"value": False, "derived": True}] * 3
    assert [operand["linear"]["value"] for operand in backward["operands"]] == [True, True, False]
    assert [operand["role"] for operand in backward["operands"]] == ["carry", "carry", "xs"]
    assert [operand["kind"] for operand in backward["operands"]] == ["cotangent", "cotangent", None]


def test_jitted_loss_has_its_scans_in_two_bodies() -> None:
    program = traced(jax.value_and_grad(jax.jit(programs.loss)), W, XS)
    (twin,) = scans(program)
    assert [len(twin[side].split("/")) for side in ("forward", "backward")] == [2, 2]
    assert twin["forward"].split("/")[0] != twin["backward"].split("/")[0]
    assert len(twin["residuals"]) == 3
    backward = at(program, twin["backward"])
    assert [backward["operands"][link["operand"]]["kind"] for link in twin["residuals"]] == ["residual"] * 3
    (calls,) = [other for other in program["twins"] if other is not twin]
    assert (at(program, calls["forward"])["primitive"], at(program, calls["backward"])["primitive"]) == ("jit", "jit")


def test_checkpoint_computes_the_forward_again() -> None:
    program = traced(jax.value_and_grad(jax.checkpoint(programs.loss)), W, XS)
    (twin,) = scans(program)
    again = at(program, twin["recomputed"])
    assert twin["recomputed"].split("/")[0] == twin["backward"].split("/")[0] != twin["forward"].split("/")[0]
    assert reverse(again) == reverse(at(program, twin["forward"])) == "False"
    backward = at(program, twin["backward"])
    for link in twin["residuals"]:
        assert backward["operands"][link["operand"]]["atom"]["var"] == again["results"][link["result"]]["var"]
    assert twin["residuals"]


def test_vmapped_gradient_has_a_twin() -> None:
    program = traced(jax.vmap(jax.grad(programs.loss), in_axes=(None, 0)), W, np.ones((3, 4), np.float32))
    (twin,) = program["twins"]
    assert len(twin["residuals"]) >= 2


def test_gradient_of_a_gradient_has_three_pairs() -> None:
    program = traced(jax.grad(lambda w: jax.grad(programs.loss)(w, XS)), W)
    found = {(twin["forward"], twin["backward"]) for twin in program["twins"]}
    first = next(twin["forward"] for twin in program["twins"] if reverse(at(program, twin["forward"])) == "False")
    middle = [backward for forward, backward in found if forward == first]
    assert len(found) == 3
    assert len(middle) == 2
    assert any(forward in middle for forward, _ in found)


def test_two_scans_on_one_line_pair_by_the_values_between_them() -> None:
    def run(h: Any, xs: Any) -> Any:
        return jax.lax.scan(lambda h, x: (jnp.sin(h * x), None), h, xs)[0]

    program = traced(jax.grad(lambda h: run(run(h, XS), XS)), W)
    top = program["jaxprs"][program["entry"]]
    order = [eqn["id"] for eqn in top["eqns"] if eqn["primitive"] == "scan"]
    assert [(twin["forward"], twin["backward"]) for twin in program["twins"]] == [(order[1], order[2]), (order[0], order[3])]


def test_forward_mode_has_no_twins_and_no_cotangents() -> None:
    program = traced(lambda w, t: jax.jvp(lambda w: programs.loss(w, XS), (w,), (t,)), W, W)
    assert program["twins"] == []
    ends = [end for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] for end in (*eqn["operands"], *eqn["results"])]
    assert {end["kind"] for end in ends} == {None}


def test_explicit_cotangent_is_found_where_it_comes_in() -> None:
    program = traced(lambda w, ct: jax.vjp(jnp.sin, w)[1](ct), W, np.float32(2))
    top = program["jaxprs"][program["entry"]]
    marked = [operand["atom"]["var"] for eqn in top["eqns"] for operand in eqn["operands"] if operand["kind"] == "cotangent"]
    assert top["invars"][1] in marked
    assert top["invars"][0] not in marked


def test_helper_of_a_custom_rule_is_no_cotangent() -> None:
    @jax.custom_vjp
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (g * jnp.cos(x),))
    program = traced(jax.grad(f), W)
    (cos,) = [eqn for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] == "cos"]
    (mul,) = [eqn for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] == "mul"]
    assert cos["results"][0]["kind"] is None
    assert [operand["kind"] for operand in mul["operands"]] == ["cotangent", None]
    assert mul["results"][0]["kind"] == "cotangent"


def test_body_that_both_sides_call_keeps_no_kind_they_disagree_on() -> None:
    double = jax.jit(lambda x: x * 2.0)

    @jax.custom_vjp
    def f(x: Any) -> Any:
        return double(x)

    f.defvjp(lambda x: (double(x), None), lambda _, g: (double(g),))
    program = traced(jax.value_and_grad(f), W)
    calls = [eqn for eqn in program["jaxprs"][program["entry"]]["eqns"] if eqn["primitive"] == "jit"]
    shared = calls[0]["nested"][0]["jaxpr"]
    calls[1]["nested"][0]["jaxpr"] = shared  # JAX traced it twice; the bodies are equal
    for jaxpr in program["jaxprs"].values():
        for eqn in jaxpr["eqns"]:
            for end in (*eqn["operands"], *eqn["results"]):
                end["kind"] = None
    explain(Origins(program["jaxprs"]), program["entry"], lambda _: None, True)
    (mul,) = program["jaxprs"][shared]["eqns"]
    assert [end["kind"] for end in (*mul["operands"], *mul["results"])] == [None, None, None]
    assert calls[1]["results"][0]["kind"] == "cotangent"
