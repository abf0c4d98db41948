"""A lowered module (StableHLO, HLO) in MLIR's own words: functions, ops, regions, blocks, values."""

from __future__ import annotations

from ._base import Wire
from ._source import Span


class ModuleValue(Wire):
    """An SSA value. `role` is that of the equation it was lowered from (`carry`, `xs`, `counter`, ...), or null.

    `label` is the person's own name of an argument (`batch['x']`), where the module has one, or the name of a value in the pasted text
    (`%next`), where MLIR prints another. `derived`: the role was read off the module itself, for there is no equation.
    """

    type: str
    name: str
    role: str | None
    label: str | None
    derived: bool = False


class OpOperand(Wire):
    """One operand of an op: the id of the value, and its role where one is known."""

    value: str
    role: str | None


class Op(Wire):
    """One operation. `callee` names the function of a call; `span` is in the paste, `text_span` is `[start, end)` in the module's text.

    `trips` is how often a loop runs, where the module says it; `successors` are the blocks that a branch goes to, by their index in the
    region.
    `location` is what a pasted module says of where the operation comes from, in words: `jit(f)/add, train.py:12:4, called from ...`.
    """

    id: str
    name: str
    operands: tuple[OpOperand, ...]
    results: tuple[str, ...]
    attributes: dict[str, str]
    regions: tuple[Region, ...]
    callee: str | None
    span: Span | None
    text_span: tuple[int, int] | None
    trips: int | None = None
    successors: tuple[int, ...] = ()
    location: str | None = None


class Block(Wire):
    """A basic block: its arguments (value ids) and its ops in order."""

    args: tuple[str, ...]
    ops: tuple[Op, ...]


class Region(Wire):
    """A region of an op; `label` says which (`cond`, `body`, `true`, ...)."""

    label: str
    blocks: tuple[Block, ...]


class Function(Wire):
    """A function of the module; `args` and `results` are value ids and types as MLIR prints them.

    `attributes` hold its visibility, and what is said of its arguments and results (donation, shardings, result names), as MLIR prints it.
    `span` is where a pasted module has it in the paste.
    """

    id: str
    name: str
    args: tuple[str, ...]
    results: tuple[str, ...]
    attributes: dict[str, str]
    region: Region
    text_span: tuple[int, int] | None
    span: Span | None = None


class PackedOps(Wire):
    """The ops and values of a large module as rows (see `parts/_rows.py`) of `templates`.

    `blocks` are the ops of the blocks of its functions, in order; `values` are pairs of an id and a value, `links` those of an equation
    and its ops. The `text_span` of an op is that of the printed level.
    """

    templates: tuple[str, ...]
    blocks: tuple[str, ...]
    values: str
    links: str
    count: int


class Module(Wire):
    """A whole module with its printed text. `ops` are what stands in it beside its functions (a mesh, a global).

    In an answer in parts `packed` may hold the ops of its functions and the values, and `text` is that of the printed level.
    """

    dialect: str
    text: str
    functions: tuple[Function, ...]
    values: dict[str, ModuleValue]
    name: str
    ops: tuple[Op, ...]
    packed: PackedOps | None = None


Op.model_rebuild()
Block.model_rebuild()
Region.model_rebuild()
Function.model_rebuild()
Module.model_rebuild()
