"""Adding and removing: what goes wrong is said with what to do, and leaves nothing. `make test` installs a real one for tests/versions."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from visualizer.runtimes import RuntimeProblem, default_version, installed
from visualizer.runtimes import _pip as pip
from visualizer.runtimes._install import add, remove

said: list[str] = []


def say(line: str) -> None:
    said.append(line)


def refused(version: str, python: str | None = None) -> str:
    with pytest.raises(RuntimeProblem) as problem:
        add(version, python, say)
    return str(problem.value)


NO_SUCH = """ERROR: Could not find a version that satisfies the requirement jax==0.6.9 (from versions: 0.4.1, 0.5.3, 0.6.0, 0.6.2, 0.7.0)
ERROR: No matching distribution found for jax==0.6.9"""
NO_NETWORK = """WARNING: Retrying after connection broken by 'NewConnectionError(Failed to establish a new connection: [Errno -3])'
ERROR: No matching distribution found for jax==0.6.9"""
NO_JAXLIB = "ERROR: No matching distribution found for jaxlib==0.6.9"
HASHES = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES."


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (NO_SUCH, "There is no JAX 0.6.9 for Python 3.{minor} on this machine. Near it are 0.5.3, 0.6.0, 0.6.2, 0.7.0."),
        (NO_JAXLIB, "There is no jaxlib of JAX 0.6.9 for Python 3.{minor} on this machine."),
        (NO_NETWORK, f"JAX 0.6.9 could not be fetched: the package index did not answer. {pip._ADVICE}"),
        (HASHES, "JAX 0.6.9 could not be installed: THESE PACKAGES DO NOT MATCH THE HASHES"),
        ("", "JAX 0.6.9 could not be installed: no reason was given"),
    ],
)
def test_what_the_installer_says_becomes_a_sentence(says, expected, installer, data):
    installer(says)
    assert refused("0.6.9") == expected.format(minor=sys.version_info.minor)
    assert installed() == []
    assert not (data / "0.6.9").exists()


def test_what_is_installed_and_does_not_trace_is_taken_away_again(installer, data):
    installer("Installed jax", code=0)  # but did not
    told = refused("0.6.9")
    assert told.startswith("JAX 0.6.9 ")
    assert "taken away again" in told
    assert not (data / "0.6.9").exists()


def test_a_lock_is_installed_from_where_there_is_one(installer, data):
    calls = installer("no")
    refused("0.6.0")
    refused("0.6.1")
    locked, loose = [line for line in calls.read_text().splitlines() if line.startswith("pip install")]
    assert "--require-hashes -r " in locked
    assert locked.endswith("jax-0.6.0.txt")
    assert "jax==0.6.1 jaxlib==0.6.1" in loose
    assert "numpy<2.3" in loose


def test_versions_that_cannot_be_are_refused_before_anything_is_made(data, monkeypatch):
    assert refused("0.6") == "'0.6' is no exact version. Name one like 0.6.0."
    assert refused(default_version()).startswith(f"JAX {default_version()} is the one that this environment has")
    assert refused("0.4.1").startswith("JAX 0.4.1 is older than what can be traced")
    assert "--python" in refused("0.6.0", "/nowhere/python")
    monkeypatch.setattr(pip, "version_of", lambda _: (3, 14))
    assert refused("0.6.0") == (
        "Python 3.14 is too new for JAX 0.6.0, which runs here on 3.11, 3.12, 3.13. Name such an interpreter: "
        "`jaxpr-visualizer jax add 0.6.0 --python python3.13`."
    )
    monkeypatch.setattr(pip, "version_of", lambda _: (3, 10))
    assert "too old for" in refused("0.6.0")
    assert installed() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "locked").mkdir(mode=0o500)
    monkeypatch.setenv("JAXPR_VISUALIZER_DATA", str(tmp_path / "locked"))
    assert "JAXPR_VISUALIZER_DATA names another folder" in refused("0.6.0")


def test_what_is_there_is_not_installed_again(made, installer):
    calls = installer("no")
    folder = made("0.6.9")
    assert add("0.6.9", None, say).folder == folder
    assert not calls.exists()


def test_two_at_once_do_not_disturb_each_other(installer, data):
    calls = installer("no", slow=1.0)
    script = "import sys; from visualizer._cli._jax import run_add; sys.exit(run_add('0.6.9', None))"
    both = [subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = sorted(process.communicate(timeout=60)[1] for process in both)
    assert [process.returncode for process in both] == [1, 1]
    assert sum("another process is at work on JAX 0.6.9" in end for end in ends) == 1
    # One after the other: each made its environment, and filled it, before the next began.
    assert [line.split()[0] for line in calls.read_text().splitlines()] == ["venv", "pip", "venv", "pip"]


def test_one_that_is_stopped_leaves_nothing_listed(installer, data):
    installer("no", slow=30.0)
    script = "import sys; from visualizer._cli._jax import run_add; sys.exit(run_add('0.6.9', None))"
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 30
    while not (data / "0.6.9" / "bin").exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.kill()
    process.communicate()
    assert (data / "0.6.9").exists()
    assert installed() == []
    installer("no")
    assert refused("0.6.9")  # the lock went with its process, and what was left is cleared
    assert not (data / "0.6.9").exists()


def test_removing(made, data):
    folder = made("0.6.0")
    with pytest.raises(RuntimeProblem, match=r"JAX 0.5.0 was not added. Those that were: 0.6.0."):
        remove("0.5.0", say)
    with pytest.raises(RuntimeProblem, match="was not added"):
        remove("../runtimes", say)
    with pytest.raises(RuntimeProblem, match="pip removes it"):
        remove(default_version(), say)
    remove("0.6.0", say)
    assert not folder.exists()
    assert installed() == []
