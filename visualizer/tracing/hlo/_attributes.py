"""The attributes of HLO instructions as a page can hold them.

Promises: XLA's own text, except that what is huge is cut with its size said, and that metadata is put into words: the name stack, and the
place in the source where the text or a table has it. Must never: cut what is short.
"""

from __future__ import annotations

import re

from ._shapes import count
from ._text import HloText, Instruction

MAX_ELEMENTS = 64
MAX_CHARS = 2_000
MAX_CONFIG = 400
_FIELD = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\{[^{}]*\}|[^\s{}"]+)')
_ESCAPE = re.compile(r"\\(?:([0-7]{3})|(.))", re.DOTALL)


def attributes_of(instruction: Instruction) -> dict[str, str]:
    """Every attribute but the metadata by name, in XLA's order; the value of a constant first."""
    found: dict[str, str] = {}
    if instruction.opcode == "constant":
        found["value"] = literal_text(instruction)
    for name, text in instruction.attributes.items():
        if name != "metadata":
            found[name] = cut(text, MAX_CONFIG if name == "backend_config" else MAX_CHARS)
    return found


def literal_text(instruction: Instruction) -> str:
    """The value of a constant; of one with many elements, how many."""
    size = count(instruction.shape)
    if size > MAX_ELEMENTS or instruction.literal == "{...}":
        return f"{{… {size:,} x {instruction.shape.partition('[')[0]}}}"
    return cut(" ".join(instruction.literal.split()), MAX_CHARS)


def cut(text: str, most: int) -> str:
    """A text, or its beginning with its length."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def unquoted(text: str) -> str:
    """What a quoted text of XLA's stands for: it escapes as C does, in octal, byte by byte."""
    if not text.startswith('"'):
        return text
    inner = text[1:-1]
    if "\\" not in inner:
        return inner
    named = {"n": "\n", "t": "\t", "r": "\r"}
    raw = _ESCAPE.sub(lambda found: chr(int(found[1], 8) & 255) if found[1] else named.get(found[2], found[2]), inner)
    try:
        return raw.encode("latin-1").decode("utf-8", "replace")
    except UnicodeEncodeError:  # the text has characters of its own beside the escaped bytes
        return raw


def op_name(instruction: Instruction) -> str:
    """The name stack that JAX gave the instruction, or "" where it has none."""
    return fields(instruction.attributes.get("metadata", "")).get("op_name", "")


def fields(metadata: str) -> dict[str, str]:
    """The fields of a metadata attribute, unquoted."""
    return {name: unquoted(text) for name, text in _FIELD.findall(metadata)}


class Places:
    """Where in the source an instruction was written: said in its metadata (old), or by the tables of the module (new)."""

    def __init__(self, text: HloText) -> None:
        self._tables = {name: {key: fields(row) for key, row in rows.items()} for name, rows in text.tables.items()}
        self._files = {key: unquoted(row) for key, row in text.tables.get("FileNames", {}).items()}

    def of(self, instruction: Instruction) -> str | None:
        """`jit(f)/add, train.py:7`, as far as it is known."""
        found = fields(instruction.attributes.get("metadata", ""))
        file, line = found.pop("source_file", ""), found.pop("source_line", "")
        frame = found.get("stack_frame_id", "")
        if not file and frame.isdecimal():
            file, line = self._frame(int(frame))
        place = f"{file}:{line}" if file and line else file
        return ", ".join(part for part in (found.get("op_name", ""), place) if part) or None

    def _frame(self, key: int) -> tuple[str, str]:
        frame = self._tables.get("StackFrames", {}).get(key, {})
        location = self._row("FileLocations", frame.get("file_location_id", ""))
        file = location.get("file_name_id", "")
        return (self._files.get(int(file), "") if file.isdecimal() else "", location.get("line", ""))

    def _row(self, table: str, key: str) -> dict[str, str]:
        return self._tables.get(table, {}).get(int(key), {}) if key.isdecimal() else {}
