"""What is generated of the reference is whole: what the code has and nobody has described fails here, not in front of a reader."""

from __future__ import annotations

import sys
from dataclasses import fields

import pytest

import visualizer
from visualizer.sandbox import Limits

from .blocks import DOCS

pytest.importorskip("sphinx")
pytest.importorskip("sphinx_click")
sys.path.insert(0, str(DOCS / "_ext"))
from generated import WRITERS, _api, _errors, _options, _settings, _wire

sys.path.pop(0)


def test_every_writer_writes_a_table_and_stands_on_a_page():
    text = "".join(path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    for name, write in WRITERS.items():
        assert "| --- |" in write(), name
        assert f"{{generated}} {name}\n" in text, name


def test_options_of_documents_are_described():
    from visualizer.integrations import _markdown, _sphinx

    assert set(_options.SAID) >= {*_sphinx.JaxprDirective.option_spec, *_markdown._CHOICES, *_markdown._FREE}
    assert all(f"`{name}`" in _options.settings() for name in _options.CONF)


def test_variables_of_the_environment_are_described():
    assert _settings.variables() == set(_settings.SAID)


def test_limits_and_routes_are_described():
    assert {field.name for field in fields(Limits)} == set(_settings.LIMITS)
    assert set(_api.table_of_routes()) == set(_api.SAID)


def test_codes_are_found():
    assert {"not-isolated", "unknown-jax", "part-gone", "no-link", "bad-state", "links-full"} <= set(_errors.http())
    assert {"cpu-limit", "memory-limit", "transform", "nothing-to-trace"} <= set(_errors.diagnostics())


def test_every_model_and_field_of_the_wire_can_be_linked():
    text = _wire.models()
    for name, model in _wire.classes().items():
        assert f"(wire-{name.lower()})=" in text
        assert model.__doc__, f"{name} says nothing"
    assert "{#wire-trace-schema}" in text
    assert "[Program](#wire-program)" in text


def test_every_public_name_is_documented():
    page = (DOCS / "reference/python.md").read_text("utf-8")
    assert [name for name in visualizer.__all__ if not name.startswith("__") and f":: {name}\n" not in page] == []
    silent = [name for name in dir(visualizer.Diagram) if not name.startswith("_") and not getattr(visualizer.Diagram, name).__doc__]
    assert [name for name in silent if name not in {"traced", "index", "options"}] == []
