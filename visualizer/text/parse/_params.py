"""A printed equation's params as values, for the rules that say what its operands are and how its bodies are wired.

Promises: a value is read from its text when a rule asks for it; what is no value of Python is None. Must never: run any of the text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

_MOST = 20_000
_BLOCK = re.compile(r"\bBlockMapping\(")
_DYNAMIC = re.compile(r"\bDynamicGridDim\b")
_COUNTED = re.compile(r"\b(num_index_operands|num_inputs|num_outputs|num_scratch_operands|num_dynamic_grid_bounds)=(\d+)")


class InnerJaxpr(NamedTuple):
    """What a rule asks of a jaxpr among the params."""

    constvars: Sequence[str]
    invars: Sequence[str]


class Grid(NamedTuple):
    """What the wiring of a kernel asks of its grid mapping."""

    num_dynamic_grid_bounds: int
    num_index_operands: int
    num_inputs: int
    num_outputs: int
    num_scratch_operands: int


class Leaves(NamedTuple):
    """A ref with its index among the operands: how many of them it is."""

    num_leaves: int


class Params(Mapping[str, Any]):
    """The params by name. `inner` are the types of the binders of each jaxpr by its path, `sides` the numbers of operands and results;
    `refs` has the number of operands in each ref with an index, where the equation is printed with such."""

    def __init__(self, texts: Mapping[str, str], inner: Mapping[str, InnerJaxpr], sides: tuple[int, int], refs: Sequence[int]) -> None:
        self._texts, self._inner, self._sides, self._refs = texts, inner, sides, refs

    def __getitem__(self, name: str) -> Any:
        if name == "ref_treedefs" and name not in self._texts:
            return tuple(map(Leaves, self._refs))
        text = self._texts[name]
        if name in self._inner:
            return self._inner[name]
        items = [value for path, value in self._inner.items() if path.startswith(f"{name}[")]
        if items:
            return tuple(items)
        return self._grid(text) if name == "grid_mapping" else value_of(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def _grid(self, text: str) -> Grid | None:
        """The print of a grid mapping names its blocks, one for each input and result; the kernel's binders say the rest."""
        kernel, (taken, given) = self._inner.get("jaxpr"), self._sides
        if kernel is None:
            return None
        counted = {name: int(number) for name, number in _COUNTED.findall(text)}
        inputs = counted.get("num_inputs", len(_BLOCK.findall(text)) - given)
        dynamic = counted.get("num_dynamic_grid_bounds", len(_DYNAMIC.findall(text.partition("block_mappings")[0])))
        indices = counted.get("num_index_operands", taken - len(kernel.constvars) - dynamic - inputs)
        scratch = len(kernel.invars) - indices - inputs - given
        return Grid(dynamic, indices, inputs, given, scratch) if min(inputs, indices, scratch) >= 0 else None


def value_of(text: str) -> Any:
    """A number, string, tuple, list or named tuple; None for anything else."""
    if len(text) > _MOST:
        return None
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.Tuple, ast.List)):
        items = [_value(item) for item in node.elts]
        return tuple(items) if isinstance(node, ast.Tuple) else items
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.Call) and node.keywords and not node.args:
        return _named({word.arg or "": _value(word.value) for word in node.keywords})
    return None


def _named(items: dict[str, Any]) -> Any:
    made: Any = type("Named", (tuple,), {"_fields": tuple(items)})
    return made(items.values())
