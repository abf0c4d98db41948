"""Makes an environment and fills it, by uv where it is there, else by Python's own venv and pip; and says in words why that failed.

Promises: what is going on is told line by line; every failure is a `RuntimeProblem` that says what fits instead.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from ._installed import python_of
from ._problem import RuntimeProblem

Say = Callable[[str], None]
# From which JAX on there are wheels of jaxlib for which Pythons; before the first, none that tracing can use.
_PYTHONS = (((0, 4, 30), (3, 10), (3, 12)), ((0, 4, 34), (3, 10), (3, 13)), ((0, 7, 0), (3, 11), (3, 13)), ((0, 7, 1), (3, 11), (3, 14)))
_TOLD = re.compile(r"\s*(Collecting|Downloading|Installing|Using cached|Building|Resolved|Prepared|Installed)\b")
_NO_NETWORK = re.compile(
    r"name resolution|resolve host|Failed to establish a new connection|Network is unreachable|No route to host|dns error"
    r"|error sending request|Max retries exceeded|Connection refused|timed out|tunneling socket|Could not connect",
    re.IGNORECASE,
)
_VERSIONS = re.compile(r"\(from versions: ([^)]*)\)")
_ADVICE = "Check the connection, or the index that pip is set to, and try again: nothing was left behind."


def make_environment(python: str, folder: Path, say: Say) -> None:
    """An empty environment in `folder` that runs on the interpreter `python`."""
    uv = shutil.which("uv")
    command = [uv, "venv", "--quiet", "--python", python, str(folder)] if uv else [python, "-m", "venv", str(folder)]
    say(f"an environment for Python {'.'.join(map(str, version_of(python)))}")
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0 or not python_of(folder).exists():
        said = (done.stderr or done.stdout).strip()
        raise RuntimeProblem(
            f"{python} could not make a virtual environment: {_last(said)}. On Debian and Ubuntu `apt install python3-venv` brings what it "
            "needs; another interpreter can be named with --python."
        )


def version_of(python: str) -> tuple[int, int]:
    """The version of an interpreter. RuntimeProblem where it is none."""
    try:
        done = subprocess.run(
            [python, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, timeout=30, check=True
        )
        major, minor = map(int, done.stdout.split())
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise RuntimeProblem(f"{python} is not a Python that runs here ({error}). Name one with --python, like python3.12.") from None
    return major, minor


def check_python(version: str, python: str) -> None:
    """RuntimeProblem where the interpreter is one that this JAX, or tracing, does not run on."""
    have, (low, high) = version_of(python), pythons_of(version)
    if not low <= have <= high:
        spelt = [f"3.{minor}" for minor in range(low[1], high[1] + 1)]
        how = "too new for" if have > high else "too old for"
        raise RuntimeProblem(
            f"Python {have[0]}.{have[1]} is {how} JAX {version}, which runs here on {', '.join(spelt)}. Name such an interpreter: "
            f"`jaxpr-visualizer jax add {version} --python python{spelt[-1]}`."
        )


def pythons_of(version: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last Python that a JAX and our own code both run on."""
    number = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    if number < _PYTHONS[0][0]:
        raise RuntimeProblem(f"JAX {version} is older than what can be traced: 0.4.30 or newer is.")
    low, high = next((low, high) for since, low, high in reversed(_PYTHONS) if number >= since)
    return max(low, (3, 11)), high


def install(folder: Path, version: str, asked: Sequence[str], say: Say) -> None:
    """Install requirements (as pip's arguments) into an environment. RuntimeProblem where that fails."""
    python, uv = python_of(folder), shutil.which("uv")
    if uv:
        command = [uv, "pip", "install", "--python", str(python), *asked]
    else:
        command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off", *asked]
    lines: list[str] = []
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    environment.pop("PYTHONPATH", None)  # what is found there would count as installed
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line.rstrip())
                if _TOLD.match(line):
                    say(_short(line))
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        raise _explain("\n".join(lines), version, folder)


def _explain(said: str, version: str, folder: Path) -> RuntimeProblem:
    # pip also says that there is no such version where it could not ask: the network comes first.
    if _NO_NETWORK.search(said):
        return RuntimeProblem(f"JAX {version} could not be fetched: the package index did not answer. {_ADVICE}")
    missing = re.search(r"(?:No matching distribution found for|there is no version of) (jax(?:lib)?)\b", said)
    if missing or "No solution found" in said:
        major, minor = version_of(str(python_of(folder)))
        known = _VERSIONS.search(said)
        near = _near(version, known[1].split(", ")) if known else []
        there = f" Near it are {', '.join(near)}." if near else ""
        what = "jaxlib of" if missing and missing[1] == "jaxlib" else ""
        return RuntimeProblem(f"There is no {f'{what} ' if what else ''}JAX {version} for Python {major}.{minor} on this machine.{there}")
    if "No space left" in said:
        return RuntimeProblem(f"The disk is full: an installed JAX takes some 600 MB in {folder.parent}.")
    return RuntimeProblem(f"JAX {version} could not be installed: {_last(said)}")


def _near(version: str, known: Sequence[str]) -> list[str]:
    """The known versions closest to one that is not."""
    wanted = [int(part) for part in re.findall(r"\d+", version)[:3]]
    final = [one for one in known if re.fullmatch(r"\d+(\.\d+)+", one)]

    def distance(one: str) -> list[int]:
        return [abs(a - b) for a, b in zip(wanted, [int(part) for part in one.split(".")], strict=False)]

    return sorted(sorted(final, key=distance)[:4], key=lambda one: [int(part) for part in one.split(".")])


def _short(line: str) -> str:
    """A line without addresses and folders, which say nothing to people."""
    text = re.sub(r"\s+", " ", re.sub(r"https?://\S*/|\s\(from .*$", " ", line.strip()))
    return text if len(text) <= 100 else text[:99] + "…"


def _last(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["no reason was given"])[-1][:300].removeprefix("ERROR: ").rstrip(".")
