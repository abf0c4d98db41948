"""Who reads the values of a body, and which equation of an expression gives its value.

Promises: none where more than one could.
Must never: take a reader of the backward pass for one of the program's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ._sides import computes_forward

Dict = dict[str, Any]
LOOKS_BACK = ("tangent", "cotangent")
# Readers that are no evaluation: other equations of the program itself and its results, and what is of the backward pass.
_OTHER, _BACKWARD = -1, -2


class Readers:
    """Who reads what in a body, evaluation by evaluation."""

    def __init__(self, wire: Dict, evaluations: Iterable[list[Dict]], outside: Callable[[int], bool], backward: bool) -> None:
        part_of = {eqn["id"]: number for number, part in enumerate(evaluations) for eqn in part}
        self._of: dict[str, set[int]] = defaultdict(set)
        for eqn in wire["eqns"]:
            reader = part_of.get(eqn["id"])
            if reader is None:
                reader = _OTHER if computes_forward(eqn["stack"], backward) else _BACKWARD
            for operand in eqn["operands"]:
                if "var" in operand["atom"]:
                    self._of[operand["atom"]["var"]].add(reader)
        for index, atom in enumerate(wire["outvars"]):
            if "var" in atom:
                self._of[atom["var"]].add(_OTHER if outside(index) else _BACKWARD)

    def value_of(self, part: list[Dict], number: int, *, strict: bool) -> Dict | None:
        """The equation of an evaluation that gives its value. `strict`: none where something else may be a part of the value."""
        own = [eqn for eqn in part if any(result["kind"] not in LOOKS_BACK for result in eqn["results"])]
        read = [eqn for eqn in own if any(reader != _BACKWARD and reader != number for reader in self._readers(eqn))]
        unread = [eqn for eqn in own if not self._readers(eqn) and all(result["kind"] is None for result in eqn["results"])]
        if len(read) == 1:
            return None if strict and unread else read[0]
        return unread[0] if not read and len(unread) == 1 else None

    def _readers(self, eqn: Dict) -> set[int]:
        if len(eqn["results"]) == 1:
            return self._of.get(eqn["results"][0]["var"], set())
        return {reader for result in eqn["results"] for reader in self._of.get(result["var"], ())}
