"""`%load_ext visualizer`: in IPython a jaxpr, and what JAX traced, lowered or exported, is shown as its diagram.

Promises: what cannot be drawn is shown as before, and says why. Must never: import jax: the types are registered by name.
"""

from __future__ import annotations

import warnings
from typing import Any

# Where IPython looks for the types: the module and name of their classes.
_TYPES = (
    ("jax._src.core", "ClosedJaxpr"),
    ("jax._src.stages", "Traced"),
    ("jax._src.stages", "Lowered"),
    ("jax._src.export._export", "Exported"),
)


def load_ipython_extension(shell: Any) -> None:
    """Register the types with the shell's formatter of mime bundles."""
    for module, name in _TYPES:
        shell.display_formatter.mimebundle_formatter.for_type_by_name(module, name, _shown)


def unload_ipython_extension(shell: Any) -> None:
    """Take them away again."""
    for module, name in _TYPES:
        shell.display_formatter.mimebundle_formatter.pop(f"{module}.{name}", None)


def _shown(value: Any, include: Any = None, exclude: Any = None) -> Any:
    from ._make import diagram

    try:
        return diagram(value)._repr_mimebundle_(include, exclude)
    except Exception as error:
        warnings.warn(f"This is shown as text, for it could not be drawn: {error}", stacklevel=2)
        return None
