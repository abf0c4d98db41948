"""Which operands of a scan enter linearly: what JAX printed as `linear` of a scan, up to 0.9, for the same program.

JAX set the flags by three rules (jax/_src/lax/control_flow/loops.py, 0.4 to 0.9), one differentiation after the other: a scan that a person
writes has none; `_scan_jvp` keeps them and sets those of the tangents; `_scan_partial_eval` clears them on the forward side; and
`_scan_transpose` sets those of all carries and of the cotangents of ys, and clears the others. So the outermost differentiation that is not
a plain jvp decides, and each jvp around it adds its tangents.

Where the program was traced by such a JAX, its own flags are taken instead.

Promises: the flags JAX printed, or None where they do not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from visualizer.tracing.compat import SAYS_LINEAR, linear_flags

from ._levels import Levels, is_transposed
from ._linear import COTANGENT, NEITHER, TANGENT, ZERO, State

Dict = dict[str, Any]
Flags = list[bool | None]


def take_flags(bodies: Iterable[tuple[Sequence[Any], Sequence[Dict]]]) -> None:
    """Write the flags that JAX itself says into the operands; `bodies` are JAX's equations beside those of the wire."""
    for theirs, ours in bodies if SAYS_LINEAR else ():
        for eqn, wire in zip(theirs, ours, strict=True):
            said = linear_flags(eqn.params, len(eqn.invars))
            for operand, flag in zip(wire["operands"], said or (), strict=False):
                operand["linear"] = {"value": flag, "derived": False}


def forward_modes(own: Levels, transposed: frozenset[Levels]) -> int:
    """How many of the outermost differentiations are jvp alone: none of their values is ever transposed."""
    count = 0
    while own[count : count + 1] == "F" and own[:count] + "T" not in transposed:
        count += 1
    return count


def sides(levels: set[Levels]) -> frozenset[Levels]:
    """The beginnings, up to a transposed side, of all levels of a program."""
    return frozenset(own[: k + 1] for own in levels for k, letter in enumerate(own) if letter == "T")


def flags(eqn: Dict, own: Levels, states: Sequence[State], outer: int, *, watched: bool, known: bool, inside: Sequence[bool]) -> Flags:
    """The flags of a scan's operands, given what each is.

    `outer` counts the plain jvps around it; `known` says that the scan is the transpose of another; `inside` has the operands that were
    made on a transposed side.
    """
    tangents = _tangents(eqn, states) if outer else [False] * len(states)
    if outer and not watched:
        return [None] * len(states)
    if own[outer : outer + 1] != "T" or not is_transposed(own):  # of a forward side, or computed again
        return list(tangents)
    if not known:  # a scan of the person's own rule, or a transpose whose forward side was not found
        return [None] * len(states)
    found: Flags = []
    for operand, state, made, tangent in zip(eqn["operands"], states, inside, tangents, strict=True):
        if tangent is not False:
            found.append(tangent)
        elif operand["role"] != "xs":
            found.append(operand["role"] == "carry")
        elif state in (COTANGENT, ZERO):
            found.append(True)
        else:  # a residual, if it is known what it is
            found.append(False if state == NEITHER or (watched and not made) else None)
    return found


def _tangents(eqn: Dict, states: Sequence[State]) -> Flags:
    """Which operands are tangents that `_scan_jvp` put behind their values: the consts, the carries, the xs, each with theirs last."""
    found: Flags = []
    for role in ("const", "carry", "xs"):
        group = [state for operand, state in zip(eqn["operands"], states, strict=True) if operand["role"] == role]
        count = group.count(TANGENT)
        values = len(group) - count
        if TANGENT in group[:values] or count > values:
            return [None] * len(states)
        found += [state == TANGENT for state in group]
    return found
