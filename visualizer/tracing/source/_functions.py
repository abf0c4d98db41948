"""The names by which the functions of a text return their values.

Promises: names by JAX's path of the value (`result[0]`), only where every `return` agrees.
Must never: name the value of an expression that is not a plain name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ._patterns import constant_key

Function = ast.FunctionDef | ast.Lambda
Place = tuple[int, int, int, int]
# The path of a value, as JAX writes it -> the person's name for it.
Paths = dict[str, str]
# Named tuples and dataclasses of the text -> their fields, in order.
Records = Mapping[str, list[str]]
NO_RECORDS: Records = {}
_ELSEWHERE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def returned(node: Function, records: Records = NO_RECORDS) -> Paths:
    """The names of what a function returns: `return w, {"loss": l}` gives `result[0]` and `result['loss']`."""
    if isinstance(node, ast.Lambda):
        return dict(_paths(node.body, "result", records))
    found = [dict(_paths(part.value, "result", records)) for part in own(node) if isinstance(part, ast.Return) and part.value is not None]
    return {path: name for path, name in found[0].items() if all(other.get(path) == name for other in found)} if found else {}


def code_of(node: Function | ast.AsyncFunctionDef) -> tuple[str, int]:
    """The name of a function's code and its first line: a decorated function's is that of its first decorator."""
    if isinstance(node, ast.Lambda):
        return "<lambda>", node.lineno
    return node.name, (node.decorator_list[0] if node.decorator_list else node).lineno


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


def parts_of(value: ast.expr, records: Records) -> list[tuple[str, ast.expr]]:
    """The parts of a value that are written out, and the path that leads to each: elements, values of keys, fields of a record."""
    if isinstance(value, (ast.Tuple, ast.List)) and not any(isinstance(part, ast.Starred) for part in value.elts):
        return [(f"[{index}]", part) for index, part in enumerate(value.elts)]
    if isinstance(value, ast.Dict):
        keys = [(constant_key(key) if key is not None else None, part) for key, part in zip(value.keys, value.values, strict=True)]
        return [(f"[{key}]", part) for key, part in keys if key is not None]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in records:
        plain = not any(isinstance(part, ast.Starred) for part in value.args)
        fields = zip(records[value.func.id], value.args, strict=False) if plain else ()
        return [*((f".{field}", part) for field, part in fields), *((f".{word.arg}", word.value) for word in value.keywords if word.arg)]
    return []


def _paths(node: ast.expr, path: str, records: Records) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Name) and node.id.strip("_"):
        yield path, node.id
    for step, part in parts_of(node, records):
        yield from _paths(part, path + step, records)


def own(node: Function) -> Iterator[ast.AST]:
    """Everything in a function but what is in functions and classes inside it."""
    todo: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(reversed(node.body))
    while todo:
        part = todo.pop()
        yield part
        if not isinstance(part, _ELSEWHERE):
            todo.extend(reversed(list(ast.iter_child_nodes(part))))
