"""The names that the person gave to values: the targets of assignments, by the place of the value.

Promises: places as Python's compiler counts them, so the place of an equation finds the assignment whose value it computed.
Must never: fail on a text that does not parse; such a text names nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ._functions import Function, Place, place

# One name per value, in order; None for a target that names nothing: `_`, an attribute, a starred target.
Names = tuple[str | None, ...]


class Targets:
    """The assignments and function signatures of one text."""

    def __init__(self, text: str) -> None:
        self._names: dict[Place, ast.expr | str] = {}
        self._functions: dict[tuple[str, int], list[str]] = {}
        self._nodes: dict[tuple[str, int], Function | None] = {}
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in ast.walk(tree):
            self._read(node)

    def __bool__(self) -> bool:
        return bool(self._names or self._nodes)

    def at(self, where: Place, results: int) -> Names | None:
        """The names of the `results` values that the expression at `where` gives; None where they are not assigned, or not one to one."""
        target = self._names.get(where)
        if target is None:
            return None
        if isinstance(target, str):
            return (target,) if results == 1 else None
        names = tuple(_flat(target)) if isinstance(target, (ast.Tuple, ast.List)) else (_name(target),)
        return names if len(names) == results else None

    def parts(self, where: Place) -> Names | None:
        """The names of the top targets of a tuple assignment: of `(h, c), ys = ...` it is (None, "ys")."""
        target = self._names.get(where)
        return tuple(map(_name, target.elts)) if isinstance(target, (ast.Tuple, ast.List)) else None

    def has(self, where: Place) -> bool:
        """Whether the expression at `where` is assigned to something."""
        return where in self._names

    def parameters(self, function: str, line: int) -> list[str] | None:
        """The plain positional parameters of the function defined at `line`; None where there is no such, or it has others."""
        return self._functions.get((function, line))

    def function(self, name: str, line: int) -> Function | None:
        """The function defined at `line`; None where there is no such, or more than one."""
        return self._nodes.get((name, line))

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self._assign(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            name = _name(node.target)
            if name is not None:
                self._names[place(node)] = name
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            self._function(node)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(value, (ast.Tuple, ast.List)) and isinstance(target, (ast.Tuple, ast.List)):
            if len(value.elts) == len(target.elts):
                for one, part in zip(target.elts, value.elts, strict=True):
                    self._assign(one, part)
        else:
            self._names.setdefault(place(value), target)

    def _function(self, node: Function) -> None:
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        # A decorated function's code begins at its first decorator.
        line = node.decorator_list[0].lineno if isinstance(node, ast.FunctionDef) and node.decorator_list else node.lineno
        key = (name, line)
        # Two lambdas on one line cannot be told apart.
        self._nodes[key] = None if key in self._nodes else node
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            return
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        self._functions[key] = [] if key in self._functions else names


def _name(target: ast.expr) -> str | None:
    return target.id if isinstance(target, ast.Name) and target.id.strip("_") else None


def _flat(target: ast.expr) -> Iterator[str | None]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _flat(part)
    else:
        yield _name(target)
