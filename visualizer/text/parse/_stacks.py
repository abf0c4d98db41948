"""Name stacks and source places where a print has them (`pretty_print(source_info=True, name_stack=True)`).

Promises: of `[transpose(jvp(loss))/layer]` the scopes and transformations, outermost first, as JAX writes them.
Must never: take a source place for a stack.
"""

from __future__ import annotations

import re
from typing import Any

Dict = dict[str, Any]
_TRANSFORM = re.compile(r"(\w+)\((.*)\)\Z", re.DOTALL)
_KNOWN = frozenset({"jvp", "transpose", "vmap"})


def stack_of(notes: list[str]) -> list[Dict]:
    """The entries of the name stack among the annotations of an equation."""
    text = next((note[1:-1] for note in notes if note.startswith("[")), "")
    entries: list[Dict] = []
    for part in _parts(text):
        while (found := _TRANSFORM.match(part)) is not None and found.group(1) in _KNOWN:
            entries.append({"kind": "transform", "name": found.group(1)})
            part = found.group(2)
        if part:
            entries.append({"kind": "scope", "name": part})
    return entries


def where_of(notes: list[str]) -> str | None:
    """The place in the person's program among the annotations of an equation: `train.py:12:4 (step)`."""
    return next((note for note in notes if note.endswith(")") and not note.startswith("[")), None)


def _parts(text: str) -> list[str]:
    parts, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "/" and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part for part in parts if part]
