"""Pictures for documents, from a cache or made by a fresh Python.

Promises: what is in the cache was made from the same code, options, versions and files, byte by byte; a file of it is whole or not there.
Must never: trace or draw in this process. It may be a fork of one that has run JAX (`sphinx-build -j`), where both would wait for ever.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from visualizer._version import __version__

from ._wanted import NotDrawn, Picture, Wanted

_CHILD = "visualizer.integrations._child"
TIMEOUT_SECONDS = 120.0


def picture(wanted: Wanted, *, folder: Path, root: Path, seconds: float = TIMEOUT_SECONDS) -> Picture:
    """The picture; `folder` is that of the cache, `root` that which its code runs in. Raises NotDrawn."""
    kept = folder / f"{_key(wanted)}.json"
    found = _kept(kept)
    if found is None:
        found = _made(wanted, root, seconds)
        _keep(kept, found)
    return found


def digest(path: str | os.PathLike[str]) -> str:
    """The digest of a file's bytes, or of nothing where it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _key(wanted: Wanted) -> str:
    # Where a file is drawn that was saved, no jax has a say. Where code stands in its document has none, either.
    versions = (_ours(), None if wanted.saved else _version_of_jax(), None if wanted.saved else sys.version_info[:2])
    given = {**asdict(wanted), "line": 0, "versions": versions, "content": digest(wanted.saved) if wanted.saved else ""}
    return hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()[:40]


@cache
def _ours() -> str:
    """This version of the package; of a checkout, whose version does not change with it, this state."""
    package = Path(__file__).parents[1]
    files = sorted([*package.rglob("*.py"), *package.glob("drawing/bundle/*.js")])
    return f"{__version__} {hashlib.sha256(''.join(map(digest, files)).encode()).hexdigest()}"


def _version_of_jax() -> str | None:
    try:
        return importlib.metadata.version("jax")
    except importlib.metadata.PackageNotFoundError:
        return None


def _kept(path: Path) -> Picture | None:
    with contextlib.suppress(OSError, ValueError, TypeError):
        found = Picture(**json.loads(path.read_text(encoding="utf-8")))
        if all(digest(name) == then for name, then in found.files.items()):
            return found
    return None


def _keep(path: Path, made: Picture) -> None:
    # Without a cache every build traces again, which is slow and nothing else.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(made), file)
        Path(name).replace(path)


def _made(wanted: Wanted, root: Path, seconds: float) -> Picture:
    # What the builder can import (conf.py may have put a folder on the path), the code of its documents can.
    request = json.dumps({**asdict(wanted), "path": [entry for entry in sys.path if entry]}).encode()
    try:
        done = subprocess.run(
            [sys.executable, "-m", _CHILD], input=request, capture_output=True, cwd=root, timeout=seconds, check=False, env=_environment()
        )
    except subprocess.TimeoutExpired:
        raise NotDrawn(f"It was stopped after {seconds:g} seconds. Only trace in it: trace(f, f32[3]) does not run f.") from None
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise NotDrawn(f"Its process ended with code {done.returncode}{': ' + said[-1] if said else ''}.") from None
    if "error" in found:
        raise NotDrawn(found["error"], found.get("line"))
    return Picture(**found)


def _environment() -> Mapping[str, str]:
    """This package is the one that the builder has, wherever the child is started."""
    here = str(Path(__file__).parents[2])
    paths = [here, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    found: dict[str, Any] = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return found
