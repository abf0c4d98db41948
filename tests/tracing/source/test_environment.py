from __future__ import annotations

import ast

import jax
import pytest

from visualizer.tracing.source._environment import apply_environment, environment_of


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os\nos.environ['JAX_ENABLE_X64'] = '1'\nimport jax", {"JAX_ENABLE_X64": "1"}),
        ("from os import environ\nenviron['A'] = 'b'", {"A": "b"}),
        ("import os\nos.environ.setdefault('A', 'b')\nos.environ.setdefault('A', 'c')", {"A": "b"}),
        ("import os\nos.putenv('A', 'b')", {"A": "b"}),
        ("import os\nos.environ.update({'A': 'b'}, C='d')", {"C": "d", "A": "b"}),
        ("__import__('os').environ['A'] = 'b'", {"A": "b"}),
        ("import jax\nimport os\nos.environ['JAX_ENABLE_X64'] = '1'", {}),
        ("from jax import numpy\nimport os\nos.environ['A'] = '1'", {}),
        ("import os\nos.environ['A'] = str(1)", {}),
        ("import os\nif 1:\n    os.environ['A'] = '1'", {}),
    ],
)
def test_constants_before_jax_count(source, expected):
    assert environment_of(ast.parse(source)) == expected


@pytest.mark.parametrize(("text", "value"), [("1", True), ("true", True), ("0", False), ("maybe", None)])
def test_flags_are_applied(text, value, monkeypatch):
    updates = []
    monkeypatch.setattr("visualizer.tracing.source._environment._update", lambda *pair: updates.append(pair))
    notes = apply_environment({"JAX_ENABLE_X64": text, "JAX_PLATFORMS": "gpu", "HOME": "/x"})
    assert updates == ([] if value is None else [("jax_enable_x64", value)])
    assert len(notes) == len(updates)
    assert jax.config.values["jax_enable_x64"] is False
