"""Where each value of a program was made, as far as automatic differentiation is concerned.

Promises: follows values through the bodies of calls and through binders, for each way a body is reached, once per distinct way.
Must never: give a place to a value that came into the program from outside (an argument, a constant, a literal, an equation that no
differentiation touched): those are None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ._levels import Levels, levels

Dict = dict[str, Any]
Made = Levels | None
# Bodies nested deeper than this are not analysed: what is in them keeps no kind.
MAX_DEPTH = 100


class Instance(NamedTuple):
    """A body as it is reached in one way: the levels around it, and where each of its binders was made."""

    body: str
    around: Levels
    binders: tuple[Made, ...]


class Origins:
    """Where values are made, instance by instance."""

    def __init__(self, jaxprs: dict[str, Dict]) -> None:
        self.jaxprs = jaxprs
        self._levels: dict[tuple[int, Levels], Levels] = {}
        self._made: dict[Instance, dict[str, Levels]] = {}
        self._depth = 0

    def levels(self, eqn: Dict, around: Levels) -> Levels:
        """The levels of an equation in a body that is reached at the levels `around`. Name stacks are interned, so their ids do."""
        stack = eqn["stack"]
        if not stack:
            return around
        key = (id(stack), around)
        known = self._levels.get(key)
        if known is None:
            known = self._levels[key] = levels(stack, around)
        return known

    def made(self, instance: Instance) -> dict[str, Levels]:
        """Where the variables of the instance's body were made; those from outside are absent."""
        known = self._made.get(instance)
        if known is not None:
            return known
        jaxpr = self.jaxprs[instance.body]
        made = {var: at for var, at in zip(jaxpr["invars"], instance.binders, strict=True) if at is not None}
        self._made[instance] = made
        if self._depth < MAX_DEPTH:
            self._depth += 1
            for eqn in jaxpr["eqns"]:
                self._eqn(eqn, self.levels(eqn, instance.around), made)
            self._depth -= 1
        return made

    def nested(self, eqn: Dict, own: Levels, made: dict[str, Levels]) -> list[Instance]:
        """The instances of an equation's bodies."""
        return [
            Instance(call["jaxpr"], own, tuple(self._binder(eqn, wire, own, made) for wire in call["inputs"])) for call in eqn["nested"]
        ]

    def _eqn(self, eqn: Dict, own: Levels, made: dict[str, Levels]) -> None:
        if eqn["nested"] and is_transparent(eqn):
            inner = self.nested(eqn, own, made)[0]
            inside = self.made(inner)
            for result, atom in zip(eqn["results"], self.jaxprs[inner.body]["outvars"], strict=True):
                at = inside.get(atom["var"]) if "var" in atom else None
                if at:
                    made[result["var"]] = at
        elif own:
            for result in eqn["results"]:
                made[result["var"]] = own

    def _binder(self, eqn: Dict, wire: Dict, own: Levels, made: dict[str, Levels]) -> Made:
        if wire["from"] != "operand":
            return own or None
        operand = eqn["operands"][wire["index"]]
        if operand["role"] == "carry":  # also fed by the step before
            return own or None
        return made.get(operand["atom"]["var"]) if "var" in operand["atom"] else None


def is_transparent(eqn: Dict) -> bool:
    """Whether the equation is a plain call: one body that takes its operands and gives its results, one to one, once."""
    nested = eqn["nested"]
    if len(nested) != 1 or eqn["trips"] is not None:
        return False
    call = nested[0]
    return len(call["outputs"]) == len(eqn["results"]) and _straight(call["outputs"]) and _operands_only(call["inputs"], eqn)


def _straight(outputs: Sequence[Sequence[Dict]]) -> bool:
    return all(len(ends) == 1 and ends[0]["to"] == "result" and ends[0]["index"] == i for i, ends in enumerate(outputs))


def _operands_only(inputs: Sequence[Dict], eqn: Dict) -> bool:
    return len(inputs) == len(eqn["operands"]) and all(wire["from"] == "operand" and wire["index"] == i for i, wire in enumerate(inputs))
