"""Files that become one Trace: what their names say, what belongs together, what is said of those that cannot be read."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.web.conftest import diagnostic
from tests.web.conftest import trace_of as answer
from visualizer.web.opening import File, Refused, is_saved_trace, trace_of
from visualizer.web.opening._names import Named, beside, kind_of, named, plain, same_name


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("jax_ir0014_jit__lambda_compile.mlir", Named("jit__lambda", 14, "compile")),
        ("d/jax_ir0004_jit_train_step_compile.mlir", Named("jit_train_step", 4, "compile")),
        ("jax_000014_<lambda>.jaxpr.txt", Named("<lambda>", 14, "")),
        ("module_0012.jit_step.cpu_after_optimizations.txt", Named("jit_step", 12, "cpu_after_optimizations")),
        ("module_0012.jit_step.before_optimizations.txt", Named("jit_step", 12, "before_optimizations")),
        ("a\\b\\mine.mlir", Named("mine", 0, "")),
        (".mlir", Named("", 0, "")),
    ],
)
def test_what_a_name_says(path, said):
    assert named(path) == said


def test_names_of_one_program():
    assert same_name("jit__lambda") == same_name("<lambda>") == same_name("@jit__lambda_") == "lambda"
    assert same_name("jit_step") != same_name("step2")
    assert beside("x/jax_1_f.jaxpr.html") and beside("m.cpu_after_optimizations-buffer-assignment.txt")
    assert beside("module_0012.jit_step.cpu_after_optimizations.txt") is None


def jaxpr(name: str, *shapes: tuple[int, ...]) -> dict[str, Any]:
    ids = [f"v{number}" for number in range(len(shapes))]
    variables = {key: {"shape": list(shape)} for key, shape in zip(ids, shapes, strict=True)}
    body = {"id": "j0", "invars": ids, "vars": variables}
    return {"id": "p0", "name": name, "entry": "j0", "jaxprs": {"j0": body}, "texts": {"jaxpr": {}}, "modules": {}, "links": {}, "span": {}}


def module(name: str, *types: str, level: str = "stablehlo") -> dict[str, Any]:
    ids = [f"s{number}" for number in range(len(types))]
    values = {key: {"type": f"tensor<{kind}>" if level == "stablehlo" else kind} for key, kind in zip(ids, types, strict=True)}
    main = {"name": "main", "args": ids, "span": {"line": 1}, "attributes": {"entry": "true"}}
    made = {"functions": [main], "values": values}
    return {
        "id": "p0",
        "name": name,
        "entry": None,
        "jaxprs": {},
        "texts": {level: {}},
        "modules": {level: made},
        "links": {},
        "span": None,
    }


class Reads:
    """Answers requests by the text that they hold."""

    def __init__(self, **programs: dict[str, Any]) -> None:
        self.programs = programs
        self.asked: list[str] = []
        self.requests: list[dict[str, Any]] = []

    def __call__(self, request: dict[str, Any]):
        text = base64.b64decode(request["data"]).decode()
        self.asked.append(text)
        self.requests.append(request)
        found = self.programs.get(text)
        fault = [] if found else [{**diagnostic("bad"), "message": "no parser", "span": {"line": 3}}]
        trace = answer(input="mlir", programs=[found] if found else [], diagnostics=fault)
        yield json.dumps({"level": "jaxpr", "trace": trace, "patch": None}).encode()


def test_a_dump_becomes_programs_with_their_modules():
    run = Reads(
        a=jaxpr("", (3,)),
        b=jaxpr("", (8, 3), ()),
        c=module("@jit_loss", "8x3xf32"),  # the scalar is not read
        d=module("@jit_loss", "3xf32"),
        e=module("@jit_loss", "5xf32"),
        f=module("jit_loss", "f32[8,3]{1,0}", level="hlo"),
        g=module("jit_loss", "f32[8,3]{1,0}", level="hlo"),
    )
    files = [
        File("module_0001.jit_loss.cpu_after_optimizations.txt", b"f"),
        File("module_0001.jit_loss.before_optimizations.txt", b"g"),
        File("jax_ir0010_jit_loss_compile.mlir", b"e"),
        File("jax_ir0002_jit_loss_compile.mlir", b"d"),
        File("jax_ir0001_jit_loss_compile.mlir", b"c"),
        File("jax_000001_loss.jaxpr.txt", b"b"),
        File("jax_000000_loss.jaxpr.txt", b"a"),
        File("jax_000000_loss.jaxpr.html", b"<html>"),
        File("jax_000000_loss.eqn_count_pprof", b"\0"),
        File("empty.mlir", b"\n"),
    ]
    trace = trace_of(files, run, "dump")
    assert run.asked == ["a", "b", "c", "d", "e", "f", "g"]
    # A jaxpr beside its module is not told that it has no module.
    assert [request["levels"] for request in run.requests] == [["jaxpr"]] * 2 + [["jaxpr", "stablehlo"]] * 5
    assert [(p["id"], p["name"], sorted(p["texts"])) for p in trace["programs"]] == [
        ("p0", "loss", ["jaxpr", "stablehlo"]),
        ("p1", "loss", ["hlo", "jaxpr", "stablehlo"]),
        ("p2", "jit_loss", ["stablehlo"]),
        ("p3", "jit_loss before optimizations", ["hlo"]),
    ]
    main = [p["modules"]["stablehlo"]["functions"][0] for p in trace["programs"][:3]]
    assert [(function["args"], function["span"]) for function in main] == [(["s0"], None)] * 3
    assert trace["programs"][0]["modules"]["stablehlo"]["values"]["s0"]["type"] == "tensor<3xf32>"
    assert trace["title"] == "dump"
    assert trace["notes"] == [
        "3 files are not drawn: 1 with the same jaxprs as pages, 1 with profiles of equation counts, 1 with nothing in them."
    ]


def test_what_cannot_be_read_is_told_once_with_its_files():
    trace = trace_of([File(f"f{number}.mlir", b"?") for number in range(5)], Reads())
    assert [found["message"] for found in trace["diagnostics"]] == [
        "f0.mlir, line 3, f1.mlir, line 3, f2.mlir, line 3 and 2 more files: no parser"
    ]
    alone = trace_of([File("f.mlir", b"?")], Reads())
    assert [(found["message"], found["span"]) for found in alone["diagnostics"]] == [("no parser", {"line": 3})]


def test_python_is_not_run():
    run = Reads()
    trace = trace_of([File("a.py", b"import os"), File("b.py", b"1")], run)
    assert run.asked == []
    assert [(found["code"], found["severity"]) for found in trace["diagnostics"]] == [("not-opened", "error")]
    trace_of([File("a.txt", b"import os")], run)
    assert [(asked["engine"], asked["input"]) for asked in run.requests] == [("none", None)]


def test_a_name_is_what_it_shows():
    assert plain("a\udcff\x1b[31m\u202eb\tc\n") == "a\ufffd\ufffd[31m\ufffdb\tc\n"
    trace = trace_of([File("a\udcff\0.mlir", b"?"), File("b.mlir", b"?")], Reads(), "d\udcff")
    assert trace["title"] == "d\ufffd"
    assert trace["diagnostics"][0]["message"].startswith("a\ufffd\ufffd.mlir, line 3")
    assert (kind_of("A.MLIR"), kind_of("x.jaxpr.txt"), kind_of("x.txt")) == ("mlir", "jaxpr", None)


def test_what_is_no_set_of_files_is_refused_in_words():
    for files in ([], [File(f"{n}.mlir", b"x") for n in range(1001)], [File("a.json", b'{"schema": 1, "programs": []}'), File("b", b"x")]):
        with pytest.raises(Refused) as refused:
            trace_of(files, Reads())
        assert refused.value.advice


def test_a_saved_trace_is_known_by_what_it_holds():
    assert is_saved_trace(b' {"schema": 2, "programs": []}')
    assert is_saved_trace(b'\xef\xbb\xbf{"schema": 1, "programs": []}')
    assert not is_saved_trace(b'module { "schema" "programs" }')
    assert not is_saved_trace(b'{"cells": []}')
