"""A lowered module (StableHLO, HLO) in MLIR's own words: functions, ops, regions, blocks, values."""

from __future__ import annotations

from ._base import Wire
from ._source import Span


class ModuleValue(Wire):
    """An SSA value. `role` is that of the equation it was lowered from (`carry`, `xs`, ...), or null."""

    type: str
    name: str
    role: str | None


class OpOperand(Wire):
    """One operand of an op: the id of the value, and its role where one is known."""

    value: str
    role: str | None


class Op(Wire):
    """One operation. `callee` names the function of a call; `span` is in the paste, `text_span` is `[start, end)` in the module's text."""

    id: str
    name: str
    operands: tuple[OpOperand, ...]
    results: tuple[str, ...]
    attributes: dict[str, str]
    regions: tuple[Region, ...]
    callee: str | None
    span: Span | None
    text_span: tuple[int, int] | None


class Block(Wire):
    """A basic block: its arguments (value ids) and its ops in order."""

    args: tuple[str, ...]
    ops: tuple[Op, ...]


class Region(Wire):
    """A region of an op; `label` says which (`cond`, `body`, `true`, ...)."""

    label: str
    blocks: tuple[Block, ...]


class Function(Wire):
    """A function of the module; `args` and `results` are value ids and types as MLIR prints them."""

    id: str
    name: str
    args: tuple[str, ...]
    results: tuple[str, ...]
    region: Region


class Module(Wire):
    """A whole module with its printed text."""

    dialect: str
    text: str
    functions: tuple[Function, ...]
    values: dict[str, ModuleValue]


Op.model_rebuild()
Block.model_rebuild()
Region.model_rebuild()
Function.model_rebuild()
Module.model_rebuild()
