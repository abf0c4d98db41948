"""The tier is what the self-test proves: here on machines that lack something (played by refusing kernel calls)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from visualizer.sandbox import _attacks, _canaries, _tier

from .conftest import HERE

linux = pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")


def play(*arguments: str) -> dict[str, Any]:
    """What a sandbox says of a machine that refuses the given calls."""
    command = [sys.executable, str(HERE / "lesser_machine.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if "cannot play" in done.stderr:
        pytest.skip("no filter can be loaded here")
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@linux
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("refused", "tiers", "public"),
    [
        ("", "AB", True),
        ("unshare", "B", True),  # Docker's default profile
        ("mount", "B", True),
        ("landlock", ("C", "local"), None),
        ("unshare,landlock", ("local",), False),
        ("seccomp", ("local",), False),
        ("setresuid", "AB", True),
        ("unshare,setresuid", "B", True),
    ],
)
def test_a_lesser_machine_says_what_it_is(refused, tiers, public):
    told = play(refused)
    health = told["health"]
    assert health["tier"] in tiers, health
    assert told["public"] is (health["tier"] != "local")
    assert public in (None, told["public"])
    assert '"42"' in told["text"]
    assert "can't start new thread" in told["bomb"] or "thread-limit" in told["bomb"]
    assert (health["landlock_abi"] == 0) is ("landlock" in refused)
    if health["tier"] == "local":
        assert health["leaks"]


@linux
@pytest.mark.sandbox
def test_each_layer_closes_something_of_its_own(start):
    """Without one layer the self-test finds what only that layer closes."""
    without_seccomp = start(layers=frozenset({"rlimits", "namespaces", "uid", "landlock"})).supervisor.health()
    assert {"fork", "shared-memory", "memfd", "threads-unfiltered"} <= set(without_seccomp["leaks"])
    without_files = start(layers=frozenset({"rlimits", "uid", "seccomp"})).supervisor.health()
    assert {"fs-read", "fs-read-server", "fs-list"} <= set(without_files["leaks"])
    nothing = start(layers=frozenset({"rlimits"})).supervisor
    assert {"fork", "exec", "udp", "unix", "fs-write"} & set(nothing.health()["leaks"]) or nothing.health()["leaks"] == ["self-test"]
    assert nothing.health()["tier"] == "local"
    assert nothing.allows_public() is False


LANDLOCK_AND_SECCOMP = ["rlimits", "uid (slot)", "landlock", "seccomp"]


@pytest.mark.parametrize(
    ("leaks", "layers", "namespaces", "tier"),
    [
        ([], LANDLOCK_AND_SECCOMP, ["net", "mount"], "A"),
        ([], LANDLOCK_AND_SECCOMP, ["net"], "B"),
        ([], LANDLOCK_AND_SECCOMP, [], "B"),
        ([], ["rlimits", "seccomp"], ["net", "mount"], "C"),
        ([], ["rlimits", "seccomp"], ["mount"], "local"),
        ([], ["rlimits", "landlock"], ["net", "mount"], "local"),
        ([], ["landlock", "seccomp"], ["net", "mount"], "local"),
        (["udp"], LANDLOCK_AND_SECCOMP, ["net", "mount"], "local"),
        (["self-test"], LANDLOCK_AND_SECCOMP, ["net", "mount"], "local"),
    ],
)
def test_the_rule(leaks, layers, namespaces, tier):
    assert _tier.decide(leaks, layers, namespaces) == tier


@pytest.mark.parametrize(
    "report",
    [
        None,
        {},
        {"started": True},
        {"tried": [], "leaks": []},
        {"tried": list(_attacks.ATTACKS)[:-1], "leaks": []},
        {"tried": list(_attacks.ATTACKS), "leaks": None},
    ],
)
def test_half_a_report_is_a_leak(report):
    assert _canaries.judge(report) == ["self-test"]


def test_a_whole_report_is_believed():
    assert _canaries.judge({"tried": list(_attacks.ATTACKS), "leaks": []}) == []
    assert _canaries.judge({"tried": list(_attacks.ATTACKS), "leaks": ["udp"]}) == ["udp"]


OPEN_TO_ALL = [
    "fs-read", "fs-read-server", "fs-list", "fs-write", "proc-environ", "environ", "tcp", "unix", "abstract-unix", "signal-server",
    "shared-memory", "memfd", "threads-unfiltered",
]  # fmt: skip


@linux
def test_the_attacks_are_real():
    """Outside a jail they succeed: else they would prove nothing. (Those that would harm or need a jail to fail are left out.)"""
    with _canaries.targets() as spec:
        tries = _attacks._tries(spec)
        assert set(tries) == set(_attacks.ATTACKS)
        for name in OPEN_TO_ALL:
            assert _attacks._succeeds(tries[name]), name
