"""Which side of automatic differentiation names are given on.

Promises: what a checkpoint computes again is the program's own.
Must never: take a cotangent for a value of the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from visualizer.tracing.autodiff._levels import RECOMPUTED

if TYPE_CHECKING:
    from visualizer.tracing.eqns._walk import Walk

Dict = dict[str, Any]


def backward_bodies(walk: Walk) -> set[str]:
    """The bodies that are run by a transposed side."""
    found: set[str] = set()
    jaxprs = {body.id: body.wire for body in walk.bodies}
    queue = [(walk.bodies[0].id, False)] if walk.bodies else []
    seen = set(queue)
    while queue:
        body, backward = queue.pop()
        if backward:
            found.add(body)
        for eqn in jaxprs[body]["eqns"]:
            for call in eqn["nested"]:
                state = (call["jaxpr"], not computes_forward(eqn["stack"], backward))
                if state not in seen:
                    seen.add(state)
                    queue.append(state)
    return found


def computes_forward(stack: list[Dict], backward: bool) -> bool:
    """Whether an equation computes values of the program itself, not cotangents: also where a checkpoint computes them again."""
    for entry in stack:
        if entry["name"] == "transpose" and entry["kind"] == "transform":
            backward = True
        elif entry["name"] == RECOMPUTED and entry["kind"] == "scope":
            backward = False
    return not backward
