"""Several interpreters behind one interface: each request under the JAX that it names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.sandbox.conftest import HERE, QUICK, Answer
from visualizer.sandbox import Other, Pool, Supervisor

pytestmark = pytest.mark.sandbox


def pool(others: dict[str, Other], most: int = 2) -> tuple[Pool, list[str]]:
    """A pool of fake workers, and the interpreters that it has started, in order."""
    started: list[str] = []

    def make(python: str | None) -> Supervisor:
        started.append(python or "own")
        return Supervisor("fake_worker", python=python or sys.executable, limits=QUICK, size=2, spares=0, import_paths=(str(HERE),))

    return Pool(make, "0.0.fake", lambda: others, most), started


def ask(tracer: Pool, jax: str | None) -> Answer:
    return Answer(list(tracer.trace({"source": "answer = request['jax']", "jax": jax})))


def other(name: str, tmp_path: Path, stamp: str = "1") -> Other:
    """The same interpreter under a name of its own."""
    link = tmp_path / name
    if not link.exists():
        link.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        link.chmod(0o755)
    return Other(str(link), stamp)


def test_a_version_is_started_when_it_is_first_asked_for(tmp_path):
    others = {"1.0.0": other("one", tmp_path)}
    tracer, started = pool(others)
    with tracer:
        assert started == ["own"]
        assert ask(tracer, None).text == "None"
        assert ask(tracer, "0.0.fake").text == "0.0.fake"
        assert started == ["own"]
        assert ask(tracer, "1.0.0").text == "1.0.0"
        assert ask(tracer, "1.0.0").text == "1.0.0"
        assert started == ["own", others["1.0.0"].python]


def test_a_version_that_is_not_here_is_a_diagnostic_that_names_those_that_are(tmp_path):
    tracer, started = pool({"1.0.0": other("one", tmp_path), "2.0.0": Other("/nowhere", "1", "its Python is gone")})
    with tracer:
        (found,) = ask(tracer, "3.0.0").diagnostics
        assert (found["code"], found["message"]) == ("unknown-jax", "JAX 3.0.0 is not installed here; there is 0.0.fake, 1.0.0.")
        assert "`jaxpr-visualizer jax add 3.0.0`" in found["advice"]
        (found,) = ask(tracer, "2.0.0").diagnostics
        assert found["message"] == "JAX 2.0.0 cannot be used: its Python is gone; there is 0.0.fake, 1.0.0."
        assert started == ["own"]
        assert [each["jax"] for each in tracer.health()["runtimes"]] == ["0.0.fake", "1.0.0"]


def test_one_that_does_not_start_says_so_and_is_tried_again(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    tracer, started = pool({"1.0.0": Other(str(broken), "1")})
    with tracer:
        (found,) = ask(tracer, "1.0.0").diagnostics
        assert found["code"] == "unknown-jax"
        assert "does not start" in found["message"]
        broken.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        assert ask(tracer, "1.0.0").text == "1.0.0"
        assert len(started) == 3


def test_no_more_are_kept_than_may_be_and_the_longest_unused_goes(tmp_path):
    others = {name: other(name, tmp_path) for name in ("1.0.0", "2.0.0", "3.0.0")}
    tracer, started = pool(others, most=2)
    with tracer:
        for name in ("1.0.0", "2.0.0", "1.0.0", "3.0.0", "1.0.0", "2.0.0"):
            assert ask(tracer, name).text == name
        assert [Path(python).name for python in started] == ["own", "1.0.0", "2.0.0", "3.0.0", "2.0.0"]
        assert set(tracer._kept) == {"1.0.0", "2.0.0"}


def test_one_that_is_busy_is_not_taken_away(tmp_path):
    others = {name: other(name, tmp_path) for name in ("1.0.0", "2.0.0")}
    tracer, _ = pool(others, most=1)
    with tracer:
        running = tracer.trace({"source": "emit(message('first')); answer = 'silent'", "jax": "1.0.0"})
        next(running)
        assert ask(tracer, "2.0.0").codes == ["busy"]
        running.close()
        assert ask(tracer, "2.0.0").text == "2.0.0"


def test_one_that_is_installed_anew_is_started_anew(tmp_path):
    others = {"1.0.0": other("one", tmp_path)}
    tracer, started = pool(others)
    with tracer:
        ask(tracer, "1.0.0")
        others["1.0.0"] = other("one", tmp_path, stamp="2")
        assert ask(tracer, "1.0.0").text == "1.0.0"
        assert len(started) == 3


def test_what_this_server_promises_strangers_holds_for_every_version(tmp_path, monkeypatch):
    tracer, _ = pool({"1.0.0": other("one", tmp_path)})
    with tracer:
        if not tracer.allows_public():
            pytest.skip("no version is isolated well enough on this machine")
        monkeypatch.setattr(Supervisor, "allows_public", lambda _: False)
        (found,) = ask(tracer, "1.0.0").diagnostics
        assert "isolated" in found["message"]
