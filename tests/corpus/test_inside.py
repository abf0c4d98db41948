"""What stands inside one call is compared as a whole; whatever is not one call of all inputs and outputs is not looked into."""

from __future__ import annotations

import copy

import pytest

from . import inside
from .test_compare import PROGRAM, TRUTH


def called(program: dict) -> dict:
    """The program whose one equation calls another."""
    inner = program["jaxprs"][program["entry"]]
    binders, given = list(inner["invars"]), [inner["vars"][atom["var"]] for atom in inner["outvars"]]
    top = {
        "constvars": [],
        "invars": [f"a{i}" for i in range(len(binders))],
        "outvars": [{"var": f"r{i}"} for i in range(len(given))],
        "vars": {
            **{f"a{i}": {**inner["vars"][var]} for i, var in enumerate(binders)},
            **{f"r{i}": {**var, "label": None} for i, var in enumerate(given)},
        },
        "eqns": [
            {
                "primitive": "jit",
                "operands": [{"atom": {"var": f"a{i}"}, "role": "arg"} for i in range(len(binders))],
                "results": [{"var": f"r{i}", "aval": var["aval"], "used": True, "role": "result"} for i, var in enumerate(given)],
                "nested": [
                    {
                        "param": "jaxpr",
                        "jaxpr": program["entry"],
                        "inputs": [{"from": "operand", "index": i} for i in range(len(binders))],
                        "outputs": [[{"to": "result", "index": i}] for i in range(len(given))],
                    }
                ],
                "effects": [],
                "stack": [],
            }
        ],
    }
    return {**program, "entry": "top", "jaxprs": {**program["jaxprs"], "top": top}}


def recorded(truth: dict) -> dict:
    """The truth of the program whose one equation calls another."""
    inner = truth["bodies"][0]
    operands, results = [["arg", aval] for aval in inner["invars"]], [["result", var["aval"]] for var in inner["outvars"]]
    top = {
        **inner,
        "num_eqns": 1,
        "primitives": ["jit"],
        "unused_eqn_outputs": [],
        "literal_operands": [],
        "outvars": [{"aval": var["aval"], "from_eqn": [0, k]} for k, var in enumerate(inner["outvars"])],
        "name_stacks": {},
        "calls": [{"eqn": 0, "primitive": "jit", "operands": operands, "results": results, "bodies": ["top/0:jit.jaxpr"]}],
    }
    return {
        **truth,
        "total_eqns": truth["total_eqns"] + 1,
        "max_depth": truth["max_depth"] + 1,
        "num_bodies": truth["num_bodies"] + 1,
        "primitive_counts": {**truth["primitive_counts"], "jit": 1},
        "bodies": [top, {**inner, "path": "top/0:jit.jaxpr"}],
    }


def test_a_program_agrees_with_what_it_calls_and_with_what_calls_it():
    assert inside.agrees(called(PROGRAM), TRUTH)
    assert inside.agrees(PROGRAM, recorded(TRUTH))
    assert not inside.agrees(PROGRAM, TRUTH)  # that is agreement itself, which is not looked for here


def _other_primitive(inner):
    inner["eqns"][0]["primitive"] = "add"


def _other_number(inner):
    inner["eqns"][0]["operands"][1]["atom"]["literal"] = "3.0"


def _other_name(inner):
    inner["vars"]["v0"]["label"] = "y"


def _unused(inner):
    inner["eqns"][0]["results"][0]["used"] = False


@pytest.mark.parametrize("change", [_other_primitive, _other_number, _other_name, _unused])
def test_a_wrong_body_is_refused_in_both_ways(change):
    program = copy.deepcopy(PROGRAM)
    change(program["jaxprs"]["j0"])
    assert not inside.agrees(called(program), TRUTH)
    assert not inside.agrees(program, recorded(TRUTH))


@pytest.mark.parametrize(
    "change",
    [
        lambda top: top["eqns"].append(top["eqns"][0]),
        lambda top: top["eqns"][0].update(primitive="scan"),
        lambda top: top["eqns"][0]["operands"].__setitem__(0, {"atom": {"literal": "1.0", "aval": "f32[3]"}, "role": "arg"}),
        lambda top: top["invars"].append("more"),
        lambda top: top["outvars"].append(top["outvars"][0]),
        lambda top: top["constvars"].append("c"),
        lambda top: top["eqns"][0].update(effects=["IO"]),
        lambda top: top["eqns"][0]["nested"][0]["inputs"].__setitem__(0, {"from": "inner", "index": 0}),
        lambda top: top["eqns"][0]["nested"][0]["outputs"].__setitem__(0, []),
    ],
)
def test_what_is_more_than_one_call_is_not_looked_into(change):
    program = copy.deepcopy(called(PROGRAM))
    change(program["jaxprs"]["top"])
    assert inside.inside_call(program) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda top: top.update(num_eqns=2),
        lambda top: top["calls"][0].update(primitive="cond"),
        lambda top: top["calls"][0]["operands"].append(["arg", "f32[3]"]),
        lambda top: top["outvars"][0].update(from_eqn=[0, 1]),
        lambda top: top["outvars"].__setitem__(0, {"aval": "f32[3]", "passthrough_of": ["in", 0]}),
        lambda top: top.update(constvars=["f32[3]"]),
    ],
)
def test_a_truth_that_is_more_than_one_call_is_not_looked_into(change):
    truth = copy.deepcopy(recorded(TRUTH))
    change(truth["bodies"][0])
    assert inside.inside_truth(truth) is None


def test_two_operands_of_one_type_could_change_places():
    truth = copy.deepcopy(recorded(TRUTH))
    for body in truth["bodies"]:
        body["invars"] = ["f32[3]", "f32[3]"]
    truth["bodies"][0]["calls"][0]["operands"] = [["arg", "f32[3]"], ["arg", "f32[3]"]]
    assert inside.inside_truth(truth) is None
