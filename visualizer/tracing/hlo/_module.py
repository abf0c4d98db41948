"""An HLO module as plain data, in the shape that MLIR modules have.

A computation is a function. One that a single while, conditional or reducer applies stands in that instruction as a region; a fusion or a
call names its callee. A value of tuple shape is its elements: `tuple` and `get-tuple-element` stay as operations that pass them on, so a
loop has one operand, one binder and one result for each value that it carries. The operands of a conditional are its index, then those of
each branch.
What a computation gives is said by a `return` at its end.

Promises: every instruction is there once (a parameter as a binder), in the order of the text; names, types and attributes are XLA's text;
ids (`h3`, `n7`) are none of those of a StableHLO module, so that an id alone says which level it is of.
Must never: know what JAX is; drop an instruction that it cannot make sense of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from ._attributes import Places, attributes_of, op_name
from ._roles import set_roles
from ._shapes import element, leaves
from ._text import Computation, HloText, Instruction

Dict = dict[str, Any]
_NAME = re.compile(r"%?([A-Za-z_][\w.\-]*)")
_CALLEE = {"fusion": "calls", "call": "to_apply"}
# The attributes that name computations, with what their regions are called; a list of computations counts its own.
_REGIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "while": (("condition", "cond"), ("body", "body")),
    "conditional": (("true_computation", "true"), ("false_computation", "false"), ("branch_computations", "branch")),
    "sort": (("to_apply", "comparator"),),
    "map": (("to_apply", "computation"),),
    "scatter": (("to_apply", "update"),),
    "select-and-scatter": (("select", "select"), ("scatter", "scatter")),
    "custom-call": (("to_apply", "computation"), ("called_computations", "computation")),
}
_ANY = (("to_apply", "reducer"), ("calls", "wrapped"), ("called_computations", "computation"))
_DEEPEST = 100
END = "return"
# What XLA found out about a loop.
_TRIPS = re.compile(r'"known_trip_count":\{"n":"(\d{1,15})"\}')

Span = Callable[[int, int], Dict | None]


class HloModule:
    """A module-shaped dict beside what it was made from."""

    def __init__(
        self, text: HloText, raw: str, *, span: Span | None = None, label: Callable[[Instruction], str | None] | None = None
    ) -> None:
        """`raw` is the text that was read, `span` gives the place in the paste of a range of it, `label` the name of a parameter."""
        self.ops: list[tuple[Instruction, Dict]] = []
        """The instructions and what they are here, without parameters and ends of blocks."""
        self._count = 0
        self._text = text
        self._span, self._label = span, label or label_of
        self._places = Places(text)
        self._computations = {computation.name: computation for computation in text.computations}
        self._values: dict[str, Dict] = {}
        self._units = None if raw.isascii() else _units(raw)
        inlined = self._inlined()
        functions = [self._function(computation) for computation in text.computations if computation.name not in inlined]
        for index, function in enumerate(functions):
            function["id"] = f"f{index}"
        self.module: Dict = {
            "dialect": "hlo",
            "name": text.name,
            "text": raw,
            "functions": functions,
            "ops": [],
            "values": self._values,
        }
        set_roles(self.module)

    def _inlined(self) -> set[str]:
        """The computations that stand in the instruction that applies them: those named once, and by no call."""
        named: Counter[str] = Counter()
        called: set[str] = set()
        for computation in self._text.computations:
            for instruction in computation.instructions:
                called.update(_names(instruction.attributes.get(_CALLEE.get(instruction.opcode, ""), "")))
                named.update(name for _, name in regions_of(instruction))
        entry = {computation.name for computation in self._text.computations if computation.entry}
        return {name for name, times in named.items() if times == 1 and name not in called and name in self._computations} - entry

    def _function(self, computation: Computation) -> Dict:
        region, args = self._region(computation, "body", 0)
        root = _root(computation)
        return {
            "id": "",
            "name": computation.name,
            "args": args,
            "results": list(leaves(root.shape)) if root else [],
            "attributes": {**({"entry": "true"} if computation.entry else {}), **computation.attributes},
            "region": region,
            "text_span": self._range(computation.start, computation.end),
        }

    def _region(self, computation: Computation, label: str, depth: int) -> tuple[Dict, list[str]]:
        """A computation as a region of one block, and its binders."""
        made: dict[str, list[str]] = {}
        shapes = {instruction.name: instruction.shape for instruction in computation.instructions}
        args: list[str] = []
        for parameter in sorted((one for one in computation.instructions if one.opcode == "parameter"), key=_number):
            made[parameter.name] = self._made(parameter, named=computation.entry)
            args += made[parameter.name]
        ops = [self._op(one, made, shapes, depth) for one in computation.instructions if one.opcode != "parameter"]
        root = _root(computation)
        if root is not None:
            ops.append(self._end(made.get(root.name, [])))
        return {"label": label, "blocks": [{"args": args, "ops": ops}]}, args

    def _end(self, values: list[str]) -> Dict:
        """HLO marks the instruction that a computation gives (`ROOT`); here an operation at the end of the block says it, as in MLIR."""
        operands = [{"value": value, "role": None} for value in values]
        op: Dict = {
            "id": f"h{self._count}",
            "name": END,
            "operands": operands,
            "results": [],
            "attributes": {},
            "regions": [],
            "callee": None,
        }
        self._count += 1
        return {**op, "span": None, "text_span": None}

    def _made(self, instruction: Instruction, *, named: bool = False) -> list[str]:
        types = leaves(instruction.shape)
        label = self._label(instruction) if named else None
        ids = []
        for index, kind in enumerate(types):
            several = len(types) > 1
            ids.append(f"n{len(self._values)}")
            self._values[ids[-1]] = {
                "type": kind,
                "name": f"%{instruction.name}#{index}" if several else f"%{instruction.name}",
                "role": None,
                "label": label and (f"{label}[{index}]" if several else label),
            }
        return ids

    def _op(self, instruction: Instruction, made: dict[str, list[str]], shapes: dict[str, str], depth: int) -> Dict:
        place = (instruction.start, instruction.end)
        op: Dict = {
            "id": f"h{self._count}",
            "name": instruction.opcode,
            "operands": [],
            "results": [],
            "attributes": attributes_of(instruction),
            "regions": [],
            "callee": None,
            "span": self._span(*place) if self._span else None,
            "text_span": self._range(*place),
        }
        self._count += 1
        self.ops.append((instruction, op))
        if (place_of := self._places.of(instruction)) is not None:
            op["location"] = place_of
        given = [made.get(name, []) for name in instruction.operands]
        taken = [value for values in given for value in values]
        if instruction.opcode == "get-tuple-element":
            index = instruction.attributes.get("index", "")
            found = element(shapes.get(instruction.operands[0], ""), int(index)) if instruction.operands and index.isdecimal() else None
            if found is not None:
                taken = taken[found.start : found.stop]
        op["operands"] = [{"value": value, "role": None} for value in taken]
        callee = _names(instruction.attributes.get(_CALLEE.get(instruction.opcode, ""), ""))
        if callee and callee[0] in self._computations:
            op["callee"] = callee[0]
            del op["attributes"][_CALLEE[instruction.opcode]]
        for label, name in regions_of(instruction):
            computation = self._computations.get(name)
            if computation is not None and depth < _DEEPEST:
                op["regions"].append(self._region(computation, label, depth + 1)[0])
        op["results"] = made[instruction.name] = self._made(instruction)
        if instruction.opcode == "while" and (trips := _TRIPS.search(instruction.attributes.get("backend_config", ""))):
            op["trips"] = int(trips[1])
        return op

    def _range(self, start: int, end: int) -> list[int]:
        return [start, end] if self._units is None else [self._units[start], self._units[end]]


def regions_of(instruction: Instruction) -> list[tuple[str, str]]:
    """The computations that an instruction applies as regions: what each is called, and its name."""
    if instruction.opcode in _CALLEE:
        return []
    found: list[tuple[str, str]] = []
    for attribute, label in _REGIONS.get(instruction.opcode, _ANY):
        text = instruction.attributes.get(attribute, "")
        several = text.startswith("{")
        found += [(f"{label} {index}" if several else label, name) for index, name in enumerate(_names(text))]
    return found


def label_of(parameter: Instruction) -> str | None:
    """The person's own name of a parameter: JAX gives it as the whole of its op_name (`batch['x']`)."""
    name = op_name(parameter)
    return name if name and "/" not in name and not name.startswith("jit(") else None


def _names(text: str) -> list[str]:
    return [name.removeprefix("%") for name in _NAME.findall(text)]


def _root(computation: Computation) -> Instruction | None:
    marked = next((one for one in computation.instructions if one.root), None)
    return marked or (computation.instructions[-1] if computation.instructions else None)


def _number(parameter: Instruction) -> int:
    return int(parameter.literal) if parameter.literal.isdecimal() else 0


def _units(text: str) -> list[int]:
    """The offset in UTF-16 units of each character."""
    units, at = [0], 0
    for character in text:
        at += 2 if ord(character) > 0xFFFF else 1
        units.append(at)
    return units
