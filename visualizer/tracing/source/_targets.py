"""The names that the person gave to values: the targets of assignments, by the place of the value.

Promises: places as Python's compiler counts them, so the place of an equation finds the assignment whose value it computed.
Must never: fail on a text that does not parse; such a text names nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property, lru_cache

from ._functions import Function, Place, code_of, parts_of, place, places_of
from ._index import Index, Name
from ._patterns import Pattern, flat, part, pattern_of, text_of
from ._sites import nodes_of, tree_of

# One name per value, in order; None for a target that names nothing: `_`, a computed key.
Names = tuple[str | None, ...]

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
# What no equation computes as a whole.
_DISPLAYS = (ast.Tuple, ast.List, ast.Set, ast.Dict, *_COMPREHENSIONS)

_READ = frozenset(
    {
        *(ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.Tuple, ast.List, ast.For, *_COMPREHENSIONS),
        *(ast.FunctionDef, ast.Lambda, ast.Return, ast.ClassDef, ast.Call, ast.AsyncFor, ast.While),
    }
)


class Targets:
    """The assignments, returns and function signatures of one text."""

    def __init__(self, text: str) -> None:
        self._patterns: dict[Place, Pattern] = {}
        self._unpacked: dict[Place, Pattern] = {}
        self._wholes: dict[Place, Place] = {}
        self._returned: dict[Place, str] = {}
        self._functions: dict[tuple[str, int], list[str]] = {}
        self._nodes: dict[tuple[str, int], Function | None] = {}
        self.records: dict[str, list[str]] = {}
        self.loops: list[Place] = []
        self._calls: list[ast.Call] = []
        self._tree = ast.Module([], [])
        try:
            self._tree = tree_of(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        nodes = [node for node in nodes_of(self._tree) if type(node) in _READ]
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                self._record(node)
        for node in nodes:
            if isinstance(node, ast.Call):
                self._calls.append(node)
            else:
                self._read(node)
                self._loop(node)

    def __bool__(self) -> bool:
        return bool(self._patterns or self._nodes)

    @cached_property
    def index(self) -> Index:
        """The scopes, calls and functions of the text."""
        return Index(self._tree, self._calls)

    def _loop(self, node: ast.AST) -> None:
        """Note what is run again and again: the body of a loop, or a comprehension."""
        first: ast.expr | ast.stmt
        last: ast.expr | ast.stmt
        if isinstance(node, _COMPREHENSIONS):
            first, last = node, node
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            first, last = node.test if isinstance(node, ast.While) else node.body[0], node.body[-1]
        else:
            return
        if last.end_lineno is not None and last.end_col_offset is not None:
            self.loops.append((first.lineno, first.col_offset, last.end_lineno, last.end_col_offset))

    def at(self, where: Place, results: int) -> Names | None:
        """The names of the `results` values that the expression at `where` gives; None where they are not assigned, or not one to one."""
        return flat(self._patterns[where], results) if where in self._patterns else None

    def named(self, where: Place, path: str) -> str | None:
        """The name of the part, at `path`, of the value of the expression at `where`."""
        return part(self._patterns[where], path) if where in self._patterns else None

    def unpacked(self, where: Place, index: int | None) -> str | None:
        """The name of an element of what is iterated over at a place: of `a, b = x` that at `index`, of `for a in x` every one."""
        pattern = self._unpacked.get(where)
        if isinstance(pattern, tuple):
            return part(pattern, f"[{index}]") if index is not None else None
        return pattern if isinstance(pattern, str) else None

    def origin(self, where: Place, label: str) -> Name | None:
        """The binding, and the part of its value, that the expression at `where` was named `label` after."""
        return self.index.assigned(self._wholes.get(where, where), label)

    def returned(self, where: Place) -> str | None:
        """Where the value of the expression at `where` is in what its function returns, as a path; None where it is not returned."""
        return self._returned.get(where)

    def parts(self, where: Place) -> Names | None:
        """The names of the top targets of a tuple assignment: of `(h, c), ys = ...` it is (None, "ys")."""
        pattern = self._patterns.get(where)
        return tuple(one if isinstance(one, str) else None for one in pattern) if isinstance(pattern, tuple) else None

    def places(self) -> Iterable[Place]:
        """The places of everything that is assigned."""
        return self._patterns

    def has(self, where: Place) -> bool:
        """Whether the expression at `where` is assigned to something."""
        return where in self._patterns

    def parameters(self, function: str, line: int) -> list[str] | None:
        """The plain positional parameters of the function defined at `line`; None where there is no such, or it has others."""
        return self._functions.get((function, line))

    def function(self, name: str, line: int) -> Function | None:
        """The function defined at `line`; None where there is no such, or more than one."""
        return self._nodes.get((name, line))

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(pattern_of(target), node.value)
        elif isinstance(node, (ast.Tuple, ast.List)):
            if isinstance(node.ctx, ast.Store):
                self._unpacked[place(node)] = pattern_of(node)
        elif isinstance(node, ast.For) or (isinstance(node, _COMPREHENSIONS) and len(node.generators) == 1):
            loop = node if isinstance(node, ast.For) else node.generators[0]
            # What zip and enumerate give is not what they iterate over.
            if text_of(loop.iter) and not isinstance(loop.target, (ast.Tuple, ast.List)):
                self._unpacked[place(node)] = pattern_of(loop.target)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self._assign(pattern_of(node.target), node.value)
        elif isinstance(node, ast.AugAssign):
            name = text_of(node.target)
            if name is not None:
                self._patterns[place(node)] = name
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            self._function(node)
            if isinstance(node, ast.Lambda):
                self._return(node.body, "")
        elif isinstance(node, ast.Return) and node.value is not None:
            self._return(node.value, "")

    def _assign(self, pattern: Pattern, value: ast.expr) -> None:
        """Note what the value, and each part of it that is written out, is assigned to."""
        todo = [(pattern, value, place(value))]
        while todo:
            target, one, whole = todo.pop()
            if isinstance(target, tuple) and isinstance(one, (ast.Tuple, ast.List)):
                plain = not any(isinstance(x, ast.Starred) for x in one.elts) and len(one.elts) == len(target)
                todo.extend((a, b, place(b)) for a, b in zip(target, one.elts, strict=True) if plain)
                continue
            if not isinstance(one, _DISPLAYS):
                for where in places_of(one):
                    self._patterns.setdefault(where, target)
                    self._wholes.setdefault(where, whole)
            if isinstance(target, str):
                todo.extend((target + path, inner, whole) for path, inner in self._parts(one))
            elif isinstance(one, ast.IfExp):
                todo.extend([(target, one.body, whole), (target, one.orelse, whole)])

    def _return(self, value: ast.expr, path: str) -> None:
        todo = [(path, value)]
        while todo:
            at, one = todo.pop()
            for where in places_of(one) if not isinstance(one, _DISPLAYS) else ():
                self._returned.setdefault(where, at)
            todo.extend((at + step, inner) for step, inner in self._parts(one))

    def _parts(self, value: ast.expr) -> list[tuple[str, ast.expr]]:
        """The parts of a value that are written out, and what it is in one case or the other."""
        return [("", value.body), ("", value.orelse)] if isinstance(value, ast.IfExp) else parts_of(value, self.records)

    def _record(self, node: ast.ClassDef) -> None:
        """Remember a named tuple or dataclass by its fields."""
        marks = {text_of(base) or "" for base in node.bases}
        marks |= {text_of(one.func if isinstance(one, ast.Call) else one) or "" for one in node.decorator_list}
        if any(mark.rsplit(".", 1)[-1] in ("NamedTuple", "dataclass", "Module", "PyTreeNode") for mark in marks):
            makes = any(isinstance(part, ast.FunctionDef) and part.name in ("__init__", "__new__") for part in node.body)
            if not makes:
                self.records[node.name] = [
                    part.target.id for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
                ]

    def _function(self, node: Function) -> None:
        key = code_of(node)
        # Two lambdas on one line cannot be told apart.
        self._nodes[key] = None if key in self._nodes else node
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            return
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        self._functions[key] = [] if self._functions.get(key, names) != names else names


@lru_cache(4)
def targets_of(text: str) -> Targets:
    """The Targets of a text: every program of a paste asks for those of the same."""
    return Targets(text)
