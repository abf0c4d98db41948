"""The person's own name for every variable that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._params import clamp
from ._spans import Source

if TYPE_CHECKING:
    from ._serialize import Walk


def label_vars(walk: Walk, source: Source | None) -> None:  # noqa: ARG001
    """Set `label` of the variables of `walk` where a name is known."""
    for body in walk.bodies:
        names: Any = getattr(body.jaxpr.debug_info, "arg_names", None) or ()
        for key, name in zip(body.wire["invars"], names, strict=False):
            if name:
                body.wire["vars"][key]["label"] = clamp(name)
