"""A small traced program as JSON, for tests that damage it."""

from __future__ import annotations

from typing import Any

from visualizer.model import Program, ProgramPatch, Trace


def var(name: str) -> dict[str, Any]:
    return {"id": name, "name": name, "aval": "f32[2]", "shape": [2], "dtype": "float32", "weak_type": False, "label": None}


def operand(name: str) -> dict[str, Any]:
    return {"atom": {"var": name}, "role": "arg", "kind": None, "linear": None}


def result(name: str) -> dict[str, Any]:
    return {"var": name, "aval": "f32[2]", "used": True, "role": "result", "kind": None}


def eqn(name: str, operands: list[str], results: list[str], nested: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "id": name, "primitive": "sin", "params": [], "operands": [operand(n) for n in operands], "results": [result(n) for n in results],
        "nested": nested or [], "effects": [], "stack": [], "span": None, "trips": None,
    }  # fmt: skip


def jaxpr(name: str, invars: list[str], outvars: list[str], eqns: list[dict[str, Any]], names: list[str]) -> dict[str, Any]:
    return {
        "id": name, "name": name, "constvars": [], "consts": {}, "invars": invars, "outvars": [{"var": n} for n in outvars], "eqns": eqns,
        "vars": {n: var(n) for n in names},
    }  # fmt: skip


def call(inner: str) -> dict[str, Any]:
    return {
        "param": "jaxpr",
        "label": "body",
        "jaxpr": inner,
        "inputs": [{"from": "operand", "index": 0}],
        "outputs": [[{"to": "result", "index": 0}]],
    }


def op(name: str, operands: list[str], results: list[str], regions: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "id": name, "name": "stablehlo.sine", "operands": [{"value": n, "role": None} for n in operands], "results": results,
        "attributes": {},
        "regions": regions or [], "callee": None, "span": None, "text_span": None,
    }  # fmt: skip


def module() -> dict[str, Any]:
    block = {"args": ["a0"], "ops": [op("o0", ["a0"], ["a1"])]}
    function = {
        "id": "f0", "name": "main", "args": ["a0"], "results": ["tensor<2xf32>"], "attributes": {},
        "region": {"label": "body", "blocks": [block]}, "text_span": None,
    }  # fmt: skip
    values = {name: {"type": "tensor<2xf32>", "name": name, "role": None, "label": None} for name in ("a0", "a1")}
    return {"dialect": "stablehlo", "text": "module", "functions": [function], "values": values, "name": "jit_f", "ops": []}


def whole(model: Any, value: dict[str, Any]) -> dict[str, Any]:
    """With the fields that a later version of the wire added, as the worker sends them."""
    return model.model_validate(value).model_dump(mode="json", by_alias=True)  # type: ignore[no-any-return]


def program() -> dict[str, Any]:
    inner = jaxpr("j1", ["v2"], ["v3"], [eqn("e1", ["v2"], ["v3"])], ["v2", "v3"])
    outer = jaxpr("j0", ["v0"], ["v1"], [eqn("e0", ["v0"], ["v1"], [call("j1")])], ["v0", "v1"])
    made = {
        "id": "p0", "name": "f", "origin": "call", "count": 1, "span": None, "entry": "j0", "jaxprs": {"j0": outer, "j1": inner},
        "twins": [],
        "texts": {"jaxpr": {"text": "{ lambda }", "spans": {"e0": [0, 3]}}}, "modules": {}, "links": {},
    }  # fmt: skip
    return whole(Program, made)


def message(programs: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    trace = {
        "schema": 1, "input": "python", "jax": "0", "programs": [program()] if programs is None else programs,
        "output": {"text": "", "truncated": False}, "diagnostics": [], "notes": [], "offers": [], "timings": {"run": 0.5},
    }  # fmt: skip
    return {"level": "jaxpr", "trace": whole(Trace, trace) if programs is None else trace, "patch": None, "part": None}


def patch() -> dict[str, Any]:
    change = {"texts": {}, "modules": {"stablehlo": module()}, "links": {"stablehlo": {"e1": ["o0"]}}}
    made = {"programs": {"p0": whole(ProgramPatch, change)}, "diagnostics": [], "notes": [], "timings": {}}
    return {"level": "stablehlo", "trace": None, "patch": made, "part": None}
