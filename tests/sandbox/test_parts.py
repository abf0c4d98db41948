"""The small parts: lines, emitting, limits, admission, readable roots, Landlock's attributes, the literal start."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from visualizer.sandbox import _landlock, _launch, _limits, _protocol, _roots
from visualizer.sandbox._admission import Admission
from visualizer.sandbox._emit import make_emitter
from visualizer.sandbox._limits import Limits
from visualizer.sandbox._lines import Lines
from visualizer.sandbox._protocol import Config

from .conftest import eventually


@given(st.lists(st.binary(max_size=20)))
def test_lines_are_cut_wherever_the_pieces_are(pieces):
    lines = Lines()
    found = [line for piece in pieces for line in lines.feed(piece)]
    whole = b"".join(pieces)
    assert [*found, lines.rest()] == whole.split(b"\n")
    assert lines.total == len(whole)


def emitted(value: object) -> str:
    reader, writer = os.pipe()
    try:
        make_emitter(writer)(value)
        return os.read(reader, 1 << 16).decode("ascii")
    finally:
        os.close(reader)
        os.close(writer)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=50)
@given(json_values)
def test_what_is_emitted_is_read_back(value):
    line = emitted(value)
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert json.loads(line) == value


@settings(max_examples=50)
@given(st.text(st.characters(codec=None, categories=["Cs", "Ll", "Po"]), max_size=20))
def test_no_lone_surrogate_is_emitted(text):
    read: str = json.loads(emitted(text))
    read.encode("utf-8")
    kept = [c for c in text if not "\ud800" <= c <= "\udfff" and ord(c) < 0x10000]
    assert [c for c in read if c != "\ufffd" and ord(c) < 0x10000] == [c for c in kept if c != "\ufffd"]


@pytest.mark.parametrize(
    ("value", "error"), [(float("nan"), ValueError), (float("inf"), ValueError), ({1, 2}, TypeError), (b"x", TypeError)]
)
def test_what_json_has_not_is_not_emitted(value, error):
    with pytest.raises(error):
        emitted(value)


def test_a_large_value_is_written_whole_through_a_small_pipe():
    reader, writer = os.pipe()
    text = "x" * (1 << 20)
    thread = threading.Thread(target=lambda: (make_emitter(writer)(text), os.close(writer)))
    thread.start()
    with open(reader, "rb") as file:  # noqa: PTH123 - a descriptor
        data = file.read()
    thread.join()
    assert json.loads(data) == text


def test_limits_are_set_in_a_process_of_their_own():
    script = (
        "import resource as r; from visualizer.sandbox import Limits, _limits; _limits.apply(Limits(), 3, True); "
        "print([r.getrlimit(getattr(r, 'RLIMIT_' + n)) for n in ('CPU', 'FSIZE', 'CORE', 'NOFILE', 'DATA', 'AS', 'NPROC')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert eval(done.stdout) == [(3, 4), (0, 0), (0, 0), (64, 64), (1 << 30, 1 << 30), (1 << 32, 1 << 32), (128, 128)]


def test_a_limit_is_never_raised(monkeypatch):
    got = []
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10, 10))
    monkeypatch.setattr(resource, "setrlimit", lambda which, pair: got.append(pair))
    _limits._lower(resource.RLIMIT_CPU, 20, 21)
    _limits._lower(resource.RLIMIT_CPU, 3, 4)
    assert got == [(10, 10), (3, 4)]


def test_admission_counts():
    admission = Admission(2, 1)
    assert [admission.enter(0), admission.enter(0), admission.enter(0)] == ["entered", "entered", "late"]
    got: list[str] = []
    waiter = threading.Thread(target=lambda: got.append(admission.enter(10)))
    waiter.start()
    assert eventually(lambda: admission.waiting == 1)
    assert admission.enter(10) == "full"
    admission.leave()
    waiter.join(10)
    assert got == ["entered"]
    assert (admission.running, admission.waiting) == (2, 0)


def test_the_roots_are_the_python_and_this_package():
    roots = _roots.readable(None, ())
    package = Path(_roots.__file__).parents[1]
    assert package in roots
    assert any(Path(os.__file__).resolve().is_relative_to(root) for root in roots)
    assert any(Path(pytest.__file__).resolve().is_relative_to(root) for root in roots)
    for closed in (Path.home(), Path("/etc"), Path("/tmp"), Path("/proc"), Path("/"), package.parent, Path.cwd()):
        assert not any(closed.resolve().is_relative_to(root) for root in roots), closed
    assert not any(root.is_relative_to(other) for root in roots for other in roots if root != other)


@pytest.mark.parametrize(
    ("version", "size", "rights"), [(1, 8, 13), (2, 8, 14), (3, 8, 15), (4, 16, 15), (5, 16, 16), (6, 24, 16), (9, 24, 16)]
)
def test_landlock_handles_every_right_that_the_kernel_knows(version, size, rights):
    packed = _landlock.attributes(version)
    assert len(packed) == size
    assert int.from_bytes(packed[:8], "little") == (1 << rights) - 1
    assert packed[8:16] in (b"", b"\x03" + b"\0" * 7)
    assert packed[16:24] in (b"", b"\x03" + b"\0" * 7)


def test_the_configuration_travels():
    config = Config("a.b:c", Limits(cpu_seconds=2), 7, tuple(sorted(_protocol.ALL_LAYERS)), ("/x",))
    assert Config.from_json(config.to_json()) == config


def test_the_start_takes_nothing_of_the_caller(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/evil")
    assert "PYTHONPATH" not in _launch.ENVIRONMENT
    assert _launch.command("python", "5")[:4] == ["python", "-s", "-P", "-B"]
