"""What is counted of a module: its operations by name, functions, regions, blocks and depth; from our wire, in the words of the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass
class Shape:
    """The counts of one module, or of several together."""

    ops: Counter[str] = field(default_factory=Counter)
    functions: list[tuple[str, str, int, int]] = field(default_factory=list)
    """Name, visibility, and how many arguments and results."""
    regions: int = 0
    blocks: int = 0
    """Of the region with the most."""
    depth: int = 0

    def differences(self, other: Shape) -> list[str]:
        """How another one differs, in words."""
        found = [
            f"{name}: {self.ops[name]}, expected {other.ops[name]}"
            for name in sorted(self.ops | other.ops)
            if self.ops[name] != other.ops[name]
        ]
        for name in ("functions", "regions", "blocks", "depth"):
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours != theirs:
                found.append(f"{name}: {ours}, expected {theirs}")
        return found


def shape_of(module: Json) -> Shape:
    """The counts of a module of ours. The module itself is an operation with a region."""
    shape = Shape(Counter({"builtin.module": 1}), regions=1, blocks=1, depth=1)
    for function in module["functions"]:
        shape.ops["func.func"] += 1
        visibility = function["attributes"].get("sym_visibility", '"public"').strip('"')
        # A declaration has no block, and its type says how many arguments it has.
        arguments = len(function["args"]) if function["region"]["blocks"] else -1
        shape.functions.append((function["name"], visibility, arguments, len(function["results"])))
        _count(shape, [function["region"]], 1)
    for op in module["ops"]:
        _op(shape, op, 1)
    return shape


def _op(shape: Shape, op: Json, depth: int) -> None:
    shape.ops[op["name"]] += 1
    _count(shape, op["regions"], depth)


def _count(shape: Shape, regions: list[Json], depth: int) -> None:
    for region in regions:
        shape.regions += 1
        shape.blocks = max(shape.blocks, len(region["blocks"]))
        shape.depth = max(shape.depth, depth + 1)
        for block in region["blocks"]:
            for op in block["ops"]:
                _op(shape, op, depth + 1)


def ops_of(module: Json) -> Iterator[Json]:
    """Every operation of a module, at every depth, functions apart."""
    waiting = [block for function in module["functions"] for block in function["region"]["blocks"]]
    tops = [*module["ops"], *(op for block in waiting for op in block["ops"])]
    while tops:
        op = tops.pop()
        yield op
        tops += [inner for region in op["regions"] for block in region["blocks"] for inner in block["ops"]]
