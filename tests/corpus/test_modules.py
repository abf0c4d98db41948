"""The checker of modules: that it finds what is wrong, and survives what ends a process."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.tracing.modules.texts import BLOCKS, DEEP, LOCATED, LOOP, REDUCED, UNKNOWN
from visualizer.tracing import trace_source

from . import modules
from .crew import done_by_children
from .index import compared, request_of
from .jaxlib_alone import judged, sections


def test_sections_and_their_lines():
    assert sections("a\n// -----\nb\nc\n// ----- d\n") == [(0, "a"), (1, "\nb\nc"), (4, "\n")]


def work(number: int) -> dict[str, Any]:
    if number % 5 == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    if number == 7:
        time.sleep(60)
    if number == 9:
        raise ValueError("nine")
    return {"number": number}


def test_a_crew_has_a_result_for_every_task():
    found = list(done_by_children(work, range(12), jobs=2, seconds=1.0, chunk=4))
    assert [each.get("number") for each in found] == [0, 1, 2, None, 4, 5, 6, None, None, None, 10, 11]
    assert [each["died"] for each in found if "died" in each] == ["SIGSEGV", "time", "SIGSEGV"]
    assert "nine" in found[9]["raised"]


@pytest.mark.parametrize(
    "text", [BLOCKS, LOCATED, LOOP, REDUCED, UNKNOWN, "// nothing", "func.func @f() {\n  check.x\n}", 'module attributes {a = "}"} {}']
)
def test_we_agree_with_jaxlib(text):
    ours = modules.read_by_us(modules.Task(Path("x"), 0, text))
    assert modules.verdict(ours, judged(text))[0] in ("agree", "refused")


READ = {"ops": {"builtin.module": 1, "func.func": 1, "a.b": 2}, "functions": [["f", "public", 1, 1]], "regions": 2, "blocks": 1, "depth": 2}


@pytest.mark.parametrize(
    ("ours", "reason"),
    [
        ({**READ, "ops": {**READ["ops"], "a.b": 1}}, "a.b: 1, expected 2"),
        ({**READ, "ops": {**READ["ops"], "a.c": 1}}, "a.c: 1, expected 0"),
        ({**READ, "functions": [["f", "private", 1, 1]]}, "functions: [('f', 'private', 1, 1)], expected [('f', 'public', 1, 1)]"),
        ({**READ, "depth": 3}, "depth: 3, expected 2"),
        ({**READ, "regions": 1}, "regions: 1, expected 2"),
        ({"refused": "no", "line": 1}, "ours refuses it: no"),
        ({"died": "SIGSEGV"}, "died: SIGSEGV"),
        ({"raised": "BadResult"}, "raised: BadResult"),
        ({"wrong": "internal: it"}, "wrong: internal: it"),
        ({"empty": True}, "ours finds nothing in it"),
    ],
)
def test_every_disagreement_has_its_reason(ours, reason):
    assert modules.verdict(READ, READ) == ("agree", [])
    found, reasons = modules.verdict(ours, READ)
    assert found == "WRONG"
    assert any(reason in each for each in reasons)


@pytest.mark.parametrize(
    ("ours", "truth", "found"),
    [
        ({"refused": "bad thing (more)", "line": 3}, {"refused": "bad thing", "line": 3}, "refused"),
        ({"refused": "bad thing", "line": 4}, {"refused": "bad thing", "line": 3}, "WRONG"),
        ({"refused": "other", "line": 3}, {"refused": "bad thing", "line": 3}, "WRONG"),
        (READ, {"refused": "bad thing", "line": None}, "WRONG"),
        ({"died": "SIGABRT"}, {"died": "SIGSEGV"}, "killed"),
        (READ, {"died": "SIGSEGV"}, "WRONG"),
        ({"died": "SIGSEGV"}, {"died": "time"}, "WRONG"),
    ],
)
def test_refusals_and_deaths_agree_when_they_are_the_same(ours, truth, found):
    assert modules.verdict(ours, truth)[0] == found


def test_a_folder_is_compared_and_its_planted_faults_are_found(tmp_path, capsys, monkeypatch):
    (tmp_path / "good.mlir").write_text(f"{LOOP}// -----\n{BLOCKS}// -----\n%broken")
    (tmp_path / "deep.mlir").write_text(f"{UNKNOWN}\n// -----\n{DEEP}\n// -----\n{REDUCED}")
    assert modules.main([str(tmp_path), "--verbose"]) == 0
    assert "6 sections of 2 files" in (said := capsys.readouterr().out)
    assert "4 agree with jaxlib, 1 are refused by both with the same message, 1 end both, 0 disagree" in said
    # An operation is lost on the way.
    monkeypatch.setattr(modules, "read_by_us", lambda task, real=modules.read_by_us: _without(real(task), "func.return"))
    assert modules.main([str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "good.mlir:1: func.return: 0, expected 2" in said
    assert "deep.mlir:1: func.return: 0, expected 1" in said


def _without(found: dict[str, Any], name: str) -> dict[str, Any]:
    return {**found, "ops": {key: count for key, count in found["ops"].items() if key != name}} if "ops" in found else found


def test_an_empty_folder_is_said_to_be_one(tmp_path, capsys):
    assert modules.main([str(tmp_path)]) == 2
    assert "no .mlir files" in capsys.readouterr().err


TRUTH = {
    "kind": "mlir-text",
    "whole_file_allow_unregistered": {
        "ok": True,
        "op_counts": {"builtin.module": 1, "func.func": 1, "func.return": 1},
        "functions": [{"name": "f", "visibility": "public", "num_args": 0, "num_results": 0, "blocks": 1}],
        "regions": 2,
        "region_depth": 2,
        "max_blocks_in_region": 1,
    },
}


def test_the_index_is_compared_with_what_a_server_answers():
    def against(text: str, whole: dict[str, Any]) -> tuple[str, list[str]]:
        entry = {"parse": {**TRUTH, "whole_file_allow_unregistered": {**TRUTH["whole_file_allow_unregistered"], **whole}}}
        return compared(entry, text, trace_source(**request_of("a.mlir", text.encode())))

    text = "func.func @f() {\n  return\n}"
    assert against(text, {}) == ("agrees", [])
    assert against(text, {"region_depth": 3}) == ("WRONG", ["depth: 2, expected 3"])
    assert against(text, {"op_counts": {"builtin.module": 1, "func.func": 2}})[0] == "WRONG"
    assert against("func.func @f(", {})[0] == "WRONG"
    refusal = 'Unable to parse module assembly:\nerror: "-":2:10: use of undeclared SSA value name'
    broken = "func.func @f() {\n  return %x : f32\n}"
    assert against(broken, {"ok": False, "error": refusal}) == ("refused", [])
    assert against(text, {"ok": False, "error": refusal})[0] == "WRONG"
    assert against(broken, {"ok": False, "error": refusal.replace(":2:", ":3:")}) == ("WRONG", ["refused at line [2], expected 3"])
