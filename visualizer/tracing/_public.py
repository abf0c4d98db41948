"""A ClosedJaxpr of one's own, serialised: what other tools and people's own code call.

Promises: a validated, immutable `model.Program`; the jaxpr is only read. Needs neither a paste nor the sandbox.
"""

from __future__ import annotations

from typing import Any

from visualizer.model import Program

from ._serialize import serialize as serialize_dict


def serialize(closed_jaxpr: Any, *, name: str = "main") -> Program:
    """The Program of a `jax.extend.core.ClosedJaxpr`, as `jax.make_jaxpr(f)(x)` gives it.

    Every jaxpr inside it, roles, wiring, twins, and the printed text are there; spans are null, for there is no paste.
    Raises TypeError when `closed_jaxpr` is none.
    """
    if not hasattr(closed_jaxpr, "jaxpr") or not hasattr(closed_jaxpr, "consts"):
        raise TypeError(f"serialize takes a ClosedJaxpr, as jax.make_jaxpr(f)(x) gives it, not {type(closed_jaxpr).__name__}.")
    return Program.model_validate(serialize_dict(closed_jaxpr, name=name).program)
