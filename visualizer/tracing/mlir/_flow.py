"""Where the values of a module come from and where they go, through the calls of its functions.

A value is read in a place: the same value of a function means something else in each call of it. `Place` is a value together with the
call that it is seen through.

Promises: works on the wire form of a module alone, of any dialect; what is not found is None.
Must never: guess; run for ever on a module that calls itself.

"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Dict = dict[str, Any]
# Calls in calls, and steps from a value to what it was made from.
DEEPEST = 12


def short_name(name: str) -> str:
    """`stablehlo.dynamic_slice` -> `dynamic_slice`; HLO's `dynamic-slice` is the same."""
    return name.rpartition(".")[2].replace("-", "_")


def is_end(op: Dict) -> bool:
    """The op that hands on the results of its block."""
    return short_name(op["name"]) in ("return", "yield")


@dataclass(frozen=True)
class Place:
    """A value as it is seen through a chain of calls, the innermost first."""

    value: str
    calls: tuple[str, ...] = ()


class Flow:
    """Makers and readers of every value of a module."""

    def __init__(self, module: Dict) -> None:
        self.values: dict[str, Dict] = module["values"]
        self.loops: list[Dict] = []
        self._ops: dict[str, Dict] = {}
        self._maker: dict[str, tuple[Dict, int]] = {}
        self._readers: dict[str, list[tuple[Dict, int]]] = {}
        self._args: dict[str, tuple[str, int]] = {}
        self._functions = {function["name"]: function for function in module["functions"]}
        for function in module["functions"]:
            blocks = function["region"]["blocks"]
            self._args.update({arg: (function["name"], at) for at, arg in enumerate(blocks[0]["args"] if blocks else ())})
            for op in _every_op(function["region"]):
                self._add(op)

    def _add(self, op: Dict) -> None:
        self._ops[op["id"]] = op
        for at, value in enumerate(op["results"]):
            self._maker[value] = (op, at)
        for at, operand in enumerate(op["operands"]):
            self._readers.setdefault(operand["value"], []).append((op, at))
        if short_name(op["name"]) == "while":
            self.loops.append(op)

    def maker(self, place: Place) -> tuple[Dict, Place] | None:
        """The op that makes a value, entered where that is a call of a function of one block, with the place of its result."""
        for _ in range(DEEPEST):
            place = self.outward(place)
            found = self._maker.get(place.value)
            if found is None:
                return None
            op, at = found
            end = self._end(op)
            if end is None:
                return op, place
            if len(end["operands"]) <= at or len(place.calls) >= DEEPEST:
                return None
            place = Place(end["operands"][at]["value"], (op["id"], *place.calls))
        return None

    def outward(self, place: Place) -> Place:
        """The value that an argument is in the calls that it is seen through."""
        while place.calls and (arg := self._args.get(place.value)) is not None:
            call, *around = place.calls
            operands = self._ops[call]["operands"]
            if self._ops[call]["callee"] != arg[0] or arg[1] >= len(operands):
                break
            place = Place(operands[arg[1]]["value"], tuple(around))
        return place

    def operand(self, place: Place, op: Dict, index: int) -> Place:
        """An operand of the maker of a place, as it is seen from there."""
        return self.outward(Place(op["operands"][index]["value"], place.calls))

    def readers(self, place: Place) -> Iterator[tuple[Dict, int, tuple[str, ...]]]:
        """Every op that reads a value, calls entered: the op, the index of the operand, and the calls it is seen through."""
        for op, at in self._readers.get(place.value, ()):
            function = self._callee(op)
            if function is None or len(place.calls) >= DEEPEST or at >= len(function["args"]):
                yield op, at, place.calls
            else:
                yield from self.readers(Place(function["args"][at], (op["id"], *place.calls)))

    def constant(self, place: Place) -> int | None:
        """The whole number that a scalar is, where it is a constant."""
        for _ in range(DEEPEST):
            made = self.maker(place)
            if made is None:
                return None
            op, place = made
            name = short_name(op["name"])
            if name == "constant":
                text = str(op["attributes"].get("value", ""))
                found = re.match(r"(?:dense<)?(-?\d+)>?(?:\s*:.*)?$", text)
                return int(found[1]) if found is not None and self.is_scalar(place.value) else None
            if name not in ("convert", "reshape") or not op["operands"] or not self.is_scalar(op["operands"][0]["value"]):
                return None
            place = self.operand(place, op, 0)
        return None

    def shape(self, value: str) -> list[int] | None:
        """The sizes of a value of static shape."""
        kind = str(self.values[value]["type"])
        found = re.match(r"tensor<((?:\d+x)*)[a-z]\w*(?:,.*)?>$", kind) or re.match(r"[a-z]\w*\[((?:\d+,?)*)\]", kind)
        return None if found is None else [int(size) for size in re.findall(r"\d+", found[1])]

    def is_scalar(self, value: str) -> bool:
        """A tensor without dimensions."""
        return self.shape(value) == []

    def is_index(self, value: str) -> bool:
        """A whole number that can count."""
        return self.is_scalar(value) and re.search(r"(?:^|<)(?:[su]|ui|si|i)(?:8|16|32|64)\b", str(self.values[value]["type"])) is not None

    def _callee(self, op: Dict) -> Dict | None:
        """The function of a plain call: of one block, called with as many operands as it takes."""
        if short_name(op["name"]) != "call" or op["callee"] is None:
            return None
        function: Dict | None = self._functions.get(op["callee"])
        if function is None or len(function["region"]["blocks"]) != 1 or len(function["args"]) != len(op["operands"]):
            return None
        return function

    def _end(self, op: Dict) -> Dict | None:
        function = self._callee(op)
        if function is None:
            return None
        ops = function["region"]["blocks"][0]["ops"]
        return ops[-1] if ops and is_end(ops[-1]) else None


def _every_op(region: Dict) -> Iterator[Dict]:
    waiting = [region]
    while waiting:
        for block in waiting.pop()["blocks"]:
            for op in block["ops"]:
                yield op
                waiting.extend(op["regions"])
