"""The cases of ../shared: with their entry, as pasted, and held against real."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.corpus import compare
from tests.tracing.test_probes import facts
from visualizer.model import Trace
from visualizer.tracing._source import merged

SHARED = Path(os.environ.get("JAXPR_VISUALIZER_SHARED", Path(__file__).parent.parent.parent.parent / "shared"))
CASES = sorted(path.parent for path in (SHARED / "cases").glob("*/expect.json"))
pytestmark = [pytest.mark.corpus, pytest.mark.skipif(not CASES, reason="the cases are not there")]
ENDLESS = ("114_", "115_infinite_python")
# A real run differs by itself: global counters in names.
UNLIKE_ITSELF: tuple[str, ...] = ()


def load(case: Path) -> tuple[str, dict]:
    expect = json.loads((case / "expect.json").read_text("utf-8"))
    if expect["needs"]:
        pytest.skip(expect["needs"])
    if case.name.startswith(ENDLESS):
        pytest.skip("ended by the sandbox")
    return (case / "program.py").read_bytes().decode("utf-8"), expect


def ahead(test: str, *, case: Path) -> list[dict]:
    """The requests of one case."""
    if not CASES:
        return []
    expect = json.loads((case / "expect.json").read_text("utf-8"))
    if expect["needs"] or case.name.startswith(ENDLESS):
        return []
    source = (case / "program.py").read_bytes().decode("utf-8")
    if test == "test_with_its_entry":
        entry = expect["entry"]
        return [{"source": source, "levels": ["jaxpr"], **entry}] if expect["truth"].get("trace") and entry["fun"] is not None else []
    return [{"source": source}] if test == "test_as_pasted" else [{"source": source}, {"source": source, "engine": "real"}]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_with_its_entry(jobs, case):
    source, expect = load(case)
    truth = expect["truth"].get("trace")
    if truth is None or expect["entry"]["fun"] is None:
        pytest.skip("no entry")
    trace = jobs.trace(source, levels=["jaxpr"], **expect["entry"])
    Trace.model_validate(trace)
    if not truth["ok"]:
        assert compare.failure(trace, truth) == []
        return
    (program,) = trace["programs"]
    assert program["origin"] == "entry"
    assert compare.same_program(program, truth) == []
    assert compare.written(program) == []


def as_pasted(jobs, case: Path) -> str:
    """`found`, `failed` as it should, `said` (an offer, other programs or a diagnostic), or `silent`."""
    source, expect = load(case)
    trace = jobs.trace(source)
    Trace.model_validate(trace)
    assert [wrong for program in trace["programs"] for wrong in compare.written(program)] == []
    run, truth = expect["truth"]["run"], expect["truth"].get("trace")
    if not run["ok"]:
        assert compare.failure(trace, run) == []
        return "failed"
    if truth and truth["ok"] and any(not compare.same_program(program, truth) for program in trace["programs"]):
        return "found"
    return "said" if trace["offers"] or trace["programs"] or trace["diagnostics"] else "silent"


_results: dict[str, str] = {}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_as_pasted(jobs, case):
    _results[case.name] = as_pasted(jobs, case)
    assert _results[case.name] != "silent"


def test_nine_of_ten_are_found_as_pasted(jobs):
    wanted = []
    for case in CASES:
        expect = json.loads((case / "expect.json").read_text("utf-8"))
        truth = expect["truth"]
        if not expect["needs"] and truth["run"]["ok"] and (truth.get("trace") or {}).get("ok"):
            wanted.append(_results.get(case.name) or as_pasted(jobs, case))
    assert wanted.count("found") >= 0.9 * len(wanted)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_held_and_real_runs_agree(jobs, case):
    source, expect = load(case)
    messages = jobs.messages({"source": source})
    if "again" in messages[0]:
        assert not expect["truth"]["run"]["ok"]
        return
    held, real = merged(messages), merged(jobs.messages({"source": source, "engine": "real"}))
    assert facts(held) == facts(real)
