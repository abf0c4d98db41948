"""What a person told jit, kept when the Python numbers of a call are held static.

Promises: donation, shardings, layouts and the name stay with the arguments that are left.
Must never: apply an option to an argument that it was not given for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax

from visualizer.tracing import compat

from ._parameters import call_of
from ._recordable import is_array

_leaves = jax.tree.leaves


def with_options(stage: Any, fun: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`stage`, the Traced of `fun` with the numbers among its arguments held, with the options of the jitted `fun`.

    Raises what tracing raises.
    """
    if not isinstance(fun, compat.Wrapped):
        return stage
    whole = fun.trace(*args, **kwargs)  # in JAX's tracing cache by now
    call = call_of(whole.jaxpr, fun, args, kwargs)
    if call is None:
        return stage
    kept = [index for index, leaf in enumerate(_leaves(call.values)) if is_array(leaf)]
    return compat.traced_with_options(stage, whole, kept)
