"""What an assignment writes to, as names for the parts of the value that it assigns.

Promises: JAX's spelling of paths (`batch['x']`, `state.w`, `pair[0]`), so that a name and a path put together read as JAX's own.
Must never: name a part whose index is computed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

_INDEX = re.compile(r"\[(\d+)\]")


class Star(NamedTuple):
    """`*rest` among targets: what is left over, as a list."""

    name: str | None


# A name for the whole value; names for its parts, in order; None for what has no name.
Pattern = str | Star | tuple["Pattern", ...] | None


def pattern_of(target: ast.expr) -> Pattern:
    """The pattern of a target: `(a, _), self.w, *rest` is `(("a", None), "self.w", Star("rest"))`."""
    if isinstance(target, (ast.Tuple, ast.List)):
        return tuple(pattern_of(part) for part in target.elts)
    if isinstance(target, ast.Starred):
        return Star(text_of(target.value))
    return text_of(target)


def text_of(target: ast.expr) -> str | None:
    """A target that names one thing, as it is written: a name, an attribute, a constant key. `_` names nothing."""
    if isinstance(target, ast.Name):
        return target.id if target.id.strip("_") else None
    if isinstance(target, ast.Attribute):
        front = text_of(target.value)
        return f"{front}.{target.attr}" if front else None
    if isinstance(target, ast.Subscript) and (key := constant_key(target.slice)) is not None:
        front = text_of(target.value)
        return f"{front}[{key}]" if front else None
    return None


def constant_key(node: ast.expr) -> str | None:
    """A key that is written out: a string or a whole number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return f"-{node.operand.value}" if type(node.operand.value) is int else None
    return repr(node.value) if isinstance(node, ast.Constant) and type(node.value) in (int, str) else None


def part(pattern: Pattern, path: str) -> str | None:
    """The name of the part of a value that `path` leads to."""
    while isinstance(pattern, tuple):
        found = _INDEX.match(path)
        if found is None:
            return None
        index, path = int(found[1]), path[found.end() :]
        star = next((number for number, one in enumerate(pattern) if isinstance(one, Star)), len(pattern))
        if index < star:
            if index >= len(pattern):
                return None
            pattern = pattern[index]
        else:
            # What comes after the star depends on how many there are.
            one = pattern[star] if star == len(pattern) - 1 else None
            return f"{one.name}[{index - star}]{path}" if isinstance(one, Star) and one.name else None
    return pattern + path if isinstance(pattern, str) else None


def flat(pattern: Pattern, count: int) -> tuple[str | None, ...] | None:
    """The names of `count` values, one for each; None where they are not one to one."""
    names = tuple(_flat(pattern, count))
    return names if len(names) == count else None


def _flat(pattern: Pattern, count: int) -> Iterator[str | None]:
    if not isinstance(pattern, tuple):
        yield pattern if isinstance(pattern, str) else None
        return
    plain = all(one is None or isinstance(one, (str, Star)) for one in pattern)
    for one in pattern:
        if isinstance(one, Star) and plain:
            yield from (f"{one.name}[{i}]" if one.name else None for i in range(count - len(pattern) + 1))
        else:
            yield from _flat(one, count)
