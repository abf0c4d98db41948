"""The only package that imports jax: from a traced program to the wire model.

Importing this loads no jax: names are loaded when they are first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._serialize import SerializedProgram as SerializedProgram
    from ._serialize import serialize as serialize

_HOME = {
    "SerializedProgram": "._serialize",
    "serialize": "._serialize",
}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home, __name__), name)
