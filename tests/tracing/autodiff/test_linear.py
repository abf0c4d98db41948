"""The `linear` flags of scans are those that JAX 0.6.0, one of the versions that still had them, printed for the same programs."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from tests.tracing.differentiated import PROGRAMS
from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff._linear import ADD, COTANGENT, MIXED, NEITHER, TANGENT, UNKNOWN, ZERO, joined, result_of
from visualizer.tracing.autodiff._linear_flags import forward_modes, sides
from visualizer.tracing.autodiff._observed import observing

Dict = dict[str, Any]
# Of each scan of a program: direction, num_consts, num_carry, and the flags. Written by JAX 0.6.0. Two programs whose scans
# it traced otherwise (other residuals) are left out.
PRINTED = {
    "grad_of_a_scan": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "grad_of_a_jitted_loss": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "jitted_value_and_grad": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "checkpointed_loss": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "checkpointed_cell": ["forward 1 1 FFF", "reverse 1 2 FTTFF"],
    "checkpoint_with_a_policy": ["forward 1 1 FFF", "reverse 1 2 FTTFFF"],
    "several_losses": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF", "reverse 1 2 FTTFF"],
    "one_loss_twice": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "loss_of_two_scans": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "scan_in_a_scan": ["forward 2 1 FFFF", "reverse 1 2 FTTTFF", "reverse 1 2 FTTFF"],
    "scan_in_a_cond": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "cond_in_a_scan": ["forward 1 1 FFF", "reverse 0 2 TTTFFFF"],
    "scan_in_a_custom_rule": ["forward 1 1 FFF", "reverse 1 1 FFFF"],
    "scanned_transformer": ["forward 0 1 FFFFF", "reverse 0 1 TFFFFFFFFFFFFFFFFFFFFFFFF"],
    "checkpointed_transformer": ["forward 0 1 FFFFF", "reverse 0 1 TFFFFF"],
    "training_step": ["forward 1 1 FFFF"],
    "vmapped_gradient": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "vmapped_over_the_last_axis": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "gradient_of_a_vmap": ["forward 1 1 FFF", "reverse 1 2 FTTTFFF"],
    "hessian": ["forward 2 2 FTFTF", "reverse 2 4 FTTTTTTFFFTTTT"],
    "reverse_over_forward": ["forward 2 2 FFFFF", "reverse 2 3 FFTTTTTFFFFFFF"],
    "gradient_of_a_gradient": ["forward 1 1 FFF", "reverse 1 2 FFFFFFF", "forward 1 3 FTTTFFFFFF", "reverse 1 2 FTTTTTTFFF"],
    "mapped": ["forward 1 0 FF", "reverse 0 1 TTFF"],
    "static_fori": ["forward 2 2 FFFF", "reverse 1 2 FTTFF"],
}  # fmt: skip
# The person's own scan inside of a rule for the backward pass: that it is not the transpose of another does not follow.
UNDECIDED = {"scan_in_a_custom_rule"}


def found(name: str, *, watched: bool) -> list[str]:
    """The scans of a program as PRINTED has them, `?` where we do not say."""
    fun, args, _ = PROGRAMS[name]()
    jax.clear_caches()
    if watched:
        with observing():
            closed = jax.make_jaxpr(fun)(*args)
    else:
        closed = jax.make_jaxpr(fun)(*args)
    scans = []
    for jaxpr in serialize(closed).program["jaxprs"].values():
        for eqn in jaxpr["eqns"]:
            if eqn["primitive"] == "scan":
                params = {param["name"]: param["text"] for param in eqn["params"]}
                flags = "".join("?" if operand["linear"] is None else "FT"[operand["linear"]["value"]] for operand in eqn["operands"])
                assert all(operand["linear"] is None or operand["linear"]["derived"] for operand in eqn["operands"])
                direction = "reverse" if params["reverse"] == "True" else "forward"
                scans.append(f"{direction} {params['num_consts']} {params['num_carry']} {flags}")
    return scans


@pytest.mark.parametrize("name", PRINTED)
def test_as_jax_printed_it(name: str) -> None:
    scans = found(name, watched=True)
    assert scans
    if name in UNDECIDED:
        assert all("T" not in scan for scan in scans)
    else:
        assert set(scans) <= set(PRINTED[name])


def test_unwatched_says_nothing_of_tangents() -> None:
    assert all(set(scan.split()[-1]) == {"?"} for scan in found("hessian", watched=False))


def test_unwatched_gradients_are_as_printed() -> None:
    for name in ("grad_of_a_scan", "gradient_of_a_gradient", "scan_in_a_scan", "reverse_over_forward"):
        assert set(found(name, watched=False)) <= set(PRINTED[name])


def test_other_loops_have_no_flags() -> None:
    closed = jax.make_jaxpr(lambda x: jax.lax.while_loop(lambda c: c < 3.0, lambda c: c + 1, x))(0.0)
    program = serialize(closed).program
    (loop,) = program["jaxprs"][program["entry"]]["eqns"]
    assert [operand["linear"] for operand in loop["operands"]] == [None]


@pytest.mark.parametrize(("own", "transposed", "outer"), [("FT", "FT", 1), ("FT", "TF", 0), ("FF", "", 2), ("T", "T", 0), ("", "", 0)])
def test_forward_modes(own: str, transposed: str, outer: int) -> None:
    assert forward_modes(own, sides({transposed, own} if transposed else {own})) == outer


@pytest.mark.parametrize(
    ("primitive", "states", "result"),
    [
        ("mul", (COTANGENT, NEITHER), COTANGENT),
        ("mul", (COTANGENT, COTANGENT), MIXED),
        ("mul", (COTANGENT, TANGENT), TANGENT),
        ("mul", (ZERO, COTANGENT), ZERO),
        ("mul", (COTANGENT, MIXED), MIXED),
        ("div", (NEITHER, COTANGENT), MIXED),
        ("div", (TANGENT, UNKNOWN), TANGENT),
        ("add", (COTANGENT, NEITHER), MIXED),
        ("add", (COTANGENT, COTANGENT), COTANGENT),
        (ADD, (COTANGENT, UNKNOWN), COTANGENT),
        ("sin", (COTANGENT,), MIXED),
        ("sin", (UNKNOWN,), NEITHER),
        ("select_n", (NEITHER, COTANGENT, ZERO), COTANGENT),
        ("select_n", (MIXED, COTANGENT, ZERO), MIXED),
        ("concatenate", (ZERO, ZERO), ZERO),
        ("clamp", (NEITHER, COTANGENT, NEITHER), MIXED),
        ("an_unheard_of_primitive", (COTANGENT,), MIXED),
    ],
)
def test_what_a_primitive_makes_of_a_cotangent(primitive: str, states: tuple[int, ...], result: int) -> None:
    assert result_of(primitive, states) == result


def test_joined() -> None:
    assert joined(COTANGENT, ZERO) == COTANGENT
    assert joined(COTANGENT, UNKNOWN) == MIXED
    assert joined(NEITHER, UNKNOWN) == UNKNOWN
