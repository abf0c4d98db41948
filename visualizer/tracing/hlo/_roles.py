"""Roles of the values that a loop of an HLO module carries, found as in any pasted module (`_derived_roles.py`).

What is looked at is a plainer form of the module: values without the tuples and copies that they pass through, fusions as the calls that
they are.

Promises: the module gets roles and trips, and is otherwise as it was. Must never: call a role anything but derived.
"""

from __future__ import annotations

from typing import Any

from visualizer.tracing.mlir._derived_roles import derive_roles

Dict = dict[str, Any]
# What only hands on its operands, one for one.
_SAME = frozenset({"tuple", "get-tuple-element", "copy"})
_PLAIN = {"fusion": "call", "bitcast": "reshape"}


def set_roles(module: Dict) -> None:
    """Fill in roles and trips of the loops of a module-shaped dict."""
    plainer = _Plainer()
    plain = {**module, "functions": [{**each, "region": plainer.region(each["region"])} for each in module["functions"]]}
    derive_roles(plain)
    for original, made in plainer.loops:
        if made.get("trips") is not None:
            original["trips"] = made["trips"]
        for ours, theirs in zip(original["operands"], made["operands"], strict=True):
            ours["role"] = theirs["role"]


class _Plainer:
    def __init__(self) -> None:
        self.loops: list[tuple[Dict, Dict]] = []
        self._source: dict[str, str] = {}

    def region(self, region: Dict) -> Dict:
        return {**region, "blocks": [self._block(block) for block in region["blocks"]]}

    def _block(self, block: Dict) -> Dict:
        ops = []
        for op in block["ops"]:
            if op["name"] in _SAME and len(op["operands"]) == len(op["results"]):
                for operand, result in zip(op["operands"], op["results"], strict=True):
                    self._source[result] = self._first(operand["value"])
            else:
                ops.append(self._op(op))
        return {**block, "ops": ops}

    def _op(self, op: Dict) -> Dict:
        operands = [{**operand, "value": self._first(operand["value"])} for operand in op["operands"]]
        name = _PLAIN.get(op["name"], op["name"])
        made = {**op, "name": name, "operands": operands, "regions": [self.region(region) for region in op["regions"]]}
        if name == "while":
            self.loops.append((op, made))
        return made

    def _first(self, value: str) -> str:
        return self._source.get(value, value)
