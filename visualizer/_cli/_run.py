"""`jaxpr-visualizer run`: a person's own script, in a Python of its own that watches what JAX makes of it.

Promises: the script becomes this very process, so that signals, the exit code and the terminal are its own. Must never: return.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import click

_SITE = Path(__file__).parent.parent / "tracing" / "watching" / "site"


def run(out: str | None, module: bool, levels: tuple[str, ...], most: int, all_: bool, quiet: bool, command: tuple[str, ...]) -> None:
    """Become `python script.py args...`, watched from the inside (see `tracing/watching`)."""
    name, *rest = command
    if not module and not Path(name).exists():
        raise click.UsageError(f"{name} does not exist. For a module, as after `python -m`, say `run -m {name}`.")
    target = Path(out) if out else Path(f"{name if module else Path(name).stem}.trace.json")
    target = target.absolute()
    if not target.parent.is_dir():
        raise click.UsageError(f"The report cannot be written: there is no folder {target.parent}.")
    if target.is_dir():
        raise click.UsageError(f"The report cannot be written: {target} is a folder.")
    wishes = {
        "out": str(target),
        "title": shlex.join(["-m", name, *rest] if module else [Path(name).name, *rest])[:200],
        "levels": list(levels),
        "hlo": "hlo" in levels,
        "most": most,
        "all": all_,
        "quiet": quiet,
    }
    environment = dict(os.environ)
    before = environment.get("PYTHONPATH")
    if before is not None:
        environment["JAXPR_VISUALIZER_PYTHONPATH"] = before
    environment["PYTHONPATH"] = os.pathsep.join([str(_SITE), *([before] if before else [])])
    environment["JAXPR_VISUALIZER_RUN"] = json.dumps(wishes)
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *(["-m"] if module else []), name, *rest], environment)
