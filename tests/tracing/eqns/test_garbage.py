"""The collector is off while a program is said, and as it was afterwards."""

from __future__ import annotations

import gc

import pytest

from visualizer.tracing.eqns import _garbage


def test_the_collector_is_off_inside_and_on_afterwards():
    assert gc.isenabled()
    with _garbage.no_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_comes_back_after_an_error():
    with pytest.raises(KeyError), _garbage.no_collection():
        raise KeyError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with _garbage.no_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_was_frozen_stays_frozen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_garbage, "_frozen", [])
    try:
        _garbage.freeze()
        before = gc.get_freeze_count()
        with _garbage.no_collection():
            pass
        assert before and gc.get_freeze_count() == before
    finally:
        gc.unfreeze()


def test_only_a_process_that_ends_after_its_job_leaves_what_it_made(monkeypatch: pytest.MonkeyPatch):
    kept: list[object] = []
    monkeypatch.setattr(_garbage, "_kept", kept)
    monkeypatch.setattr(_garbage, "_frozen", [])
    _garbage.left("a module")
    assert not kept
    monkeypatch.setattr(_garbage, "_frozen", [True])
    _garbage.left("a module")
    assert kept == ["a module"]
