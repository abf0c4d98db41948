"""Where runtimes lie: `JAXPR_VISUALIZER_DATA`, else the person's data folder as the platform has it.

Must never: make a folder; whoever installs does.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

NAME = "jaxpr-visualizer"


def data_folder() -> Path:
    """The folder that everything of ours is under."""
    asked = os.environ.get("JAXPR_VISUALIZER_DATA")
    if asked:
        return Path(asked).expanduser().absolute()
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / NAME
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / NAME
    given = os.environ.get("XDG_DATA_HOME", "")
    # A relative path there is to be ignored: so says the specification.
    return (Path(given) if given.startswith("/") else home / ".local" / "share") / NAME


def runtimes_folder() -> Path:
    """The folder with one folder per version."""
    return data_folder() / "runtimes"


def lock_of(version: str) -> Path | None:
    """The file of exact versions and hashes for a JAX, where we have one: in the wheel beside this file, in a checkout under `locks`."""
    here = Path(__file__).resolve()
    for folder in (here.parent / "locks", here.parents[2] / "locks"):
        file = folder / f"jax-{version}.txt"
        if file.is_file():
            return file
    return None
