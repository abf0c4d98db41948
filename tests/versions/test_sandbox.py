"""An older JAX through the sandbox, as the server and the command line use it: a lesson of its time prints what it printed then."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.versions.printouts import GRADIENT, SOURCE, STEPS
from tests.versions.runtime import CASES, DATA, python_of
from visualizer._cli._tracer import make_tracer
from visualizer.model import Program, merge_messages
from visualizer.runtimes import default_version
from visualizer.text import jaxpr_text
from visualizer.web import Tracer

pytestmark = pytest.mark.sandbox
VERSION = "0.6.0"
LESSON = CASES.parent / "lesson.txt"


@pytest.fixture(scope="module")
def tracer() -> Iterator[Tracer]:
    python_of(VERSION)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAXPR_VISUALIZER_DATA", str(DATA))
        made = make_tracer(30)
        made.start()
        yield made
        made.close()


def traced(tracer: Tracer, source: str, jax: str | None = VERSION, **more: Any) -> dict[str, Any]:
    return json.loads(json.dumps(merge_messages(tracer.trace({"source": source, "jax": jax, **more}))))


def test_the_gradient_of_a_scan_is_printed_as_its_jax_printed_it(tracer):
    trace = traced(tracer, SOURCE)
    assert (trace["jax"], trace["diagnostics"]) == (VERSION, [])
    program = Program.model_validate(trace["programs"][0])
    assert program.texts["jaxpr"].text == GRADIENT
    assert jaxpr_text(program) == GRADIENT


def test_linear_is_what_jax_says_of_each_operand_and_not_derived(tracer):
    (program,) = traced(tracer, SOURCE)["programs"]
    scans = [eqn for eqn in program["jaxprs"][program["entry"]]["eqns"] if eqn["primitive"] == "scan"]
    flags = [[(operand["role"], operand["linear"]) for operand in scan["operands"]] for scan in scans]
    assert [[linear["value"] for _, linear in scan] for scan in flags] == [[False, False, False], [True, True, False]]
    assert [role for role, _ in flags[1]] == ["carry", "carry", "xs"]
    assert not any(linear["derived"] for scan in flags for _, linear in scan)
    assert len(program["twins"]) == 1
    # The newest JAX prints no flags: there they are ours, and the same.
    (newest,) = traced(tracer, SOURCE, None)["programs"]
    scans = [eqn for eqn in newest["jaxprs"][newest["entry"]]["eqns"] if eqn["primitive"] == "scan"]
    assert [operand["linear"] for operand in scans[0]["operands"]] == [{"value": False, "derived": True}] * 3


def test_the_operands_of_a_training_scan_are_told_apart(tracer):
    (program,) = traced(tracer, STEPS)["programs"]
    entry = program["jaxprs"][program["entry"]]
    (scan,) = entry["eqns"]
    assert [operand["role"] for operand in scan["operands"]] == ["const", "carry", "xs", "xs"]
    assert [entry["vars"][operand["atom"]["var"]]["name"] for operand in scan["operands"]] == ["d", "a", "b", "c"]
    assert len(program["jaxprs"][scan["nested"][0]["jaxpr"]]["eqns"]) == 18
    assert next(iter(program["modules"]["stablehlo"]["functions"]))["name"] == "main"
    assert program["links"]["stablehlo"][scan["id"]]


@pytest.mark.corpus
@pytest.mark.skipif(not LESSON.is_file(), reason="the lesson is not here")
def test_the_printouts_of_the_lesson_come_out_as_the_lesson_has_them(tracer):
    lines, found = LESSON.read_text("utf-8").splitlines(), 0
    for start, line in enumerate(lines):
        if not line.startswith("print(jax.make_jaxpr("):
            continue
        first = max(number for number in range(start) if lines[number] == "import jax")
        printed = []
        for text in lines[start + 2 :]:
            if not text.startswith("#"):
                break
            printed.append(text[2:])
        if any("more equations" in text for text in printed):
            continue
        found += 1
        trace = traced(tracer, "\n".join(lines[first : start + 1]))
        assert trace["programs"][0]["texts"]["jaxpr"]["text"] == "\n".join(printed)
        assert trace["output"]["text"] == "\n".join(printed) + "\n"
    assert found >= 2


def test_values_are_those_of_its_jax_where_code_reads_them(tracer):
    source = "import jax, jax.numpy as jnp\nx = jnp.arange(3.) * 2\nprint(jax.__version__, float(x.sum()), x)\njax.jit(jnp.sin)(x)"
    trace = traced(tracer, source)
    assert trace["output"]["text"] == f"{VERSION} 6.0 [0. 2. 4.]\n"
    (program,) = trace["programs"]
    assert "name=sin" in program["texts"]["jaxpr"]["text"]


def test_an_error_is_that_of_its_jax_at_its_line(tracer):
    trace = traced(tracer, "import jax\n\njax.make_jaxpr(lambda x: 1 if x > 0 else 2)(1.0)\n")
    (found,) = trace["diagnostics"]
    assert found["type"].endswith("TracerBoolConversionError")
    assert found["span"]["line"] == 3
    assert "site-packages" not in json.dumps(trace)


def test_a_job_sees_its_own_jax_and_none_of_the_servers_packages(tracer):
    files = sorted({str(Path(path).resolve()) for path in sys.path if path.endswith("site-packages")})
    script = f"""
import importlib.util, os
for name in ("flask", "jax"):
    found = importlib.util.find_spec(name)
    print(name, found is not None)
for folder in {files!r}:
    try:
        print(len(os.listdir(folder)))
    except OSError as error:
        print("refused")
"""
    told = traced(tracer, script)["output"]["text"].split("\n")
    assert told[:2] == ["flask False", "jax True"]
    assert set(told[2:-1]) == {"refused"}


def test_a_version_that_is_not_here_is_a_diagnostic(tracer):
    (found,) = traced(tracer, SOURCE, "0.5.9")["diagnostics"]
    assert found["code"] == "unknown-jax"
    assert re.search(rf"there is {re.escape(default_version())}.*0\.6\.0", found["message"])
