"""The serialised programs of the corpus against what JAX itself said about them: counts, types, roles, names, literals, unused results."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import jax
import pytest

from tests.corpus.compare import whole_program
from visualizer.model import Program
from visualizer.text import jaxpr_text
from visualizer.tracing._serialize import serialize
from visualizer.tracing.source._paste import PasteSource

CASES = Path(os.environ.get("JAXPR_VISUALIZER_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "cases"
# Programs that would change or stop this process, or that must be cleaned first: those run in the sandbox's tests.
LITERALS = 40  # the truth lists no more literals of a body than this
NOT_HERE = {
    "060_sharding_constraint_explicit",
    "114_infinite_python_loop",
    "115_infinite_device_loop",
    "125_argparse_main",
    "129_five_thousand_lines",
    "143_x64_config",
    "145_reads_file_and_input",
    "147_threads_and_subprocess",
    "157_strict_promotion_config",
}


def _cases() -> list[str]:
    found = []
    for path in sorted(CASES.glob("*/expect.json")):
        case = json.loads(path.read_text())
        traced = (case["truth"] or {}).get("trace") or {}
        ran = ((case["truth"] or {}).get("run") or {}).get("ok")
        if case["entry"] and not case["needs"] and ran and traced.get("ok") and path.parent.name not in NOT_HERE:
            found.append(path.parent.name)
    return found


def _trace(case: Path, entry: dict[str, str]) -> Any:
    text = (case / "program.py").read_text()
    source = PasteSource.of(text, f"<{case.name}>")
    try:
        code = compile(text, source.filename, "exec")
    except SyntaxError:
        pytest.skip("a paste that must be cleaned first")
    module = type(sys)("__main__")
    before, sys.modules["__main__"] = sys.modules["__main__"], module
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, module.__dict__)
            fun, args, kwargs = (eval(entry[key], module.__dict__) for key in ("fun", "args", "kwargs"))
            return jax.make_jaxpr(fun)(*args, **kwargs), source
    finally:
        sys.modules["__main__"] = before


@pytest.mark.corpus
@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")
@pytest.mark.parametrize("name", _cases())
def test_serialised_program_agrees_with_jax(name: str) -> None:
    case = json.loads((CASES / name / "expect.json").read_text())
    closed, source = _trace(CASES / name, case["entry"])
    made = serialize(closed, name=name, source=source)
    Program.model_validate(made.program)
    truth = case["truth"]["trace"]
    capped = {body["path"] for body in truth["bodies"] if len(body["literal_operands"]) == LITERALS}
    wrong = [text for text in whole_program(made.program, truth) if text.split(": literal operands at")[0] not in capped]
    assert wrong == []
    assert made.program["texts"]["jaxpr"]["text"] == str(closed)
    assert jaxpr_text(Program.model_validate({**made.program, "texts": {}})) == str(closed)
