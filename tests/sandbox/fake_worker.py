"""A worker without JAX: does what the request says. Runs inside the jail."""

import os
import sys
from collections.abc import Callable
from typing import Any


def prepare() -> None:
    """Nothing to load."""


def describe() -> dict[str, Any]:
    return {"jax": "0.0.fake"}


def message(text: str = "") -> dict[str, Any]:
    trace = {
        "schema": 1, "input": "python", "jax": "0.0.fake", "programs": [], "output": {"text": text, "truncated": False},
        "diagnostics": [], "notes": [], "offers": [], "timings": {"run": 0.001},
    }  # fmt: skip
    return {"level": "jaxpr", "trace": trace, "patch": None}


def patch(level: str = "stablehlo") -> dict[str, Any]:
    return {"level": level, "trace": None, "patch": {"programs": {}, "diagnostics": [], "notes": ["patched"], "timings": {}}}


def trace_request(request: dict[str, Any], emit: Callable[[dict[str, Any]], None]) -> None:
    """Run `source` with the names a test needs, then answer with what it left in `answer`, or with its error."""
    names: dict[str, Any] = {"emit": emit, "message": message, "patch": patch, "request": request, "os": os, "sys": sys}
    try:
        exec(compile(request["source"], "<paste>", "exec"), names)
        answer = str(names.get("answer", "no answer"))
    except MemoryError:
        raise
    except Exception as problem:
        answer = f"{type(problem).__name__}: {problem}"
    if answer != "silent":
        emit(message(answer))
