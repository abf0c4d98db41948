"""A data folder of the test's own, and installers that say what a test has them say: nothing here reaches a network."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from visualizer.runtimes._installed import MARK


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JAXPR_VISUALIZER_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "runtimes"


@pytest.fixture
def made(data: Path) -> Callable[..., Path]:
    """A runtime as it is once it is installed, but that there is no JAX in it."""

    def make(version: str, python: str = sys.executable, **told: str) -> Path:
        folder = data / version
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").symlink_to(python)
        (folder / MARK).write_text(json.dumps({"jax": version, "about": "Python 3.11.7", **told}))
        return folder

    return make


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A `uv` that makes an environment, and answers `pip install` with a text and an exit code; the file that it notes its calls in."""

    def make(says: str, code: int = 1, slow: float = 0.0) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        (tmp_path / "says").write_text(says)
        calls = tmp_path / "calls"
        script = [
            "#!/bin/sh",
            f'echo "$@" >> {calls}',
            f'for last; do :; done; [ "$1" = venv ] && {{ mkdir -p "$last/bin"; ln -sf {sys.executable} "$last/bin/python"; exit 0; }}',
            f"sleep {slow}; cat {tmp_path / 'says'}; exit {code}",
        ]
        (folder / "uv").write_text("\n".join(script) + "\n")
        (folder / "uv").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return calls

    return make
