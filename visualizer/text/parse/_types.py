"""What the text of a type says: shape and dtype.

Promises: `f32[6,2,3]` is (6, 2, 3) and `float32`, as tracing says it of the same type.
Must never: raise, or guess where no type is printed.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_ARRAY = re.compile(r"([^\[\]{}]*)\[([^\[\]]*)\]")
_HELD = re.compile(r"\w*Ref(?:<[^>]*>)?\{(.*)\}\Z", re.DOTALL)
# A type that JAX has no short form of: `AbstractLinVal(inner_aval=ShapedArray(float32[3]), memory_space=None)`.
_LONG_FORM = re.compile(r"\w+\(inner_aval=ShapedArray\(([^()]*)\)")
_SHORT = re.compile(r"(bf|f|i|u|c)(?=\d)")
_LONG = {"bf": "bfloat", "f": "float", "i": "int", "u": "uint", "c": "complex"}
_SPACE = re.compile(r"<\w+>\Z")


class Type(NamedTuple):
    """What the wire says of a variable's type, beside its text."""

    shape: list[int | str]
    dtype: str


@lru_cache(1 << 14)
def type_of(aval: str) -> Type:
    """The shape and dtype of a printed type."""
    held = _HELD.match(aval) or _LONG_FORM.match(aval)
    array = _ARRAY.match(held.group(1) if held else aval)
    if array is None:
        return Type([], "")
    return Type([_dimension(part) for part in _parts(array.group(2))], _dtype(array.group(1)))


def _dtype(short: str) -> str:
    name = short if short.startswith("key<") else _SPACE.sub("", short)
    if name == "float0":
        return "[('float0', 'V')]"
    return _SHORT.sub(lambda found: _LONG[found.group()], name, count=1) if _SHORT.match(name) else name


def _parts(inside: str) -> list[str]:
    parts, depth = [""], 0
    for char in inside:
        depth += (char in "({") - (char in ")}")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _dimension(text: str) -> int | str:
    size = text.partition("@")[0]
    return int(size) if size.isdecimal() and len(size) < 16 else size
