"""The checker: it agrees with every way of nesting a jaxpr and with generated programs, and sees each kind of wrong that is planted."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import jax
import pytest
from hypothesis import given, settings

from tests.generated import programs as generated
from tests.peer.check import check_program
from tests.tracing import kernels, programs
from visualizer.model import Program
from visualizer.tracing import serialize

Dict = dict[str, Any]
EVERY_WAY = [
    (home, name)
    for home in (programs, kernels)
    for name, made in vars(home).items()
    if callable(made) and getattr(made, "__module__", "") == home.__name__ and name != "loss" and name[0] != "_"
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("home", "name"), EVERY_WAY, ids=[name for _, name in EVERY_WAY])
def test_every_way_of_nesting_agrees(home: Any, name: str) -> None:
    fun, args = getattr(home, name)()
    closed = jax.make_jaxpr(fun)(*args)
    assert check_program(closed, serialize(closed)) == []


@settings(max_examples=40)
@given(generated())
def test_generated_programs_agree(program: Any) -> None:
    closed = jax.make_jaxpr(program.fun)(*program.args)
    assert check_program(closed, serialize(closed)) == []


def _first(wire: Dict, primitive: str) -> Dict:
    return next(eqn for jaxpr in wire["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] == primitive)


def _by_two(wire: Dict) -> Dict:
    muls = (eqn for jaxpr in wire["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] == "mul")
    return next(eqn for eqn in muls if "literal" in eqn["operands"][1]["atom"])


def _swap_inputs(wire: Dict) -> None:
    inputs = _first(wire, "scan")["nested"][0]["inputs"]
    inputs[0], inputs[-1] = inputs[-1], inputs[0]


def _swap_alike(wire: Dict) -> None:
    inputs = _first(wire, "jit")["nested"][0]["inputs"]
    inputs[0], inputs[1] = inputs[1], inputs[0]


def _set(place: Callable[[Dict], Dict], **values: Any) -> Callable[[Dict], None]:
    return lambda wire: place(wire).update(values)


def _drop_eqn(wire: Dict) -> None:
    wire["jaxprs"]["j1"]["eqns"].pop()


def _another_body(wire: Dict) -> None:
    _first(wire, "scan")["nested"][0]["jaxpr"] = _first(wire, "jit")["nested"][0]["jaxpr"]


def _cut_text(wire: Dict) -> None:
    wire["texts"]["jaxpr"]["text"] += " "


PLANTED: dict[str, tuple[Callable[[Dict], None], str]] = {
    "an equation lost": (_drop_eqn, "equations, JAX has"),
    "a role": (_set(lambda wire: _first(wire, "scan")["operands"][0], role="carry"), "have the roles"),
    "operands swapped": (_swap_inputs, "is wired to"),
    "operands of one type swapped": (_swap_alike, "by our wiring"),
    "a carry that goes nowhere": (_set(lambda wire: _first(wire, "scan")["nested"][0], outputs=[[], []]), "depends on the operands"),
    "a primitive": (_set(lambda wire: _first(wire, "sin"), primitive="cos"), "primitive 'cos'"),
    "an aval": (_set(lambda wire: wire["jaxprs"]["j0"]["vars"]["v0"], aval="f32[3]"), "aval 'f32[3]'"),
    "a literal": (_set(lambda wire: _by_two(wire)["operands"][1]["atom"], literal="3.0"), "JAX says {'literal': '2.0'"),
    "an unused result": (_set(lambda wire: _first(wire, "scan")["results"][0], used=True), "used is True"),
    "a trip count": (_set(lambda wire: _first(wire, "scan"), trips=3), "trips 3"),
    "the text": (_cut_text, "differs from str(closed)"),
    "a body": (_another_body, "is two jaxprs"),
    "a param": (lambda wire: _first(wire, "scan")["params"].pop(), "params ["),
}


@pytest.mark.parametrize("kind", PLANTED)
def test_what_is_planted_is_found(kind: str) -> None:
    def fun(k: Any, c: Any, xs: Any, p: Any) -> Any:
        a, b = jax.jit(lambda c, k: (c * k, k + p))(c, k)
        _, ys = jax.lax.scan(lambda c, x: (c + b * x[0], c * a), c, xs)
        return jax.jit(lambda y: jax.numpy.sin(y) * 2.0)(ys)

    closed = jax.make_jaxpr(fun)(1.0, 2.0, jax.numpy.ones((4, 2)), 3.0)
    wire = serialize(closed).model_dump(mode="json", by_alias=True)
    assert check_program(closed, Program.model_validate(wire)) == []
    plant, said = PLANTED[kind]
    wrong = copy.deepcopy(wire)
    plant(wrong)
    assert any(said in reason for reason in check_program(closed, Program.model_validate(wrong), back=False))


def test_the_checker_uses_nothing_of_the_package_but_what_is_public() -> None:
    names = {name for module in ("check", "walk", "wiring") for name in vars(sys.modules[f"tests.peer.{module}"])}
    assert not {"jaxprs_in", "roles", "wire", "print_program"} & names
