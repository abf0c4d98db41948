"""An MLIR module as plain data: its functions, operations, regions, blocks and values.

Promises: every operation is there once, in program order, with ids that are unique in the module and the same for the same module; names,
types and attributes are MLIR's own text.
Must never: know what JAX is; change the module.

"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from visualizer.tracing.compat import mlir

from ._attributes import Attributes
from ._text import place

Dict = dict[str, Any]

# The regions of an operation, in MLIR's own words, whatever the dialect. Any other operation: `body`, or `region i` when there are several.
LABELS: dict[str, tuple[str, ...]] = {
    "while": ("cond", "body"),
    "if": ("true", "false"),
    "reduce": ("reducer",),
    "reduce_window": ("reducer",),
    "reduce_scatter": ("reducer",),
    "all_reduce": ("reducer",),
    "sort": ("comparator",),
    "map": ("computation",),
    "scatter": ("update",),
    "select_and_scatter": ("select", "scatter"),
}
_SYMBOLS = {"func.call": "callee", "stablehlo.composite": "decomposition"}


@dataclass
class SerializedModule:
    """A module-shaped dict beside what it was made from."""

    module: Dict
    ops: list[tuple[Any, Dict]] = field(default_factory=list)
    """MLIR's operation and ours, in program order; functions are not among them."""
    values: dict[Any, str] = field(default_factory=dict)
    """MLIR's value -> our id."""
    inside: dict[str, list[Dict]] = field(default_factory=dict)
    """Name of a function -> its operations, at every depth."""


def serialize_module(module: Any, *, dialect: str = "stablehlo", label: Callable[[Any], str | None] = lambda _: None) -> SerializedModule:
    """Serialise an `ir.Module`. `label` gives the person's own name of an argument, from its location."""
    walk = _Walk(module, label)
    functions, others = walk.top()
    text = module.operation.get_asm(large_elements_limit=64, assume_verified=True)
    name = module.operation.attributes["sym_name"].value if "sym_name" in module.operation.attributes else ""
    walk.result.module = {
        "dialect": dialect,
        "name": name,
        "text": text,
        "functions": functions,
        "ops": others,
        "values": walk.wires,
    }
    place(walk.result.module)
    return walk.result


class _Walk:
    def __init__(self, module: Any, label: Callable[[Any], str | None]) -> None:
        ir = mlir()
        self.result = SerializedModule({})
        self.wires: dict[str, Dict] = {}
        self._module = module
        self._label = label
        self._state = ir.AsmState(module.operation)
        self._types: dict[Any, str] = {}
        self._attributes = Attributes()

    def top(self) -> tuple[list[Dict], list[Dict]]:
        """The functions of the module, and every other operation of it."""
        functions: list[Dict] = []
        others: list[Dict] = []
        for view in self._module.body.operations:
            op = view.operation
            if op.name == "func.func":
                functions.append(self._func(op, f"f{len(functions)}"))
            else:
                others.append(self._op(op))
        return functions, others

    def _func(self, op: Any, key: str) -> Dict:
        name = op.attributes["sym_name"].value
        before = len(self.result.ops)
        results = [self._type(kind) for kind in op.attributes["function_type"].value.results]
        region = self._region(op.regions[0], "body", labels=True)
        self.result.inside[name] = [wire for _, wire in self.result.ops[before:]]
        attributes = self._attributes.of(op)
        return {
            "id": key,
            "name": name,
            "args": list(region["blocks"][0]["args"]) if region["blocks"] else [],
            "results": results,
            "attributes": {key: text for key, text in attributes.items() if key not in ("sym_name", "function_type")},
            "region": region,
            "text_span": None,
        }

    def _region(self, region: Any, label: str, *, labels: bool = False) -> Dict:
        blocks: list[Dict] = []
        for block in region.blocks:
            args = [self._value(arg, self._label(arg) if labels else None) for arg in block.arguments]
            blocks.append({"args": args, "ops": [self._op(view.operation) for view in block.operations]})
        if len(blocks) > 1:
            _branch(list(region.blocks), blocks)
        return {"label": label, "blocks": blocks}

    def _op(self, op: Any) -> Dict:
        name = op.name
        ops = self.result.ops
        wire: Dict = {
            "id": f"o{len(ops)}",
            "name": name,
            "operands": [{"value": self._value(value), "role": None} for value in op.operands],
            "results": [self._value(value) for value in op.results],
            "attributes": self._attributes.of(op),
            "regions": [],
            "callee": None,
            "span": None,
            "text_span": None,
        }
        ops.append((op, wire))
        symbol = _SYMBOLS.get(name)
        if symbol is not None and symbol in op.attributes:
            wire["callee"] = op.attributes[symbol].value
            if name == "func.call":
                del wire["attributes"][symbol]
        regions = op.regions
        if len(regions):
            labels = region_labels(name, len(regions))
            wire["regions"] = [self._region(region, label) for region, label in zip(regions, labels, strict=True)]
        return wire

    def _value(self, value: Any, label: str | None = None) -> str:
        known = self.result.values.get(value)
        if known is None:
            known = self.result.values[value] = f"m{len(self.wires)}"
            self.wires[known] = {"type": self._type(value.type), "name": value.get_name(self._state), "role": None, "label": label}
        return known

    def _type(self, kind: Any) -> str:
        known = self._types.get(kind)
        if known is None:
            known = self._types[kind] = str(kind)
        return known


def _branch(blocks: list[Any], wires: list[Dict]) -> None:
    """Where the last operation of each of several blocks goes to."""
    for block, wire in zip(blocks, wires, strict=True):
        goals = list(block.operations[-1].operation.successors) if len(block.operations) else []
        if goals:
            wire["ops"][-1]["successors"] = [blocks.index(goal) for goal in goals]


def region_labels(name: str, count: int) -> list[str]:
    """What the regions of an operation are called: `cond` and `body` of a while, `branch 2` of a case."""
    own = name.rpartition(".")[2]
    known = LABELS.get(own, ())
    if len(known) == count:
        return list(known)
    if own == "case":
        return [f"branch {index}" for index in range(count)]
    return ["body"] if count == 1 else [f"region {index}" for index in range(count)]
