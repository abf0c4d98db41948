"""The only package that imports jax: from a traced program to the wire model.

Importing this loads no jax: names are loaded when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._own import read_spec as read_spec
    from ._own import trace_function as trace_function
    from ._own import trace_signature as trace_signature
    from ._own import trace_stage as trace_stage
    from ._own import trace_text as trace_text
    from ._public import serialize as serialize
    from ._serialize import SerializedProgram as SerializedProgram
    from ._source import trace_source as trace_source

_HOME = {
    "SerializedProgram": "._serialize",
    "read_spec": "._own",
    "serialize": "._public",
    "trace_function": "._own",
    "trace_signature": "._own",
    "trace_source": "._source",
    "trace_stage": "._own",
    "trace_text": "._own",
}


def __getattr__(name: str) -> Any:
    if name == "worker":  # what the sandbox loads: a module with prepare, describe and trace_request
        return importlib.import_module("._worker", __name__)
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home, __name__), name)
