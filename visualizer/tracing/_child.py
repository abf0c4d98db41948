"""`python -m visualizer.tracing._child`: one function of the person's own code, named on standard input, as a Trace on standard output.

Promises: the last line of the output is JSON: a Trace, or an `error` in words. What their code prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import traceback
from typing import Any


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.buffer.read())
    # Whatever is printed meanwhile must not stand in the answer.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as `python -m` has it
    try:
        found = _traced(request)
    except BaseException as error:
        found = {"error": _said(error)}
    json.dump(found, answer, allow_nan=False)
    answer.write("\n")
    answer.close()


def _traced(request: dict[str, Any]) -> dict[str, Any]:
    module_name, _, path = request["name"].partition(":")
    module = importlib.import_module(module_name)
    fun: Any = module
    for name in path.split("."):
        fun = getattr(fun, name)
    from . import trace_function, trace_signature

    levels = tuple(request["levels"])
    if request["signature"] is None and request["args"] is None:
        return trace_function(fun, (), {}, name=path, levels=levels)
    return trace_signature({**vars(module)}, path, request["signature"], request["args"], levels)


def _said(error: BaseException) -> str:
    """The exception in a line, with the place in the person's own code."""
    cause = getattr(error, "cause", None)
    shown = cause if isinstance(cause, BaseException) else error
    text = "".join(traceback.format_exception_only(shown)).strip().splitlines()
    said = text[0] if text else type(shown).__name__
    own = str(error)
    if shown is not error and own:
        said = f"{own} ({said})"
    elif shown is error and type(error).__name__ == "EntryError":
        said = f"{own} {getattr(error, 'advice', '')}".strip()
    with contextlib.suppress(Exception):
        here = os.path.dirname(__file__)  # noqa: PTH120
        frames = [frame for frame in traceback.extract_tb(shown.__traceback__) if not frame.filename.startswith((here, "<frozen"))]
        frames = [frame for frame in frames if "site-packages" not in frame.filename] or frames
        if frames:
            said += f" ({frames[-1].filename}, line {frames[-1].lineno})"
    return said


if __name__ == "__main__":
    main()
