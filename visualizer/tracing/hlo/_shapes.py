"""HLO shapes: what a tuple is made of.

Promises: text in, text out; a shape that is no tuple is one leaf, a tuple has those of its parts in order, an empty one none.
"""

from __future__ import annotations

import re
from functools import lru_cache

# A bracket, or a comma between two parts; those inside of brackets belong to the part.
_MARK = re.compile(r"[(\[{)\]},]")
_DIMENSION = re.compile(r"\d+")


@lru_cache(4096)
def parts(shape: str) -> tuple[str, ...] | None:
    """The shapes in a tuple, or None for a shape that is none."""
    shape = shape.strip()
    if not shape.startswith("("):
        return None
    inner = shape[1:-1]
    found: list[str] = []
    depth = start = 0
    for mark in _MARK.finditer(inner):
        if mark[0] in "([{":
            depth += 1
        elif mark[0] in ")]}":
            depth -= 1
        elif depth == 0:
            found.append(inner[start : mark.start()].strip())
            start = mark.end()
    if inner[start:].strip():
        found.append(inner[start:].strip())
    return tuple(found)


@lru_cache(4096)
def leaves(shape: str) -> tuple[str, ...]:
    """Every array (or token) of a shape, outermost first."""
    inside = parts(shape)
    return (shape.strip(),) if inside is None else tuple(leaf for part in inside for leaf in leaves(part))


def element(shape: str, index: int) -> range | None:
    """Which leaves of a tuple are its `index`-th part; None where there is no such part."""
    inside = parts(shape)
    if inside is None or not 0 <= index < len(inside):
        return None
    start = sum(len(leaves(part)) for part in inside[:index])
    return range(start, start + len(leaves(inside[index])))


def count(shape: str) -> int:
    """How many elements an array has: `f32[2,3]{1,0}` has 6."""
    found = 1
    for size in _DIMENSION.findall(shape.partition("[")[2].partition("]")[0]):
        found *= int(size)
    return found
