"""The plugin, as it is used: over tests in JAX's style, in a pytest of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SAMPLES = Path(__file__).parent / "samples"

PLANT = """
import tests.peer.recording as recording

real = recording.serialize

def serialize(closed):
    program = real(closed)
    if [eqn.primitive for eqn in program.jaxprs[program.entry].eqns] == ["cosh", "mul"]:
        raise ValueError("planted")
    return program

recording.serialize = serialize
"""

TEST = """
import jax
import jax.numpy as jnp

def test_one():
    assert jax.jit(jnp.sin)(0.0) == 0

def test_two():
    jax.make_jaxpr(lambda x: jnp.cosh(x) * 2)(1.0)
"""


def run(folder: Path, report: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.peer.plugin",
        "--peer-json",
        str(report),
        *options,
    ]
    done = subprocess.run([*command, str(folder)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert report.is_file(), done.stdout + done.stderr
    return done, json.loads(report.read_text())


def test_samples_in_the_style_of_jax_agree(tmp_path: Path) -> None:
    done, report = run(SAMPLES, tmp_path / "report.json")
    assert done.returncode == 0, done.stdout
    assert report["disagreements"] == []
    assert report["too_large"] == report["out_of_time"] == 0
    assert report["programs"] > 100
    assert report["recorded"] == report["programs"] + report["same"] + report["inside"]
    assert {"scan", "while", "cond", "jit", "custom_linear_solve", "custom_vjp_call", "pallas_call"} <= set(report["primitives"])
    assert f"{report['recorded']} jaxprs recorded" in done.stdout


def test_a_planted_disagreement_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(PLANT)
    (tmp_path / "own_test.py").write_text(TEST)
    done, report = run(tmp_path, tmp_path / "report.json")
    assert "2 passed" in done.stdout
    assert done.returncode == 1
    (wrong,) = report["disagreements"]
    assert wrong["test"].endswith("own_test.py::test_two")
    assert "ValueError: planted" in wrong["reasons"][0]
    assert "cosh" in wrong["jaxpr"]


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    (tmp_path / "own_test.py").write_text(TEST)
    done, report = run(tmp_path, tmp_path / "report.json", "--peer-max-eqns", "1")
    assert done.returncode == 0
    assert report["too_large"] > 0
    assert report["equations"] <= report["programs"]
