"""Annotations that ask for a value of Python's: `bool`, `int`, `str`, `Literal[...]`, enums, and `None` for what is optional.

Such a parameter decides what the function does, so that a type (`bool[]`) is the one thing it cannot take.

Promises: an example is one of the values that the annotation allows. Must never: evaluate an annotation.
"""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass
from typing import Any

from visualizer.tracing.source._functions import own

Dict = dict[str, Any]
_EXAMPLES = {"bool": (bool, "True"), "int": (int, "1"), "str": (str, None)}
_COMPARES = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
_OPTIONAL, _LITERAL, _UNION, _ANNOTATED = "Optional", "Literal", "Union", "Annotated"


@dataclass(frozen=True)
class PythonType:
    """What an annotation allows: values of `only` these types (empty: of any), and an example, None where none is known."""

    only: tuple[type, ...]
    example: str | None

    def takes(self, value: Any) -> bool:
        """Whether a value of the paste is of such a type."""
        return not self.only or type(value) in self.only


def python_type(annotation: str, namespace: Dict) -> PythonType | None:
    """What an annotation asks for, None where it is none of these."""
    try:
        node = ast.parse(annotation.strip(), mode="eval").body
    except (SyntaxError, ValueError):  # cut, or no Python
        return None
    return _of(node, namespace)


def wants_text(annotation: Any) -> bool:
    """Whether an annotation (its text, or what Python made of that) asks for a text."""
    text = annotation if type(annotation) is str else annotation.__name__ if type(annotation) is type else str(annotation)
    found = python_type(text, {})
    return found is not None and str in found.only


def advice_for(annotation: Any) -> str:
    """How a parameter with this annotation is given, where nothing can be read."""
    if wants_text(annotation):
        return "It takes a text: write it in quotes, like 'sum'."
    return "Write its type, like f32[3], or a value."


def _of(node: ast.expr, namespace: Dict) -> PythonType | None:
    if isinstance(node, ast.Constant) and type(node.value) is str:
        return python_type(node.value, namespace)
    if isinstance(node, ast.Name) and node.id in _EXAMPLES:
        only, example = _EXAMPLES[node.id]
        return PythonType((only,), example)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _one_of([node.left, node.right], namespace)
    if not isinstance(node, ast.Subscript):
        return _of_enum(node, namespace)
    parts = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
    if name == _LITERAL and parts and all(isinstance(part, ast.Constant) for part in parts):
        return PythonType(tuple({type(ast.literal_eval(part)) for part in parts}), ast.unparse(parts[0]))
    if name == _ANNOTATED:
        return _of(parts[0], namespace)
    if name in (_OPTIONAL, _UNION):
        return _one_of([*parts, ast.Constant(None)] if name == _OPTIONAL else parts, namespace)
    return None


def _one_of(parts: list[ast.expr], namespace: Dict) -> PythonType | None:
    """Of several the first example, else `None` where that is one of them. Beside an array only `None` is certain."""
    found = [_of(part, namespace) for part in parts if not _is_none(part)]
    optional = len(found) < len(parts)
    known = [each for each in found if each is not None]
    if len(known) < len(found) or not known:
        return PythonType((), "None") if optional else None
    example = next((each.example for each in known if each.example is not None), "None" if optional else None)
    return PythonType(tuple(kind for each in known for kind in each.only), example)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _of_enum(node: ast.expr, namespace: Dict) -> PythonType | None:
    """An enum of the paste, and its first member."""
    value: Any = namespace.get(node.id) if isinstance(node, ast.Name) else None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        value = vars(namespace[node.value.id]).get(node.attr) if hasattr(namespace.get(node.value.id), "__dict__") else None
    if not isinstance(value, enum.EnumMeta) or not value._member_names_:
        return None
    return PythonType((value,), f"{ast.unparse(node)}.{value._member_names_[0]}")


def compared_with(node: ast.FunctionDef | ast.Lambda) -> dict[str, str]:
    """The first text that a function compares each name with: `if mode == "sum"`, `mode in ("sum", "mean")`, `match mode`."""
    found: dict[str, str] = {}
    for part in own(node):
        if isinstance(part, ast.Compare) and isinstance(part.left, ast.Name) and isinstance(part.ops[0], _COMPARES):
            _note(found, part.left, part.comparators[0])
        elif isinstance(part, ast.Match):
            for case in part.cases:
                if isinstance(case.pattern, ast.MatchValue):
                    _note(found, part.subject, case.pattern.value)
    return found


def _note(found: dict[str, str], name: ast.expr, value: ast.expr) -> None:
    if isinstance(value, (ast.Tuple, ast.List, ast.Set)) and value.elts:
        value = value.elts[0]
    if isinstance(name, ast.Name) and isinstance(value, ast.Constant) and type(value.value) is str:
        found.setdefault(name.id, repr(value.value))
