"""Answers in parts: cut, packed, and put together again as they were."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.model import LevelMessage, merge_messages
from visualizer.model.parts import Template, each_row, in_parts, put_in, unpacked
from visualizer.model.parts._cut import IN_A_PART, KEPT, SMALL
from visualizer.model.parts._rows import Packer, unpack_rows

IDS = st.from_regex(r"\A[evjom%](0|[1-9][0-9]{0,10})\Z")
THINGS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(), IDS, st.sampled_from(['"e12"', "e#", '\\"e#"', "v007", 'x\\"v1'])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | IDS, inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(THINGS, max_size=12))
def test_what_is_packed_comes_back_whatever_it_is(things):
    packer = Packer()
    rows = packer.rows(things)
    templates = [Template(text) for text in packer.templates]
    assert unpack_rows(templates, rows) == json.loads(json.dumps(things))


def test_things_that_differ_in_their_ids_share_a_template():
    packer = Packer()
    packer.rows({"id": f"e{i}", "reads": [f"v{i}", f"v{i + 1}"]} for i in range(100))
    assert packer.templates == ['{"id":"e#","reads":["v#","v#"]}']


@pytest.mark.parametrize("rows", ["!", "AAA=", "AQAAAA==", "AAAAAA=="])
def test_rows_that_do_not_fit_are_refused(rows):
    with pytest.raises(ValueError):
        list(each_row([Template('{"id":"e#"}')], rows))


def eqn(number: int, nested: list[str] | None = None) -> dict[str, Any]:
    calls = [
        {"param": "jaxpr", "label": "", "jaxpr": name, "inputs": [], "outputs": [[]], "consts": [], "finals": []} for name in nested or []
    ]
    made = {"var": f"v{number}", "aval": "f32[]", "used": True, "role": "result", "kind": None}
    empty: dict[str, Any] = {"params": [], "operands": [], "effects": [], "stack": [], "span": None, "trips": None, "printed": None}
    return {"id": f"e{number}", "primitive": "sin", "results": [made], "nested": calls, **empty}


def body(name: str, numbers: range, calls: dict[int, list[str]] | None = None) -> dict[str, Any]:
    variables = {
        f"v{n}": {"id": f"v{n}", "name": f"x_{n}", "aval": "f32[]", "shape": [], "dtype": "float32", "weak_type": False, "label": None}
        for n in numbers
    }
    return {
        "id": name, "name": name, "constvars": [], "consts": {}, "invars": [], "outvars": [{"var": f"v{numbers[-1]}"}],
        "eqns": [eqn(n, (calls or {}).get(n)) for n in numbers], "vars": variables, "bound": {}, "packed": None, "left_out": 0,
    }  # fmt: skip


def program(*bodies: dict[str, Any]) -> dict[str, Any]:
    spans = {one["id"]: [0, 3] for jaxpr in bodies for one in jaxpr["eqns"]}
    return {
        "id": "p0", "name": "f", "origin": "call", "count": 1, "span": None, "entry": bodies[0]["id"],
        "jaxprs": {jaxpr["id"]: jaxpr for jaxpr in bodies}, "twins": [], "texts": {"jaxpr": {"text": "text", "spans": spans}},
        "modules": {}, "links": {}, "parameters": None, "made_from": None, "hoisted": [], "embedded": [], "written": [],
    }  # fmt: skip


def answer(made: dict[str, Any]) -> dict[str, Any]:
    output = {"text": "", "truncated": False}
    trace = {"schema": 1, "input": "python", "jax": "0", "programs": [made], "output": output}
    return {"level": "jaxpr", "trace": {**trace, "diagnostics": [], "notes": [], "offers": [], "timings": {}}, "patch": None}


def patch(count: int) -> dict[str, Any]:
    def op(number: int) -> dict[str, Any]:
        empty: dict[str, Any] = {"operands": [], "attributes": {}, "regions": [], "callee": None, "span": None}
        return {"id": f"o{number}", "name": "stablehlo.sine", "results": [f"m{number}"], **empty, "text_span": [number, number + 1]}

    text = "x" * (count + 1)
    region = {"label": "", "blocks": [{"args": [], "ops": [op(n) for n in range(count)]}]}
    function = {"id": "f0", "name": "main", "args": [], "results": [], "attributes": {}, "region": region, "text_span": None}
    values = {f"m{n}": {"type": "tensor<f32>", "name": f"%{n}", "role": None, "label": None} for n in range(count)}
    module = {"dialect": "stablehlo", "text": text, "functions": [function], "values": values, "name": "jit_f", "ops": []}
    change = {
        "texts": {"stablehlo": {"text": text, "spans": {f"o{n}": [n, n + 1] for n in range(count)}}},
        "modules": {"stablehlo": module},
        "links": {"stablehlo": {f"e{n}": [f"o{n}"] for n in range(count)}},
    }
    return {"level": "stablehlo", "trace": None, "patch": {"programs": {"p0": change}, "diagnostics": [], "notes": [], "timings": {}}}


def cut(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    emit = in_parts(out.append)
    for message in messages:
        emit(message)
    return out


def without_nothing(made: dict[str, Any]) -> dict[str, Any]:
    """As the worker writes a program: without what only parts have."""
    return {**made, "jaxprs": {name: {k: v for k, v in jaxpr.items() if k != "packed"} for name, jaxpr in made["jaxprs"].items()}}


def test_a_small_program_stays_as_it_is():
    message = answer(program(body("j0", range(SMALL))))
    assert cut(message) == [message]


def test_the_text_and_the_module_of_a_large_one_are_parts_and_the_rest_is_packed():
    count = SMALL + 1
    whole = answer(program(body("j0", range(count))))
    out = cut(whole, patch(count))
    assert [message.get("part", {}).get("name") for message in out] == [None, "p0.0.jaxpr", None, "p0.0.stablehlo", "p0.1.stablehlo"]
    assert len(json.dumps(out[0])) < len(json.dumps(whole)) / 8
    for message in out:
        LevelMessage.model_validate(message)
    left = out[0]["trace"]["programs"][0]["left_out"]
    assert [(one["part"], one["kind"], one["eqns"]) for one in left] == [("p0.0.jaxpr", "text", 0)]
    assert [one["kind"] for one in out[2]["patch"]["programs"]["p0"]["left_out"]] == ["text", "module"]


def test_bodies_far_down_are_left_out_with_their_ends_and_come_in_parts():
    inner = [body(f"j{k + 1}", range(1000 + 2000 * k, 3000 + 2000 * k)) for k in range(10)]
    entry = body("j0", range(1000), {k: [f"j{k + 1}"] for k in range(10)})
    whole = answer(program(entry, *inner))
    out = cut(whole)
    outline = out[0]["trace"]["programs"][0]
    kept = KEPT // 2000
    assert [jaxpr["left_out"] for jaxpr in outline["jaxprs"].values()] == [0] * (kept + 1) + [2000] * (10 - kept)
    assert outline["jaxprs"]["j10"]["vars"].keys() == {"v20999"}
    bodies = [left for left in outline["left_out"] if left["kind"] == "bodies"]
    assert [len(left["jaxprs"]) for left in bodies] == [IN_A_PART // 2000, IN_A_PART // 2000, 1]
    for message in out[1:]:
        outline = put_in(outline, message["part"])
    assert outline["left_out"] == []
    assert unpacked(outline) == without_nothing(whole["trace"]["programs"][0])


def test_a_stream_with_its_parts_is_merged_into_the_whole():
    count = SMALL + 1
    messages = answer(program(body("j0", range(count)))), patch(count)
    merged = merge_messages(json.dumps(message) for message in cut(*messages))
    expected = merge_messages(json.dumps(message) for message in messages)
    expected["programs"] = [without_nothing(made) for made in expected["programs"]]
    assert merged == expected


def test_the_calls_of_equations_and_the_values_of_expressions_are_packed_too():
    entry = body("j0", range(SMALL + 1))
    for number, one in enumerate(entry["eqns"]):
        one["call"] = number if number % 7 else None
    made = program(entry)
    values = [{"jaxpr": "j0", "eqn": f"e{n}", "parts": {"": f"v{n}"}} for n in range(SMALL + 1)]
    made["written"] = [{"what": "expression", "span": {"line": 1, "col": 0, "end_line": 1, "end_col": 3}, "values": values}]
    (outline, part) = cut(answer(made))
    program_ = outline["trace"]["programs"][0]
    assert len(program_["templates"]) == 4  # equations with and without a call, variables, values
    assert unpacked(put_in(program_, part["part"])) == without_nothing(made)
    LevelMessage.model_validate(outline)
