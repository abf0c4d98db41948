"""`module:function`: a function of the person's own code, traced in a fresh process that may import whatever their Python imports.

Promises: this process imports neither jax nor their code; what their code raises is told with its place. Must never: fork.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from visualizer.model import Trace

_OWN = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*:(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*")
_CHILD = "visualizer.tracing._child"


def is_own(file: str) -> bool:
    """Whether this names a function instead of a file."""
    return _OWN.fullmatch(file) is not None and not Path(file).exists()


def trace_own(name: str, wishes: dict[str, Any]) -> Trace:
    """The Trace of the function. Raises click.UsageError where it cannot be had."""
    for field in ("fun", "kwargs", "transforms"):
        if wishes.get(field):
            raise click.UsageError(f"{name} names the function already: --{field.rstrip('s')} is for files.")
    signature = wishes.get("signature")
    request = {"name": name, "signature": signature, "args": wishes.get("args"), "levels": list(wishes["levels"])}
    done = subprocess.run(
        [sys.executable, "-m", _CHILD], input=json.dumps(request).encode(), stdout=subprocess.PIPE, cwd=Path.cwd(), check=False
    )
    try:
        found = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        raise click.UsageError(f"{name} could not be traced: its process ended with code {done.returncode}.") from None
    if "error" in found:
        raise click.UsageError(f"{name} could not be traced: {found['error']}")
    return Trace.model_validate(found)
