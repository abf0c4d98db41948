"""HLO as XLA prints it, read into computations and instructions, each with its place in the text.

XLA's own parser (jaxlib) gives names and opcodes but no places, so the text is read here too, after that parser has accepted it.

Promises: every instruction once, in the order of the text, with `[start, end)` in characters; linear in the text; what is not of the
printed grammar is a `HloError` with its place.
Must never: know what JAX is; make sense of an attribute (that is text).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ._scan import Scanner

NAME = r"%?[A-Za-z_][\w.\-]*"
_MODULE = re.compile(r"\s*HloModule\s+([^\s,]+)")
# `%fused (p: f32[3], q: (s32[], f32[2])) -> f32[3] {`, or `ENTRY main.4 {` as it is printed short.
_COMPUTATION = re.compile(rf"[ \t]*(ENTRY\s+)?({NAME})[ \t]*(?=[({{])")
_INSTRUCTION = re.compile(rf"\s*(ROOT\s+)?({NAME})\s*=\s*")
_OPCODE = re.compile(r"\s*([a-z][\w\-]*)\(")
_ATTRIBUTE = re.compile(r"\s*([A-Za-z_][\w\-]*)\s*=\s*")
_OPERAND = re.compile(rf"(?:.*[\s)}}\]])?({NAME})\s*$", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


class HloError(Exception):
    """A text that is not as XLA prints it; `at` is the character that it is about."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass
class Instruction:
    """One instruction. `operands` are names; `literal` is what stands in the parentheses of a constant or a parameter."""

    name: str
    root: bool
    shape: str
    opcode: str
    operands: list[str]
    literal: str
    attributes: dict[str, str]
    start: int
    end: int


@dataclass
class Computation:
    """One computation: `[start, end)` is all of it. `attributes` stand behind its brace (`execution_thread`)."""

    name: str
    entry: bool
    start: int
    end: int = 0
    instructions: list[Instruction] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass
class HloText:
    """One module."""

    name: str
    attributes: dict[str, str]
    tables: dict[str, dict[int, str]]
    computations: list[Computation]


def read_hlo(text: str) -> HloText:
    """Read the text of one module. Raises HloError."""
    head = _MODULE.match(text)
    if head is None:
        raise HloError("An HLO module starts with HloModule and its name.", len(text) - len(text.lstrip()))
    scanner = Scanner(text, HloError)
    attributes, at = _attributes(scanner, head.end())
    module = HloText(head[1].strip("\"'"), attributes, {}, [])
    at = _tables(text, at, module.tables)
    while (at := scanner.skip_space(at)) < len(text):
        computation, at = _computation(scanner, at)
        module.computations.append(computation)
    if not module.computations:
        raise HloError("The module has no computation.", max(0, len(text.rstrip()) - 1))
    return module


# The tables that metadata refers to (`stack_frame_id=2`), each a word on a line and numbered rows below it.
_TABLE = re.compile(r"\s*(FileNames|FunctionNames|FileLocations|StackFrames)[ \t]*\n")
_ROW = re.compile(r"[ \t]*(\d+)[ \t]+(.*)\n?")


def _tables(text: str, at: int, tables: dict[str, dict[int, str]]) -> int:
    while (head := _TABLE.match(text, at)) is not None:
        rows = tables.setdefault(head[1], {})
        at = head.end()
        while (row := _ROW.match(text, at)) is not None:
            rows[int(row[1])] = row[2].strip()
            at = row.end()
    return at


def _computation(scanner: Scanner, at: int) -> tuple[Computation, int]:
    text = scanner.text
    head = _COMPUTATION.match(text, at)
    if head is None:
        raise HloError("Here a computation should start: its name, and an opening brace.", at)
    found = Computation(head[2].removeprefix("%"), head[1] is not None, at)
    at = head.end()
    if text.startswith("(", at):
        at = scanner.skip_space(scanner.closing(at))
        if not text.startswith("->", at):
            raise HloError("Behind the parameters of a computation stands an arrow and the shape of its result.", at)
        at = scanner.skip_space(scanner.shape(at + 2))
    if not text.startswith("{", at):
        raise HloError("Here the brace of the computation should open.", at)
    at += 1
    while True:
        at = scanner.skip_space(at)
        if text.startswith("}", at):
            break
        instruction, at = _instruction(scanner, at)
        found.instructions.append(instruction)
    found.attributes, at = _attributes(scanner, at + 1)
    found.end = at
    return found, at


def _instruction(scanner: Scanner, at: int) -> tuple[Instruction, int]:
    text = scanner.text
    head = _INSTRUCTION.match(text, at)
    if head is None:
        raise HloError("Here an instruction should start: its name and an equals sign, or the brace that ends its computation.", at)
    start = scanner.skip_space(at)
    shape_end = scanner.shape(head.end())
    opcode = _OPCODE.match(text, shape_end)
    if opcode is None:
        raise HloError("Behind the shape of an instruction stands its opcode with its operands in parentheses.", shape_end)
    opens = opcode.end() - 1
    closed = scanner.closing(opens)
    inside = text[opens + 1 : closed - 1]
    operands: list[str] = []
    literal = ""
    if opcode[1] in ("constant", "parameter"):
        literal = inside.strip()
    else:
        operands = [_operand(part, opens) for part in scanner.parts(opens + 1, closed - 1)]
    attributes, end = _attributes(scanner, closed)
    name = head[2].removeprefix("%")
    shape = _COMMENT.sub("", text[head.end() : shape_end]).strip()
    return Instruction(name, head[1] is not None, shape, opcode[1], operands, literal, attributes, start, end), end


def _operand(text: str, at: int) -> str:
    found = _OPERAND.match(_COMMENT.sub("", text))
    if found is None:
        raise HloError(f"This operand is no name of an instruction: {text.strip()[:60]}", at)
    return found[1].removeprefix("%")


def _attributes(scanner: Scanner, at: int) -> tuple[dict[str, str], int]:
    """`, name=value` as often as it stands there."""
    found: dict[str, str] = {}
    while True:
        comma = scanner.skip_blank(at)
        if not scanner.text.startswith(",", comma):
            return found, at
        head = _ATTRIBUTE.match(scanner.text, comma + 1)
        if head is None:
            raise HloError("Behind the comma should stand an attribute: its name and an equals sign.", comma)
        at = scanner.value(head.end())
        found[head[1]] = scanner.text[head.end() : at].strip()
