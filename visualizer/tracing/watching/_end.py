"""What is told at the end of a run: the table on standard error, and the report.

Promises: the report is a Trace of the wire model, written whole or not at all. Must never: print to standard output.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._watch import Watch

Warn = Callable[[str], None]


def report(watch: Watch, warn: Warn) -> None:
    """Make the report, write it, and say what is in it."""
    from ._table import table

    out = Path(watch.wishes["out"])
    trace = _made(watch)
    data = json.dumps(trace, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
    try:
        _write(out, data)
    except OSError as error:
        warn(f"the report cannot be written to {out}: {error.strerror}.")
        written = ""
    else:
        written = f"{_short(out)} ({len(data):,} bytes)"
    if not watch.wishes.get("quiet"):
        sys.stderr.write(table(watch, written))
        sys.stderr.flush()


def _made(watch: Watch) -> dict[str, Any]:
    """The Trace, by the rest of this project, which is imported only now: the script's own modules may have any name."""
    home = str(Path(__file__).parents[3])
    theirs = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "visualizer"}
    for name in theirs:
        del sys.modules[name]
    sys.path.insert(0, home)
    if "jax" not in sys.modules:
        # The script never asked for it: a report without programs needs no device either.
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import importlib

    made: dict[str, Any] = importlib.import_module("visualizer.tracing._script").trace_of(watch)
    return made


def _write(out: Path, data: bytes) -> None:
    """Into a file beside it, which takes its place when it is whole."""
    handle, beside = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(beside).chmod(0o666 & ~mask)
        Path(beside).replace(out)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
