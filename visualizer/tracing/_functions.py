"""The names by which the functions of a text return their values.

Promises: names by JAX's path of the value (`result[0]`), only where every `return` agrees.
Must never: name the value of an expression that is not a plain name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.Lambda
Place = tuple[int, int, int, int]
# The path of a value, as JAX writes it -> the person's name for it.
Paths = dict[str, str]
_ELSEWHERE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def returned(node: Function) -> Paths:
    """The names of what a function returns: `return w, {"loss": l}` gives `result[0]` and `result['loss']`."""
    if isinstance(node, ast.Lambda):
        return dict(_paths(node.body, "result"))
    found = [dict(_paths(part.value, "result")) for part in _own(node) if isinstance(part, ast.Return) and part.value is not None]
    return {path: name for path, name in found[0].items() if all(other.get(path) == name for other in found)} if found else {}


def places(node: Function) -> set[Place]:
    """The places of all expressions of a function, but those in functions inside it."""
    return {place(part) for part in _own(node) if isinstance(part, (ast.expr, ast.stmt))}


def place(node: ast.expr | ast.stmt) -> Place:
    """Where a node stands, as Python's compiler counts."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def places_of(value: ast.expr) -> list[Place]:
    """Where the code of an expression stands. The call of a method over several lines begins, for the compiler, at the method's name."""
    found = [place(value)]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        line, end = value.func.end_lineno, value.func.end_col_offset
        if line is not None and end is not None and line != value.lineno:
            found.append((line, end - len(value.func.attr.encode()), found[0][2], found[0][3]))
    return found


def renamed(path: str, names: Paths) -> str | None:
    """The person's name for a path, with what of the path comes after it: `params['w']` for `result[0]['w']`; None where there is none."""
    end = len(path)
    while end > 0:
        name = names.get(path[:end])
        if name is not None:
            return name + path[end:]
        end = max(path.rfind("[", 0, end), path.rfind(".", 0, end))
    return None


def _paths(node: ast.expr, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Name):
        if node.id.strip("_"):
            yield path, node.id
    elif isinstance(node, (ast.Tuple, ast.List)):
        if not any(isinstance(part, ast.Starred) for part in node.elts):
            for index, part in enumerate(node.elts):
                yield from _paths(part, f"{path}[{index}]")
    elif isinstance(node, ast.Dict):
        for key, part in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant):
                yield from _paths(part, f"{path}[{key.value!r}]")


def _own(node: Function) -> Iterator[ast.AST]:
    """Everything in a function but what is in functions and classes inside it."""
    todo: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(reversed(node.body))
    while todo:
        part = todo.pop()
        yield part
        if not isinstance(part, _ELSEWHERE):
            todo.extend(reversed(list(ast.iter_child_nodes(part))))
