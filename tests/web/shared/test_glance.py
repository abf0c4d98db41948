"""What is said of a kept program: read once, bounded, and nothing where it is of no shape that is known."""

from __future__ import annotations

import json
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from visualizer.links import keep
from visualizer.links._content import LinkState
from visualizer.web._errors import ApiError
from visualizer.web.shared import _glance
from visualizer.web.shared._glance import Glance, glance

from .conftest import saved


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    monkeypatch.setattr(_glance, "_known", _glance.OrderedDict())


def program(**changes):
    trace = saved()
    trace["programs"][0].update(changes)
    kept, _, _ = keep(trace, LinkState(source="x"))
    return kept


def packed(value):
    return zlib.compress(json.dumps(value).encode())


def test_however_many_ask_it_is_read_once(monkeypatch):
    go, read, kept_trace = threading.Event(), [], _glance.kept_trace
    monkeypatch.setattr(_glance, "kept_trace", lambda kept: read.append(kept) or (go.wait(30) and kept_trace(kept)))
    kept = program(texts={"jaxpr": {"text": "word " * 400_000}})
    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(glance, kept) for _ in range(8)]
        go.set()
        assert {each.result(30).text("jaxpr")[:9] for each in found} == {"word word"}
    assert len(read) == 1


def test_long_texts_are_cut_and_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(_glance, "MOST_TEXT", 10)
    assert glance(program(texts={"jaxpr": {"text": "0123456789abc"}})).text("jaxpr") == "0123456789\n\u2026"
    monkeypatch.setattr(_glance, "_MOST_LINKS", 2)
    for name in "abc":
        glance(program(name=name))
    assert len(_glance._known) == 2
    monkeypatch.setattr(_glance, "_MOST_BYTES", 1)
    glance(program(name="d"))
    assert len(_glance._known) == 1


def test_nobody_waits_for_long_while_others_are_read(monkeypatch):
    monkeypatch.setattr(_glance, "WAIT_SECONDS", 0.01)
    with _glance._reading, pytest.raises(ApiError) as told:
        glance(program())
    assert told.value.status == 503


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"x",
        packed([]),
        packed({"programs": [[]]}),
        packed({"programs": [{}]}),
        packed({"programs": [{"modules": [], "entry": None, "texts": {}}]}),
        packed({"programs": [{"modules": {}, "entry": "j0", "texts": {"jaxpr": None}, "jaxprs": {}}]}),
        zlib.compress(b"[" * 100_000 + b"]" * 100_000),
    ],
)
def test_what_has_no_known_shape_says_nothing(kept):
    assert glance(kept) == Glance()
