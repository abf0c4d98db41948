"""What automatic differentiation made of the program: twins, kinds, and which operands of a scan are linear.

Promises: does nothing, and costs nothing, where no equation went through a transpose and JAX was not seen to make a tangent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._kinds import LINEAR, Kinds
from ._levels import levels
from ._linear import TANGENT
from ._observed import Notes
from ._origins import Origins
from ._twins import find_twins

Dict = dict[str, Any]


def explain(origins: Origins, entry: str, place_of: Callable[[str], Any], transposed: bool, notes: Notes | None = None) -> list[Dict]:
    """Set `kind` and `linear` throughout the program; its twins.

    `transposed` says whether any equation went through a transpose, `notes` what JAX was seen to do; None where nobody watched.
    """
    if not transposed and not notes and not _differentiated_scans(origins):
        return []
    tangents = {var for var, state in notes.states.items() if state == TANGENT} if notes is not None else set()
    twins = find_twins(origins, entry, place_of, tangents) if transposed else []
    backward = {_last(twin["backward"]) for twin in twins}
    kinds = Kinds(origins, backward) if notes is None else Kinds(origins, backward, *notes)
    kinds.mark(entry)
    return twins


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1].split(":", 1)[0]


def _differentiated_scans(origins: Origins) -> bool:
    """Whether the program has scans, and differentiates anything. Where it differentiates nothing, no operand of a scan is linear."""
    scans = [eqn for body in origins.jaxprs for eqn in origins.callers(body) if eqn["trips"] is not None]
    stacks = {id(eqn["stack"]): eqn["stack"] for jaxpr in origins.jaxprs.values() for eqn in jaxpr["eqns"]} if scans else {}
    if any(levels(stack) for stack in stacks.values()):
        return True
    for eqn in scans:
        for operand in eqn["operands"]:
            operand["linear"] = LINEAR[False]
    return False
