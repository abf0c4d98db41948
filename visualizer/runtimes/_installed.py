"""Which versions of JAX are here: the one this package came with, and those that were installed beside it.

Promises: a version is listed from the moment its installation was complete and tried, not before; one whose interpreter has gone since is
listed as not usable, with the reason.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from ._where import runtimes_folder

MARK = "ready.json"
_VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc|\.post|\.dev)\d+)?")


@dataclass(frozen=True)
class Installed:
    """A runtime. `stamp` changes whenever it is installed anew."""

    version: str
    folder: Path
    python: Path
    about: str
    stamp: str

    @property
    def problem(self) -> str:
        """Why it cannot be used now; empty where it can."""
        if os.access(self.python, os.X_OK):
            return ""
        return f"its Python is gone ({self.python.resolve()}): `jaxpr-visualizer jax remove {self.version}`, then add it again"


def is_version(text: str) -> bool:
    """Whether a text is an exact version, `0.6.0`."""
    return _VERSION.fullmatch(text) is not None


def default_version() -> str:
    """The JAX of the environment this package is installed in; empty where there is none. Does not import it."""
    try:
        return importlib.metadata.version("jax")
    except importlib.metadata.PackageNotFoundError:
        return ""


def python_of(folder: Path) -> Path:
    """The interpreter of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def installed() -> list[Installed]:
    """The runtimes that were installed, oldest JAX first."""
    found = [one for mark in runtimes_folder().glob(f"*/{MARK}") if (one := _read(mark)) is not None]
    return sorted(found, key=lambda one: [int(part) for part in re.findall(r"\d+", one.version)])


def find(version: str) -> Installed | None:
    """The runtime of one version."""
    return _read(runtimes_folder() / version / MARK) if is_version(version) else None


def _read(mark: Path) -> Installed | None:
    try:
        text = mark.read_text("utf-8")
        told = json.loads(text)
        version, about = str(told["jax"]), str(told["about"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if version != mark.parent.name:
        return None
    return Installed(version, mark.parent, python_of(mark.parent), about, f"{mark.stat().st_mtime_ns}")


def named() -> str:
    """The versions that are here, in words."""
    versions = [*filter(None, [default_version()]), *(one.version for one in installed() if not one.problem)]
    return ", ".join(dict.fromkeys(versions)) or "none"
