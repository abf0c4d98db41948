"""A pytest plugin: every jaxpr that JAX makes while any tests run (JAX's own, say) is serialised and checked against JAX.

    python -m pytest -p tests.peer.plugin --peer-json report.json <folder of tests>

The run fails when any program disagrees, and the summary says how many were seen. It works under `-n` too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.peer.recording import Limits, Recorder

_KEY = pytest.StashKey[Recorder]()
SHOWN = 20


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("peer", "jaxprs checked against JAX")
    group.addoption("--peer-json", metavar="FILE", help="write the whole report to a file")
    group.addoption("--peer-max-eqns", type=int, default=Limits.eqns, help="leave out programs with more equations (%(default)s)")
    group.addoption("--peer-seconds", type=float, default=Limits.seconds, help="longest checking after one test (%(default)s)")
    group.addoption("--peer-no-back", action="store_true", help="do not write the text back from the program")


def pytest_configure(config: pytest.Config) -> None:
    limits = Limits(
        eqns=config.getoption("--peer-max-eqns"),
        seconds=config.getoption("--peer-seconds"),
        back=not config.getoption("--peer-no-back"),
    )
    recorder = config.stash[_KEY] = Recorder(limits)
    installed = recorder.installed()
    installed.__enter__()
    config.add_cleanup(lambda: installed.__exit__(None, None, None))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    recorder = item.config.stash[_KEY]
    recorder.flush()  # made by the collection, or between two tests
    recorder.where = item.nodeid
    try:
        return (yield)
    finally:
        recorder.flush()
        recorder.where = "between tests"


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    config = session.config
    recorder = config.stash[_KEY]
    recorder.flush()
    if hasattr(config, "workeroutput"):
        config.workeroutput["peer"] = json.dumps(recorder.report.as_json())
    result = yield
    if recorder.report.disagreements and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    path = config.getoption("--peer-json")
    if path and not hasattr(config, "workeroutput"):
        Path(path).write_text(json.dumps(recorder.report.as_json(), indent=1) + "\n", "utf-8")
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker of xdist has ended: its numbers are part of ours."""
    if told := getattr(node, "workeroutput", {}).get("peer"):
        node.config.stash[_KEY].report.add(json.loads(told))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    report = config.stash[_KEY].report
    terminalreporter.section("peer")
    for line in report.lines():
        terminalreporter.line(line)
    for wrong in report.disagreements[:SHOWN]:
        terminalreporter.line(f"{wrong['test']}: {wrong['reasons'][0][:500]}", red=True)
    if len(report.disagreements) > SHOWN:
        terminalreporter.line(f"and {len(report.disagreements) - SHOWN} more")
