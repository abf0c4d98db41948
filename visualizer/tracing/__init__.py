"""The only package that imports jax: from a traced program to the wire model.

Importing this loads no jax: names are loaded when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._public import serialize as serialize
    from ._serialize import SerializedProgram as SerializedProgram
    from ._source import trace_source as trace_source

_HOME = {
    "SerializedProgram": "._serialize",
    "serialize": "._public",
    "trace_source": "._source",
}


def __getattr__(name: str) -> Any:
    if name == "worker":  # what the sandbox loads: a module with prepare, describe and trace_request
        return importlib.import_module("._worker", __name__)
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home, __name__), name)
