from __future__ import annotations

import pytest

from visualizer.model import Trace
from visualizer.tracing import trace_source

SOURCE = "import jax, jax.numpy as jnp\ndef f(x, y=2.0, *, z=1.0):\n    return jnp.sin(x) * y + z\nxs = [jnp.ones(3), jnp.ones(())]\n"


def traced(source=SOURCE, **entry):
    trace = trace_source(source, levels=["jaxpr"], **entry)
    Trace.model_validate(trace)
    return trace


def avals(trace):
    (program,) = trace["programs"]
    assert program["origin"] == "entry"
    entry = program["jaxprs"][program["entry"]]
    return [entry["vars"][v]["aval"] for v in entry["invars"]]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"fun": "f", "args": "xs", "kwargs": "{}"}, ["f32[3]", "f32[]"]),
        ({"fun": "f", "args": "(xs[0],)", "kwargs": "{'z': 3.0}"}, ["f32[3]", "f32[]"]),
        ({"fun": "jax.grad(lambda x: f(x).sum())", "args": "(jnp.ones(4),)"}, ["f32[4]"]),
        ({"fun": " f ", "args": "1.0, 2.0"}, ["f32[]", "f32[]"]),
        ({"fun": "lambda: jnp.ones(2)"}, []),
        ({"fun": "f", "args": "(jax.ShapeDtypeStruct((7,), 'float32'),)"}, ["f32[7]"]),
    ],
)
def test_an_entry_is_traced_as_make_jaxpr_would(entry, expected):
    assert avals(traced(**entry)) == expected


def test_one_argument_that_is_no_tuple_is_the_only_one():
    trace = traced(fun="f", args="jnp.ones(3)")
    assert avals(trace) == ["f32[3]"]
    assert trace["notes"] == ["args is no tuple: it was passed as the only argument."]


def test_shapes_can_be_typed():
    assert avals(traced(fun="f", args="f32[3], y: f32[]")) == ["f32[3]", "f32[]"]
    assert avals(traced(fun="f", args="(x: bf16[2,3], y: i32[3])")) == ["bf16[2,3]", "i32[3]"]
    assert avals(traced(fun="f", args="(f32[2,3],)", kwargs="{'z': f32[3]}")) == ["f32[2,3]", "f32[3]"]
    assert avals(traced(fun="f", args="(f32[2,3], 2.0)")) == ["f32[2,3]", "f32[]"]


def test_numbers_may_be_held_static():
    assert avals(traced(fun="f", args="(jnp.ones(3), 5.0)", static_numbers=True)) == ["f32[3]"]


@pytest.mark.parametrize(
    ("entry", "code", "type_", "message"),
    [
        ({"fun": "g"}, "entry-fun", "NameError", "In the field `fun`: name 'g' is not defined"),
        ({"fun": "f("}, "entry-fun", "SyntaxError", "In the field `fun`: '(' was never closed"),
        ({"fun": "xs"}, "entry-fun", "", "`xs` is not a function but of type list."),
        ({"fun": "f", "args": "(1/0,)"}, "entry-args", "ZeroDivisionError", "In the field `args`: division by zero"),
        ({"fun": "f", "args": "()", "kwargs": "[1]"}, "entry-kwargs", "", "kwargs must be a dict with names as keys, not list."),
    ],
)
def test_a_problem_names_its_field(entry, code, type_, message):
    trace = traced(**entry)
    assert trace["programs"] == []
    assert [(d["code"], d["type"], d["message"]) for d in trace["diagnostics"]] == [(code, type_, message)]
    assert trace["diagnostics"][0]["field"] == code.removeprefix("entry-")
    assert trace["diagnostics"][0]["advice"] or type_ != "NameError"


def test_an_entry_is_traced_although_the_paste_fails_after_it():
    trace = traced(SOURCE + "1 / 0\n", fun="f", args="(2.0,)")
    assert avals(trace) == ["f32[]"]
    assert [(d["type"], d["span"]["line"], d["stage"]) for d in trace["diagnostics"]] == [("ZeroDivisionError", 5, "run")]


def test_a_tracing_error_stands_on_the_persons_line():
    source = "import jax\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
    (found,) = traced(source, fun="f", args="(1.0,)")["diagnostics"]
    assert (found["type"], found["stage"], found["field"]) == ("TracerBoolConversionError", "trace", None)
    assert found["span"] == {"line": 3, "col": 7, "end_line": 3, "end_col": 12}
    assert "jax.lax.cond" in found["advice"]
    assert "See https" not in found["message"]


def test_an_error_without_a_line_in_the_paste_speaks_of_the_fields():
    (found,) = traced(fun="f", args="(1.0, 2.0, 3.0)")["diagnostics"]
    assert (found["type"], found["span"], found["field"]) == ("TypeError", None, "args")
    assert found["advice"] == "The function does not take the arguments that were given for it: mend the fields `args` and `kwargs`."
    (found,) = traced(fun="f", args="(1 / 0,)")["diagnostics"]
    assert found["message"].startswith("In the field `args`:")
    assert "this line" not in found["advice"]


def test_parameters_are_those_of_the_function():
    (program,) = traced(fun="f", args="(jnp.ones(3),)", kwargs="{'z': 3.0}")["programs"]
    assert program["parameters"] == [
        {"name": "x", "text": "f32[3]", "differentiable": True},
        {"name": "z", "text": "~f32[]", "differentiable": True},
    ]
