"""Types as jaxprs print them: in code as `f32[4,8]`, and as the text of `:args:`.

Promises: a text is parsed, and whatever could call something is refused before anything reads it.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from ._wanted import NotDrawn

# Without `bool`, which is a word of Python's: there `spec("bool[3]")` is written.
NAMES = (
    *("i2", "i4", "i8", "i16", "i32", "i64", "u2", "u4", "u8", "u16", "u32", "u64"),
    *("bf16", "f16", "f32", "f64", "c64", "c128", "f8_e4m3fn", "f8_e5m2"),
)
_KEY = re.compile(r"\bkey<\w+>")
_PLAIN = (
    *(ast.Expression, ast.Tuple, ast.List, ast.Dict, ast.Constant, ast.Name, ast.Load),
    *(ast.Subscript, ast.UnaryOp, ast.Invert, ast.USub),
)
_HOW = "Write the types of the arguments as jaxprs print them: f32[4,8], {'w': f32[3]}, 2."


class _Type:
    """`f32[4,8]`, `f32[()]` and `f32[n]` in code."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, shape: Any) -> Any:
        import visualizer

        sizes = shape if isinstance(shape, tuple) else (shape,)
        return visualizer.spec(f"{self._name}[{','.join(str(int(size)) for size in sizes)}]")


def typed(name: str) -> Any:
    """What the name of a dtype is in the code of a document."""
    return _Type(name)


def read_args(text: str) -> list[Any]:
    """The arguments that a text like `f32[4,8], {'w': f32[3]}, 2` gives. Raises NotDrawn."""
    import visualizer

    whole = _KEY.sub(lambda found: "k" * len(found[0]), text.strip())
    if not whole:
        return []
    line = f"({whole},)" if not whole.endswith(",") else f"({whole})"
    # `f32[]` is no Python: with an index in it, it is.
    filled = re.sub(r"\[\s*\]", lambda found: "[0]" + " " * (len(found[0]) - 3) if len(found[0]) >= 3 else "[0]", line)
    try:
        tree = ast.parse(filled, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotDrawn(f":args: {text.strip()!r} cannot be read. {_HOW}") from None
    if not all(isinstance(node, _PLAIN) for node in ast.walk(tree)):
        raise NotDrawn(f":args: {text.strip()!r} is no list of types. {_HOW}")
    found = []
    for piece in _pieces(text.strip()):
        try:
            found.append(ast.literal_eval(piece))
        except (ValueError, SyntaxError):
            try:
                found.append(visualizer.spec(piece))
            except ValueError as error:
                raise NotDrawn(f":args: {error}") from None
    return found


def _pieces(text: str) -> list[str]:
    """The text split at the commas that stand in no bracket and no string."""
    pieces, depth, quote = [""], 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        depth += 0 if quote else (char in "([{") - (char in ")]}")
        if char == "," and depth == 0 and not quote:
            pieces.append("")
        else:
            pieces[-1] += char
    return [piece.strip() for piece in pieces if piece.strip()]
