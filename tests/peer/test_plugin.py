"""The plugin, as it is used: over tests in JAX's style, in a pytest of its own."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from tests.peer import recording
from tests.peer.bounded import TooSlow, bounded
from tests.peer.plugin import DISAGREES
from tests.peer.report import Report

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

UNEASY = """
import gc
import unittest
import weakref

import jax
import jax.numpy as jnp
from jax._src import test_util as jtu

def made():
    closed = jax.make_jaxpr(lambda x: jnp.sin(x) + 1)(1.0)
    return weakref.ref(closed)

class Uneasy(jtu.JaxTestCase):
    def test_fails_on_its_own(self):
        jax.jit(jnp.cos)(1.0)
        self.assertEqual(1, 2)

    def test_sees_what_is_kept(self):
        self.assertIsNone(made()())

    def test_collects_garbage(self):
        kept = made()
        gc.collect()
        self.assertIsNone(kept())

    def test_looks_for_leaks(self):
        with jax.checking_leaks():
            jax.jit(lambda x: jax.lax.scan(lambda c, a: (c + a, c), x, jnp.arange(3.0)))(1.0)

    def test_counts(self):
        fun = jax.jit(lambda x: jax.lax.neg(jax.lax.sin(x)))
        for _ in range(2):
            with jtu.count_jit_tracing_cache_miss() as count:
                fun(1.0)
                fun(2.0)
            self.assertEqual(count(), 1)
            jax.clear_caches()

    @unittest.skip("not today")
    def test_is_skipped(self):
        pass
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
    assert done.returncode == DISAGREES
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


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["one process", "xdist"])
def test_what_fails_on_its_own_is_told_apart(tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "own_test.py").write_text(UNEASY)
    done, report = run(tmp_path, tmp_path / "report.json", *options)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    assert [name.split("::")[-1] for name in report["failed"]] == ["test_fails_on_its_own"]
    assert [name.split("::")[-1] for name in report["disturbed"]] == ["test_sees_what_is_kept"]
    assert (report["passed"], report["skipped"], report["lost"]) == (3, 1, 0)
    assert report["unequal"] == 0
    assert report["programs"] > 3
    assert "1 fail on their own, 1 fail only while recorded" in done.stdout
    assert "fails only while recorded: " in done.stdout


def test_a_program_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: Any, **__: Any) -> list[str]:
        while True:
            with contextlib.suppress(Exception):
                time.sleep(0.01)

    monkeypatch.setattr(recording, "check_program", endless)
    recorder = recording.Recorder(recording.Limits(each=0.05))
    with recorder.installed():
        jax.make_jaxpr(lambda x: x + 1)(1.0)
    assert recorder.report.too_slow > 0
    assert recorder.report.programs == 0


def test_constants_are_not_kept_for_long() -> None:
    recorder = recording.Recorder(recording.Limits(bytes=1000))
    with recorder.installed():
        for size in (100, 300):
            jax.make_jaxpr(lambda x, big=np.ones(size, np.float32): x + big)(1.0)
        assert recorder.report.programs > 0


def test_a_timer_that_ran_before_goes_on() -> None:
    handler = signal.getsignal(signal.SIGALRM)
    left = signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with pytest.raises(TooSlow), bounded(0.01):
            time.sleep(10)
        assert 990 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        signal.setitimer(signal.ITIMER_REAL, *left)


def test_reports_add_up() -> None:
    sum_, other = Report(passed=1), Report(passed=2, seconds=0.5)
    other.primitives["sin"] += 3
    other.disagrees("a test", ["x" * 10_000], "text")
    sum_.add(other.as_json())
    sum_.add(other.as_json())
    assert (sum_.passed, sum_.unequal, sum_.seconds, sum_.primitives["sin"]) == (5, 2, 1.0, 6)
    assert len(sum_.disagreements[0]["reasons"][0]) < 10_000
    assert "5 passed" in "".join(sum_.lines())
