"""A program that is one call of another: what stands inside the call, compared as a whole.

`jax.jit(f)(x)` is the program with one equation, a call of the program of `f`. Which of the two a case recorded, and which a paste shows,
are two questions. Where the one call takes all the inputs, in order, and gives all the outputs, in order, they are one program.

Nothing here leaves out a difference: what does not have exactly this form is returned as it is not, None.
"""

from __future__ import annotations

from typing import Any

from . import compare

Json = dict[str, Any]
CALLS = ("jit", "pjit", "closed_call", "core_call", "call")


def agrees(program: Json, truth: Json) -> bool:
    """Whether the truth is what stands inside the one call of the program, or the program what stands inside the one call of the truth."""
    called, recorded = inside_call(program), inside_truth(truth)
    if called is not None and not compare.whole_program(called, truth):
        return True
    return recorded is not None and not compare.whole_program(program, recorded)


def inside_call(program: Json) -> Json | None:
    """The program that `program` calls, where it does nothing else."""
    top = program["jaxprs"][program["entry"]]
    if len(top["eqns"]) != 1 or top["constvars"]:
        return None
    (eqn,) = top["eqns"]
    operands, results = [operand["atom"] for operand in eqn["operands"]], [{"var": result["var"]} for result in eqn["results"]]
    if eqn["primitive"] not in CALLS or len(eqn["nested"]) != 1 or eqn["effects"]:
        return None
    if operands != [{"var": var} for var in top["invars"]] or results != top["outvars"]:
        return None
    (call,) = eqn["nested"]
    straight = (
        [{"from": "operand", "index": i} for i in range(len(operands))],
        [[{"to": "result", "index": i}] for i in range(len(results))],
    )
    if (call["inputs"], call["outputs"]) != straight:
        return None
    return {**program, "entry": call["jaxpr"]}


def inside_truth(truth: Json) -> Json | None:
    """The same of a recorded truth: that of the program which its one equation calls."""
    top = next((body for body in truth["bodies"] if body["path"] == "top"), None)
    if truth.get("truncated") or top is None or top["num_eqns"] != 1 or top["constvars"] or len(top["calls"]) != 1:
        return None
    (call,) = top["calls"]
    if call["primitive"] not in CALLS or len(call["bodies"]) != 1:
        return None
    inner = next((body for body in truth["bodies"] if body["path"] == call["bodies"][0]), None)
    if inner is None or inner["constvars"] or top["literal_operands"]:
        return None
    given = [outvar.get("from_eqn") for outvar in top["outvars"]]
    if given != [[0, k] for k in range(len(given))] or len(call["results"]) != len(given) or len(inner["outvars"]) != len(given):
        return None
    # The truth has the operands by type alone: two of one type could change places.
    types = [text for _, text in call["operands"]]
    if not types == top["invars"] == inner["invars"] or len(set(types)) != len(types):
        return None
    counts = dict(truth["primitive_counts"])
    counts[call["primitive"]] -= 1
    return {
        **truth,
        "total_eqns": truth["total_eqns"] - 1,
        "max_depth": truth["max_depth"] - 1,
        "num_bodies": truth["num_bodies"] - 1,
        "primitive_counts": {name: count for name, count in counts.items() if count},
        "in_avals": inner["invars"],
        "out_avals": [outvar["aval"] for outvar in inner["outvars"]],
        "bodies": [
            {**body, "path": "top" + body["path"][len(inner["path"]) :], "calls": [_moved(call, inner["path"]) for call in body["calls"]]}
            for body in truth["bodies"]
            if body is not top
        ],
    }


def _moved(call: Json, inner: str) -> Json:
    return {**call, "bodies": ["top" + path[len(inner) :] for path in call["bodies"]]} if "bodies" in call else call
