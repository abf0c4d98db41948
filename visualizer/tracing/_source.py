"""Trace a source in this very process: no jail, for tests and scripts that trust the text.

Promises: the merged Trace of all levels, and this process as it was before.
Must never: be reached from the server.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax

from . import compat
from ._request import trace_request

Dict = dict[str, Any]


def trace_source(source: str, **request: Any) -> Dict:
    """The Trace of a source; keywords as in TraceRequest. Runs the text in this process."""
    wanted: Dict | None = {"source": source, **request}
    trace: Dict = {}
    while wanted is not None:
        messages: list[Dict] = []
        with _preserved():
            trace_request(wanted, messages.append)
        wanted = next((message["again"] for message in messages if "again" in message), None)
        trace = merged(messages)
    return trace


def merged(messages: list[Dict]) -> Dict:
    """The Trace that a sequence of LevelMessages adds up to."""
    trace: Dict = {}
    for message in messages:
        if message.get("trace"):
            trace = message["trace"]
        patch = message.get("patch")
        if patch:
            for program in trace["programs"]:
                for key, value in patch["programs"].get(program["id"], {}).items():
                    program[key].update(value)
            trace["diagnostics"].extend(patch["diagnostics"])
            trace["notes"].extend(patch["notes"])
            trace["timings"].update(patch["timings"])
    return trace


@contextmanager
def _preserved() -> Iterator[None]:
    options, environment = compat.config_values(), dict(os.environ)
    try:
        yield
    finally:
        for name, value in compat.config_values().items():
            if name in options and value is not options[name] and value != options[name]:
                jax.config.update(name, options[name])
        if dict(os.environ) != environment:
            os.environ.clear()
            os.environ.update(environment)
