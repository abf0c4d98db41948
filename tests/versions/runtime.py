"""The runtimes that `make test` (0.6.0) and `make test-all` (all of them) have installed, and what a test asks of one.

A version that is asked for and is not there is a failure in CI, where nothing may be skipped in silence; by hand it is a skip that says how
it is installed.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from visualizer.runtimes import default_version

ROOT = Path(__file__).parents[2]
DATA = ROOT / ".stamps" / "data"
CASES = Path(os.environ.get("JAXPR_VISUALIZER_SHARED", ROOT.parent / "shared")) / "cases"
OLDER = ("0.4.38", "0.6.0", "0.7.2", "0.9.2")
WANTED = tuple(os.environ.get("JAX_VERSIONS", "0.6.0").split())
ALL = set(OLDER) <= set(WANTED)
# What differs most between versions, and what a lesson is likely to show. `make test-all` runs every case.
CHOSEN = "001,006,010,012,014,017,020,025,028,032,040,047,054,058,062,089,096,099,110,158"


def python_of(version: str) -> str:
    """The interpreter of a version."""
    if version == default_version():
        return sys.executable
    file = DATA / "runtimes" / version / "bin" / "python"
    if (file.parent.parent / "ready.json").is_file():
        return str(file)
    how = f"JAX {version} is not installed for the tests: `make .stamps/jax-{version}` does it, and needs the package index"
    if os.environ.get("CI"):
        pytest.fail(how)
    pytest.skip(how)


@functools.cache
def judged(version: str, *arguments: str) -> dict[str, list[str]]:
    """What the judge of that version finds wrong, by program."""
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(ROOT),
        "JAX_PLATFORMS": "cpu",
        "HOME": "/nowhere",
        "LANG": "C.UTF-8",
    }
    command = [python_of(version), "-W", "ignore", "-m", "tests.versions.judge", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout)
    assert told["jax"] == version
    found: dict[str, list[str]] = told["judged"]
    return found
