"""A pytest plugin: every jaxpr that JAX makes while any tests run (JAX's own, say) is serialised and checked against JAX.

    python -m pytest -p tests.peer.plugin --peer-json report.json <folder of tests>

The summary says how many were seen, and the exit status tells two things apart: 10 when any program disagrees, and what pytest itself says
(1 when tests fail) when none does. A test that fails is run once more without recording, to know whether it fails on its own. It works
under `-n` too.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.peer.recording import Limits, Recorder
from tests.peer.report import Report

DISAGREES = 10
"""The exit status when any program is serialised as other than JAX has it."""
SHOWN = 20
EVERY = 60.0
_KEY = pytest.StashKey[Recorder]()
_OUTCOME = pytest.StashKey[str]()
_PROPERTY = "peer"
Numbers = list[int]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("peer", "jaxprs checked against JAX")
    group.addoption("--peer-json", metavar="FILE", help="write the whole report to a file")
    group.addoption("--peer-max-eqns", type=int, default=Limits.eqns, help="leave out programs with more equations (%(default)s)")
    group.addoption("--peer-seconds", type=float, default=Limits.seconds, help="longest checking after one test (%(default)s)")
    group.addoption("--peer-each", type=float, default=Limits.each, help="longest checking of one program (%(default)s)")
    group.addoption("--peer-no-back", action="store_true", help="do not write the text back from the program")
    group.addoption("--peer-no-again", action="store_true", help="do not run failing tests once more without recording")


def pytest_configure(config: pytest.Config) -> None:
    limits = Limits(
        eqns=config.getoption("--peer-max-eqns"),
        seconds=config.getoption("--peer-seconds"),
        each=config.getoption("--peer-each"),
        back=not config.getoption("--peer-no-back"),
    )
    recorder = config.stash[_KEY] = Recorder(limits)
    installed = recorder.installed()
    installed.__enter__()
    config.add_cleanup(lambda: installed.__exit__(None, None, None))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    recorder = item.config.stash[_KEY]
    recorder.flush()  # made by the collection, or between two tests
    recorder.where = item.nodeid
    item.stash[_OUTCOME] = "passed"
    try:
        result = yield
        _judge(item, nextitem, recorder)
    finally:
        recorder.flush()
        recorder.where = "between tests"
    return result


def _judge(item: pytest.Item, nextitem: pytest.Item | None, recorder: Recorder) -> None:
    """Whether a test that failed does so because of us."""
    report = recorder.report
    if item.stash[_OUTCOME] == "passed":
        report.passed += 1
    elif item.stash[_OUTCOME] == "skipped":
        report.skipped += 1
    elif item.config.getoption("--peer-no-again") or not isinstance(item, pytest.Function):
        report.failed.append(item.nodeid)
    else:
        with recorder.paused():
            item._initrequest()
            again = runtestprotocol(item, log=False, nextitem=nextitem)
        (report.failed if any(part.failed for part in again) else report.disturbed).append(item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    made: Any = yield
    recorder = item.config.stash[_KEY]
    if not made.passed and item.stash[_OUTCOME] != "failed":
        item.stash[_OUTCOME] = made.outcome
    if call.when == "teardown":
        before = _numbers(recorder.report)
        recorder.flush()
        gained = [b - a for a, b in zip(before, _numbers(recorder.report), strict=True)]
        made.user_properties = [*made.user_properties, (_PROPERTY, gained)]
    return made


def _numbers(report: Report) -> Numbers:
    return [report.programs, report.equations, report.unequal]


class Progress:
    """A line about once a minute: how far the comparing is. `-n` has the same, as each test's numbers come with its report."""

    def __init__(self, terminal: Any) -> None:
        self.terminal = terminal
        self.sum: Numbers = [0, 0, 0]
        self.tests = 0
        self.told = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up, and tell from time to time; at once of the first disagreement."""
        gained = dict(report.user_properties).get(_PROPERTY)
        if not isinstance(gained, list):
            return
        self.tests += 1
        first = not self.sum[2] and gained[2]
        self.sum = [a + b for a, b in zip(self.sum, gained, strict=True)]
        if first or time.monotonic() - self.told > EVERY:
            self.told = time.monotonic()
            programs, equations, wrong = self.sum
            self.terminal.ensure_newline()
            self.terminal.write_line(f"peer: {self.tests} tests, {programs} programs, {equations} equations, {wrong} disagreements")


def pytest_sessionstart(session: pytest.Session) -> None:
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(session.config, "workeroutput"):
        session.config.pluginmanager.register(Progress(terminal), "peer-progress")


@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    config = session.config
    recorder = config.stash[_KEY]
    recorder.flush()
    if hasattr(config, "workeroutput"):
        config.workeroutput[_PROPERTY] = json.dumps(recorder.report.as_json())
    result = yield
    ended = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
    if recorder.report.unequal and session.exitstatus in ended:
        session.exitstatus = DISAGREES
    path = config.getoption("--peer-json")
    if path and not hasattr(config, "workeroutput"):
        Path(path).write_text(json.dumps(recorder.report.as_json(), indent=1) + "\n", "utf-8")
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """A worker of xdist has ended: its numbers are part of ours."""
    report = node.config.stash[_KEY].report
    if told := getattr(node, "workeroutput", {}).get(_PROPERTY):
        report.add(json.loads(told))
    else:
        report.lost += 1


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    report = config.stash[_KEY].report
    terminalreporter.section("peer")
    for line in report.lines():
        terminalreporter.line(line)
    for name in report.disturbed[:SHOWN]:
        terminalreporter.line(f"fails only while recorded: {name}", yellow=True)
    for wrong in report.disagreements[:SHOWN]:
        terminalreporter.line(f"{wrong['test']}: {wrong['reasons'][0][:500]}", red=True)
    if report.unequal > SHOWN:
        terminalreporter.line(f"and {report.unequal - SHOWN} more")
