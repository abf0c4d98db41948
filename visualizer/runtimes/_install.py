"""Installs and removes a runtime.

Promises: one at a time per version (a second one waits, and then finds it there); a runtime is tried before it is said to be there;
whatever goes wrong, or is stopped, leaves nothing that is listed. Must never: touch a folder that is not one of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ._installed import MARK, Installed, default_version, find, installed, is_version, python_of
from ._pip import Say, check_python, install, make_environment
from ._problem import RuntimeProblem
from ._where import lock_of, runtimes_folder

# What goes with a JAX that there is no lock file for: NumPy of its time, and what older ones import without saying so.
_BESIDE = ("pydantic>=2.11", "absl-py")
_OLD = ("numpy<2.3", "scipy<1.16", "ml-dtypes<0.6")
# Asks a new environment for its version, and whether tracing loads and traces there. This package alone is handed to it, as the sandbox
# does: the folder that it is in may hold another JAX.
_TRY = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("visualizer", sys.argv[1] + "/__init__.py", submodule_search_locations=[sys.argv[1]])
sys.modules["visualizer"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["visualizer"])
import jax
from visualizer.tracing._source import trace_source
trace = trace_source("import jax; jax.make_jaxpr(lambda x: x * 2.0)(1.0)")
told = [found["message"] for found in trace["diagnostics"]]
python = ".".join(map(str, sys.version_info[:3]))
print(json.dumps({"jax": jax.__version__, "python": python, "programs": len(trace["programs"]), "told": told}))
"""


def add(version: str, python: str | None, say: Say) -> Installed:
    """Install a version. RuntimeProblem where that cannot be."""
    if not is_version(version):
        raise RuntimeProblem(f"{version!r} is no exact version. Name one like 0.6.0.")
    if version == default_version():
        raise RuntimeProblem(f"JAX {version} is the one that this environment has: it is there without being added.")
    with _alone(version, say):
        there = find(version)
        if there is not None and not there.problem:
            say(f"JAX {version} is already here ({there.about})")
            return there
        interpreter = python or sys.executable
        check_python(version, interpreter)
        folder = runtimes_folder() / version
        _clear(folder)
        try:
            folder.mkdir(parents=True)
            make_environment(interpreter, folder, say)
            say(f"JAX {version} and what it needs (some 600 MB on disk; the download is about a sixth of it)")
            install(folder, version, _requirements(version), say)
            say("trying it")
            about = _try(folder, version)
            _mark(folder, version, about)
        except BaseException as error:
            _clear(folder)
            if isinstance(error, OSError):
                raise RuntimeProblem(f"{folder} cannot be written: {error.strerror}. JAXPR_VISUALIZER_DATA names another folder.") from None
            raise
    made = find(version)
    if made is None:
        raise RuntimeProblem(f"JAX {version} was removed while it was added. Add it again.")
    return made


def remove(version: str, say: Say) -> None:
    """Remove a version that was added. RuntimeProblem where it was not."""
    if version == default_version() and find(version) is None:
        raise RuntimeProblem(f"JAX {version} is the one of this environment: pip removes it, not this command.")
    folder = runtimes_folder() / version
    if not is_version(version) or not folder.is_dir():
        added = ", ".join(one.version for one in installed()) or "none"
        raise RuntimeProblem(f"JAX {version[:40]} was not added. Those that were: {added}.")
    with _alone(version, say):
        _clear(folder)


def _requirements(version: str) -> list[str]:
    lock = lock_of(version)
    if lock is not None:
        return ["--require-hashes", "-r", str(lock)]
    number = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    return [f"jax=={version}", f"jaxlib=={version}", *_BESIDE, *(_OLD if number < (0, 7) else ())]


def _try(folder: Path, version: str) -> str:
    """What the new runtime says about itself. RuntimeProblem where it does not trace."""
    home = str(Path(__file__).resolve().parents[1])
    environment = {"PATH": os.environ.get("PATH", ""), "JAX_PLATFORMS": "cpu", "LANG": "C.UTF-8"}
    command = [str(python_of(folder)), "-s", "-P", "-c", _TRY, home]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)
        told = json.loads(done.stdout.splitlines()[-1])
    except (subprocess.TimeoutExpired, ValueError, IndexError):
        why = "it did not answer" if "done" not in locals() else (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        raise RuntimeProblem(f"JAX {version} is installed but does not run here, and was taken away again: {why[:300]}") from None
    if told["jax"] != version or told["programs"] != 1:
        raise RuntimeProblem(f"JAX {version} does not trace a line of code here, and was taken away again: {' '.join(told['told'])[:300]}")
    return f"Python {told['python']}"


def _mark(folder: Path, version: str, about: str) -> None:
    part = folder / f"{MARK}.part"
    part.write_text(json.dumps({"jax": version, "about": about}), "utf-8")
    part.replace(folder / MARK)


def _clear(folder: Path) -> None:
    """Take a runtime away: what lists it first."""
    with contextlib.suppress(FileNotFoundError):
        (folder / MARK).unlink()
    if folder.is_dir():
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _alone(version: str, say: Say) -> Iterator[None]:
    """While this lasts no other process adds or removes this version. The lock ends with its process, however that ends."""
    try:
        import fcntl
    except ImportError:  # Windows: two at once are not kept apart there
        yield
        return
    folder = runtimes_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / f".{version}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RuntimeProblem(f"{folder} cannot be written: {error.strerror}. JAXPR_VISUALIZER_DATA names another folder.") from None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"another process is at work on JAX {version}: waiting for it")
            while True:
                time.sleep(0.2)
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
        yield
    finally:
        os.close(file)
