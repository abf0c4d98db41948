"""jaxpr-visualizer: see the program that JAX traced. Importing this loads neither jax nor flask."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:
    from ._api._diagram import Diagram as Diagram
    from ._api._make import diagram as diagram
    from ._api._make import load as load
    from ._api._make import show as show
    from ._api._make import to_html as to_html
    from ._api._make import to_svg as to_svg
    from ._api._make import trace as trace
    from ._api._notebook import load_ipython_extension as load_ipython_extension
    from ._api._notebook import unload_ipython_extension as unload_ipython_extension
    from ._api._server import Server as Server
    from ._api._server import serve as serve
    from ._api._spec import spec as spec

_HOME = {
    **dict.fromkeys(("diagram", "load", "show", "to_html", "to_svg", "trace"), "_make"),
    **dict.fromkeys(("load_ipython_extension", "unload_ipython_extension"), "_notebook"),
    **dict.fromkeys(("Server", "serve"), "_server"),
    "Diagram": "_diagram",
    "spec": "_spec",
}
__all__ = ["Diagram", "Server", "__version__", "diagram", "load", "serve", "show", "spec", "to_html", "to_svg", "trace"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"._api.{_HOME[name]}", __name__), name)
