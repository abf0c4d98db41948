"""Roles and wiring of every primitive that nests jaxprs."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from tests.tracing import programs
from visualizer.model import Program
from visualizer.tracing._serialize import serialize

Dict = dict[str, Any]


def eqns_of(program: tuple[Any, Any], primitive: str) -> tuple[Dict, list[Dict]]:
    fun, args = program
    made = serialize(jax.make_jaxpr(fun)(*args)).program
    Program.model_validate(made)
    return made, [eqn for jaxpr in made["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] == primitive]


def wires(call: Dict) -> tuple[list[str], list[list[str]]]:
    return (
        [f"{wire['from']} {wire['index']}" for wire in call["inputs"]],
        [[f"{end['to']} {end['index']}" for end in ends] for ends in call["outputs"]],
    )


def test_scan() -> None:
    _, (eqn,) = eqns_of(programs.scan(), "scan")
    assert [operand["role"] for operand in eqn["operands"]] == ["const", "carry", "xs"]
    assert [result["role"] for result in eqn["results"]] == ["carry", "ys"]
    assert eqn["trips"] == 4
    (call,) = eqn["nested"]
    assert (call["param"], call["label"]) == ("jaxpr", "body")
    assert wires(call) == (["operand 0", "operand 1", "operand 2"], [["next 1", "result 0"], ["result 1"]])


def test_while() -> None:
    _, (eqn,) = eqns_of(programs.while_loop(), "while")
    assert [operand["role"] for operand in eqn["operands"]] == ["cond_const", "body_const", "carry", "carry"]
    assert [result["role"] for result in eqn["results"]] == ["carry", "carry"]
    body, condition = eqn["nested"]
    assert (condition["param"], condition["label"]) == ("cond_jaxpr", "cond")
    assert wires(condition) == (["operand 0", "operand 2", "operand 3"], [["predicate 0"]])
    assert (body["param"], body["label"]) == ("body_jaxpr", "body")
    assert wires(body) == (["operand 1", "operand 2", "operand 3"], [["next 1", "result 0"], ["next 2", "result 1"]])


def test_cond_has_the_false_branch_first() -> None:
    made, (eqn,) = eqns_of(programs.cond(), "cond")
    assert [operand["role"] for operand in eqn["operands"]] == ["index", "operand"]
    assert [(call["param"], call["label"]) for call in eqn["nested"]] == [("branches[0]", "false"), ("branches[1]", "true")]
    assert [[inner["primitive"] for inner in made["jaxprs"][call["jaxpr"]]["eqns"]] for call in eqn["nested"]] == [["mul"], ["sin"]]
    assert all(wires(call) == (["operand 1"], [["result 0"]]) for call in eqn["nested"])


def test_switch_numbers_its_branches() -> None:
    _, (eqn,) = eqns_of(programs.switch(), "cond")
    assert [call["label"] for call in eqn["nested"]] == ["branch 0", "branch 1", "branch 2"]


@pytest.mark.parametrize(
    ("program", "primitive", "param"),
    [
        (programs.jit, "jit", "jaxpr"),
        (programs.checkpoint, "remat2", "jaxpr"),
        (programs.custom_jvp, "custom_jvp_call", "call_jaxpr"),
        (programs.custom_vjp, "custom_vjp_call", "call_jaxpr"),
        (programs.shard_map, "shard_map", "jaxpr"),
    ],
)
def test_plain_calls_are_one_to_one(program: Any, primitive: str, param: str) -> None:
    _, (eqn,) = eqns_of(program(), primitive)
    (call,) = eqn["nested"]
    count = len(eqn["operands"])
    assert (call["param"], call["label"]) == (param, "body")
    assert wires(call) == ([f"operand {i}" for i in range(count)], [["result 0"]])


def test_shared_body_is_there_once() -> None:
    made, eqns = eqns_of(programs.shared_jit(), "jit")
    assert len(eqns) == 2
    assert len({call["jaxpr"] for eqn in eqns for call in eqn["nested"]}) == 1
    assert len(made["jaxprs"]) == 2


def test_linear_solve_runs_solve_alone() -> None:
    _, (eqn,) = eqns_of(programs.linear_solve(), "custom_linear_solve")
    calls = {call["label"]: call for call in eqn["nested"]}
    assert [call["param"] for call in eqn["nested"]] == ["jaxprs.matvec", "jaxprs.vecmat", "jaxprs.solve", "jaxprs.transpose_solve"]
    assert wires(calls["matvec"]) == (["operand 0", "inner 0"], [[]])
    assert wires(calls["vecmat"]) == (["operand 1", "inner 0"], [[]])
    assert wires(calls["solve"]) == (["operand 2"], [["result 0"]])
    assert wires(calls["transpose_solve"]) == (["inner 0"], [[]])


def test_reducer_takes_accumulator_then_element() -> None:
    _, (eqn,) = eqns_of(programs.reduce(), "reduce")
    (call,) = eqn["nested"]
    assert call["label"] == "reducer"
    assert wires(call) == (["operand 1", "operand 0"], [["next 0", "result 0"]])


def test_unknown_wiring_is_inner() -> None:
    _, (eqn,) = eqns_of(programs.scatter(), "scatter")
    (call,) = eqn["nested"]
    assert call["param"] == "update_jaxpr"
    assert {wire["from"] for wire in call["inputs"]} == {"inner"}


def test_pallas_index_maps_are_found_in_dataclasses() -> None:
    _, (eqn,) = eqns_of(programs.pallas(), "pallas_call")
    params = [call["param"] for call in eqn["nested"]]
    assert params == [
        "grid_mapping.block_mappings[0].index_map_jaxpr",
        "grid_mapping.block_mappings[1].index_map_jaxpr",
        "jaxpr",
    ]
    first, _, kernel = eqn["nested"]
    assert wires(first) == (["grid 0"], [[]])
    assert wires(kernel) == (["operand 0", "result 0"], [])
