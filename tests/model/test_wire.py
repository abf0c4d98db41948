"""The wire: names are frozen, values immutable, JSON strict."""

from __future__ import annotations

import inspect
import json
import typing

import pytest
from pydantic import ValidationError

import visualizer.model as model
from visualizer.model._base import Wire

SMALL = {
    "schema": 1,
    "input": "python",
    "jax": "0.10.2",
    "programs": [],
    "output": {"text": "", "truncated": False},
    "diagnostics": [],
    "notes": [],
    "offers": [],
    "timings": {"run": 1.5},
}


def wires() -> list[type[Wire]]:
    found = [c for _, c in inspect.getmembers(model, inspect.isclass) if issubclass(c, Wire)]
    assert len(found) > 25
    return found


PUBLISHED = {
    "Trace": ["schema", "input", "jax", "programs", "output", "diagnostics", "notes", "offers", "timings"],
    "Span": ["line", "col", "end_line", "end_col"],
    "Program": ["id", "name", "origin", "count", "span", "entry", "jaxprs", "twins", "texts", "modules", "links"],
    "Jaxpr": ["id", "name", "constvars", "consts", "invars", "outvars", "eqns", "vars"],
    "Var": ["id", "name", "aval", "shape", "dtype", "weak_type", "label"],
    "Eqn": ["id", "primitive", "params", "operands", "results", "nested", "effects", "stack", "span", "trips"],
    "Operand": ["atom", "role", "kind", "linear"],
    "Result": ["var", "aval", "used", "role", "kind"],
    "Call": ["param", "label", "jaxpr", "inputs", "outputs"],
    "CallInput": ["from", "index"],
    "CallOutput": ["to", "index"],
    "Diagnostic": ["severity", "code", "type", "message", "advice", "span", "frames", "stage"],
    "Twin": ["forward", "backward", "recomputed", "residuals"],
    "Residual": ["result", "operand"],
    "Module": ["dialect", "text", "functions", "values", "name", "ops"],
    "Op": ["id", "name", "operands", "results", "attributes", "regions", "callee", "span", "text_span"],
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_names_of_the_wire_are_the_published_ones(name: str) -> None:
    # Schema version 1. A name that goes or changes is a new schema number; what comes later stands after these and has a default.
    fields = getattr(model, name).model_fields
    names = [field.alias or key for key, field in fields.items()]
    published = PUBLISHED[name]
    assert names[: len(published)] == published
    assert [key for key, field in list(fields.items())[len(published) :] if field.is_required()] == []


def test_every_model_is_frozen_and_closed():
    for wire in wires():
        assert wire.model_config["frozen"] and wire.model_config["extra"] == "forbid", wire


def test_every_model_says_what_it_is():
    assert [c.__name__ for c in wires() if not c.__doc__] == []


def test_a_trace_comes_back_from_its_json():
    trace = model.Trace.model_validate(SMALL)
    assert json.loads(trace.model_dump_json()) == {**SMALL, "title": "", "text": None}
    assert model.Trace.model_validate_json(trace.model_dump_json()) == trace


def test_a_value_cannot_be_changed():
    trace = model.Trace.model_validate(SMALL)
    with pytest.raises(ValidationError, match="frozen"):
        trace.jax = "0.11"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 2}, "Input should be 1"),
        ({"extra": 1}, "Extra inputs are not permitted"),
        ({"timings": {"run": float("nan")}}, "finite number"),
        ({"input": "fortran"}, "'python', 'jaxpr', 'mlir' or 'hlo'"),
    ],
)
def test_what_does_not_fit_is_refused(change, said):
    with pytest.raises(ValidationError, match=said):
        model.Trace.model_validate({**SMALL, **change})


@pytest.mark.parametrize("token", ["NaN", "Infinity", '"\\ud800"'])
def test_json_that_is_not_strict_is_refused(token):
    text = json.dumps(SMALL).replace('"0.10.2"', token).replace("1.5", token if not token.startswith('"') else "1.5")
    with pytest.raises(ValidationError):
        model.Trace.model_validate_json(text)


def test_roles_are_the_field_s_names():
    roles = {"const", "carry", "xs", "ys", "cond_const", "body_const", "index", "operand", "result", "arg"}
    assert set(typing.get_args(model.Role)) == roles
    assert set(typing.get_args(model.Kind)) == {"residual", "cotangent", "tangent"}
