"""What automatic differentiation made of the program: twins, kinds, and which operands of a scan are linear.

Promises: does nothing, and costs nothing, where no equation went through a transpose and JAX was not seen to make a tangent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._kinds import Kinds
from ._observed import Notes
from ._origins import Origins
from ._twins import find_twins

Dict = dict[str, Any]


def explain(
    jaxprs: dict[str, Dict], entry: str, place_of: Callable[[str], Any], transposed: bool, notes: Notes | None = None
) -> list[Dict]:
    """Set `kind` and `linear` throughout the program; its twins.

    `transposed` says whether any equation went through a transpose, `notes` what JAX was seen to do; None where nobody watched.
    """
    if not transposed and not notes:
        _linear(jaxprs, set(), set())
        return []
    origins = Origins(jaxprs)
    twins = find_twins(origins, entry, place_of) if transposed else []
    eqns = {eqn["id"]: eqn for jaxpr in jaxprs.values() for eqn in jaxpr["eqns"] if eqn["nested"]}
    forward = {_last(path) for twin in twins for path in (twin["forward"], twin["recomputed"]) if path}
    backward = {_last(twin["backward"]) for twin in twins}
    scans = {eqn for eqn in backward if eqns[eqn]["primitive"] == "scan"}
    kinds = Kinds(origins, scans) if notes is None else Kinds(origins, scans, notes.states, notes.doubtful)
    kinds.mark(entry)
    _linear(jaxprs, forward - backward, scans)
    return twins


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1].split(":", 1)[0]


def _linear(jaxprs: dict[str, Dict], forward: set[str], backward: set[str]) -> None:
    """JAX up to 0.9 printed which operands of a scan enter linearly; from 0.10 on it follows from which scan is a transpose."""
    for jaxpr in jaxprs.values():
        for eqn in jaxpr["eqns"]:
            if eqn["trips"] is None:
                continue
            if eqn["id"] in backward:
                for operand in eqn["operands"]:
                    operand["linear"] = {"value": operand["role"] != "const" and operand["kind"] == "cotangent", "derived": True}
            elif eqn["id"] in forward or not eqn["stack"]:
                for operand in eqn["operands"]:
                    operand["linear"] = {"value": False, "derived": True}
