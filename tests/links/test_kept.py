"""What is kept of a program with its link: the one in front, whole, within the limits."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest

from visualizer.links import _kept as module
from visualizer.links import keep, kept_trace
from visualizer.model import Trace

from .contents import content

SAVED = json.loads((Path(__file__).parents[1] / "web" / "saved" / "schema1.json").read_text("utf-8"))
ONE = SAVED["programs"][0]
STEPS = {"program": "p0", "steps": [{"name": "grad", "argnums": None, "in_axes": None, "size": None, "has_aux": False}]}


def trace(*programs, **changes):
    return {**SAVED, "programs": list(programs), **changes}


def named(name, id_="p0", made_from=None):
    return {**ONE, "id": id_, "name": name, "made_from": made_from}


def front(found, **state):
    kept, title, why = keep(found, content(**state).state)
    assert why == ""
    [program] = kept_trace(kept)["programs"]
    assert title == program["name"]
    return program["id"], program["name"]


def test_what_is_kept_is_a_trace_that_opens():
    kept, title, why = keep({**SAVED, "notes": ["n"], "timings": {"run": 1.0}}, content().state)
    found = Trace.model_validate(kept_trace(kept))
    assert (title, why) == ("jax.grad(loss)", "")
    assert found.programs == Trace.model_validate(SAVED).programs
    assert (found.jax, found.notes, found.timings, found.output.text) == (SAVED["jax"], (), {}, "")


def test_the_program_in_front_is_the_one_that_the_link_names():
    several = trace(named("f"), named("g", "p1"), named("g", "p2"), named("g", "p1.t0", STEPS))
    assert front(several) == ("p0", "f")
    assert front(several, program=["p2", "g"]) == ("p2", "g")
    assert front(several, program=["p9", "f"]) == ("p0", "f")
    assert front(several, program=["p1.t0", "g", "grad"]) == ("p1.t0", "g")
    assert front(several, program=["p7", "g", "grad"]) == ("p1.t0", "g")
    # Two could be meant, or none: the first, as the page shows it.
    assert front(several, program=["p9", "g"]) == ("p0", "f")
    assert front(several, program=["p0", "gone"]) == ("p0", "f")


def test_code_without_a_program_has_nothing_to_keep():
    assert keep(trace(), content().state) == (None, "", "the code gives no program")


def test_a_program_that_is_not_whole_is_not_kept():
    left = {**ONE, "left_out": [{"part": "p0.0.jaxpr"}]}
    kept, title, why = keep(trace(left), content().state)
    assert (kept, title) == (None, ONE["name"])
    assert "too large" in why


def test_where_all_levels_are_too_much_the_one_that_is_looked_at_is_kept(monkeypatch):
    whole = len(json.dumps(SAVED, ensure_ascii=False, separators=(",", ":")).encode())
    monkeypatch.setattr(module, "MOST_TEXT", whole - 2000)
    levels = {view: kept_trace(keep(SAVED, content(view=view).state)[0])["programs"][0]["modules"] for view in ("jaxpr", "jaxpr-text")}
    assert levels == {"jaxpr": {}, "jaxpr-text": {}}
    monkeypatch.setattr(module, "MOST_TEXT", 100)
    kept, title, why = keep(SAVED, content().state)
    assert (kept, title) == (None, "jax.grad(loss)")
    assert "too large" in why


@pytest.mark.parametrize("kept", [b"", b"x", zlib.compress(b"{}")[:-1], zlib.compress(b" " * 30_000_000)])
def test_what_is_not_whole_is_not_opened(kept):
    with pytest.raises(ValueError):
        kept_trace(kept)
