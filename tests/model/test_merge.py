"""Later levels put into the trace that came first."""

from __future__ import annotations

import copy
import json

import pytest

from visualizer.model import LevelMessage, Trace, apply_patch, merge_messages

TEXT = {"text": "module {}", "spans": {"o1": [0, 9]}}
MODULE = {"dialect": "stablehlo", "text": "module {}", "functions": [], "values": {}, "name": "m", "ops": []}


def program(name: str) -> dict:
    return {
        "id": name,
        "name": name,
        "origin": "call",
        "count": 1,
        "span": None,
        "entry": None,
        "jaxprs": {},
        "twins": [],
        "texts": {"jaxpr": {"text": "{ }", "spans": {}}},
        "modules": {},
        "links": {},
    }


def trace(**changes) -> dict:
    return {
        "schema": 1,
        "input": "python",
        "jax": "0.10.2",
        "programs": [program("p0"), program("p1")],
        "output": {"text": "", "truncated": False},
        "diagnostics": [],
        "notes": ["first"],
        "offers": [],
        "timings": {"run": 1.0},
        **changes,
    }


def patch(**changes) -> dict:
    return {"programs": {}, "diagnostics": [], "notes": [], "timings": {}, **changes}


def line(level, trace=None, patch=None) -> bytes:
    text = json.dumps({"level": level, "trace": trace, "patch": patch})
    LevelMessage.model_validate_json(text)
    return text.encode()


STABLEHLO = {"texts": {"stablehlo": TEXT}, "modules": {"stablehlo": MODULE}, "links": {"stablehlo": {"e0": ["o1"]}}}


def test_a_level_goes_to_its_program_and_leaves_the_others():
    before = trace()
    kept = copy.deepcopy(before)
    merged = apply_patch(before, patch(programs={"p1": STABLEHLO}, notes=["second"], timings={"lower": 2.0}))
    assert before == kept
    first, second = merged["programs"]
    assert first == program("p0")
    assert second["texts"] == {"jaxpr": {"text": "{ }", "spans": {}}, "stablehlo": TEXT}
    assert second["modules"] == {"stablehlo": MODULE}
    assert second["links"] == {"stablehlo": {"e0": ["o1"]}}
    assert merged["notes"] == ["first", "second"]
    assert merged["timings"] == {"run": 1.0, "lower": 2.0}
    Trace.model_validate(merged)


def test_three_levels_of_one_stream():
    lines = [
        line("jaxpr", trace()),
        b"\n",
        line("stablehlo", patch=patch(programs={"p0": STABLEHLO})),
        line("hlo", patch=patch(notes=["third"])),
    ]
    merged = merge_messages(lines)
    assert set(merged["programs"][0]["texts"]) == {"jaxpr", "stablehlo"}
    assert merged["notes"] == ["first", "third"]


def test_a_program_that_is_not_there_is_said():
    merged = apply_patch(trace(), patch(programs={"p7": STABLEHLO}))
    assert merged["programs"] == trace()["programs"]
    assert merged["notes"][-1] == "A later level spoke of the program 'p7', which is not in this trace; it was left out."


@pytest.mark.parametrize("lines", [[], [b"\n"], [line("hlo", patch=patch())]])
def test_a_stream_without_a_trace_is_an_error(lines):
    with pytest.raises(ValueError, match="trace"):
        merge_messages(lines)
