"""The scopes of a text: which name is bound where, and to what.

Promises: Python's own rules of scope (class bodies are skipped, comprehensions have their own, `global` and `nonlocal` are followed), and
places as Python's compiler counts them.
Must never: choose between bindings that could both have run: then all of them are given.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from ._functions import Place, place

Point = tuple[int, int]
Range = tuple[Point, Point]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
# What is known of an array without its value: reading it makes no const.
_STATIC = frozenset({"shape", "dtype", "ndim", "size", "aval", "weak_type", "sharding"})
# After everything.
END: Point = (1 << 30, 0)
# An element of something that is iterated over: which one is not known.
ANY = "[*]"


@dataclass(eq=False)
class Binding:
    """One place where a name is given a value: what `path` leads to in the value of the expression `value`, where that is known."""

    name: str
    place: Place
    scope: Scope
    value: ast.expr | None = None
    path: str = ""
    made: Place | None = None
    """The place of what computes the value."""
    defines: ast.AST | None = None
    """The function or class that the name stands for, where it is defined by a statement."""
    parameter: bool = False
    since: Point = (0, 0)
    """From where in the text on it holds."""
    block: Range = ((0, 0), END)
    """The statements that are only run together with it."""
    loops: tuple[Range, ...] = ()


@dataclass(eq=False)
class Scope:
    """A module, function, class or comprehension."""

    node: ast.AST
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    reads: list[ast.Name] = field(default_factory=list)
    """Names whose values are read right here, not in a scope inside."""
    inner: list[Scope] = field(default_factory=list)
    elsewhere: dict[str, str] = field(default_factory=dict)
    """Names declared `global` or `nonlocal`."""

    def find(self, name: str) -> Scope | None:
        """The scope that a name read here is bound in; None for a builtin."""
        scope: Scope | None = self
        if self.elsewhere.get(name) == "global":
            while scope is not None and scope.parent is not None:
                scope = scope.parent
        elif self.elsewhere.get(name) == "nonlocal":
            scope = self.parent
        while scope is not None:
            if name in scope.bindings and name not in scope.elsewhere and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope
            scope = scope.parent
        return None

    def reaching(self, name: str, at: Point) -> list[Binding]:
        """The bindings of a name of this scope that can hold at a point of its text: one where that is certain."""
        found = self.bindings.get(name, [])
        if len(found) < 2:
            return found
        before = [binding for binding in found if binding.since <= at]
        if before:
            last = max(before, key=lambda binding: binding.since)
            again = any(
                _within(at, loop) and not _within(last.since, loop) for binding in found if binding is not last for loop in binding.loops
            )
            if _within(at, last.block) and not again:
                return [last]
        return found

    def functions(self) -> Iterator[Scope]:
        """This scope and all inside it."""
        todo = [self]
        while todo:
            scope = todo.pop()
            yield scope
            todo.extend(scope.inner)


class Scopes:
    """The scopes of a parsed text."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(tree, None)
        self.of: dict[ast.AST, Scope] = {tree: self.module}
        """The scope that a function, class or comprehension opens."""
        self._todo: list[tuple[ast.AST, Scope, Range, tuple[Range, ...]]] = []
        everything: Range = ((0, 0), END)
        self._statements(tree.body, self.module, everything, ())
        while self._todo:
            self._visit(*self._todo.pop())
        for scope in self.of.values():
            for name, how in scope.elsewhere.items():
                target = self.module if how == "global" else scope.parent.find(name) if scope.parent is not None else None
                moved = scope.bindings.pop(name, [])
                if target is not None:
                    target.bindings.setdefault(name, []).extend(moved)

    def _statements(self, body: list[ast.stmt], scope: Scope, _: Range, loops: tuple[Range, ...]) -> None:
        if body:
            block = (_start(body[0]), _end(body[-1])[1])
            whole = ((block[0][0], 0), block[1])
            reach: Range = (whole[0], END) if isinstance(scope.node, ast.Module) and body is scope.node.body else whole
            self._todo.extend((statement, scope, reach, loops) for statement in body)

    def _open(self, node: ast.AST, parent: Scope) -> Scope:
        scope = self.of[node] = Scope(node, parent)
        parent.inner.append(scope)
        return scope

    def _visit(self, node: ast.AST, scope: Scope, block: Range, loops: tuple[Range, ...]) -> None:
        if isinstance(node, _FUNCTIONS):
            self._function(node, scope, block, loops)
            return
        if isinstance(node, _COMPREHENSIONS):
            self._comprehension(node, scope, block, loops)
            return
        if isinstance(node, ast.ClassDef):
            self._bind(scope, node.name, _name_of(node), block, loops, since=_end(node)[1], defines=node)
            inside = self._open(node, scope)
            self._statements(node.body, inside, block, ())
            self._todo.extend((part, scope, block, loops) for part in (*node.bases, *node.keywords, *node.decorator_list))
            return
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            scope.elsewhere.update(dict.fromkeys(node.names, "global" if isinstance(node, ast.Global) else "nonlocal"))
        self._bindings(node, scope, block, loops)
        if isinstance(node, _LOOPS):
            loops = (*loops, _end(node))
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                if name in _BLOCKS and value and isinstance(value[0], ast.stmt):
                    self._statements(value, scope, block, loops)
                else:
                    self._todo.extend((part, scope, block, loops) for part in value if isinstance(part, ast.AST))
            elif isinstance(value, ast.Name) and isinstance(value.ctx, ast.Load):
                if not (isinstance(node, ast.Attribute) and node.attr in _STATIC):
                    scope.reads.append(value)
            elif isinstance(value, ast.AST):
                self._todo.append((value, scope, block, loops))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            scope.reads.append(node)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope, block: Range, loops: tuple[Range, ...]
    ) -> None:
        inside = self._open(node, scope)
        arguments = node.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if argument is not None:
                where = (argument.lineno, argument.col_offset, argument.lineno, argument.col_offset + len(argument.arg.encode()))
                inside.bindings.setdefault(argument.arg, []).append(Binding(argument.arg, where, inside, parameter=True))
        self._todo.extend((part, scope, block, loops) for part in (*arguments.defaults, *arguments.kw_defaults) if part is not None)
        if isinstance(node, ast.Lambda):
            self._todo.append((node.body, inside, _end(node.body), ()))
            return
        self._bind(scope, node.name, _name_of(node), block, loops, since=_end(node)[1], defines=node)
        self._todo.extend((part, scope, block, loops) for part in node.decorator_list)
        self._statements(node.body, inside, block, ())

    def _comprehension(self, node: ast.AST, scope: Scope, block: Range, loops: tuple[Range, ...]) -> None:
        assert isinstance(node, _COMPREHENSIONS)
        inside = self._open(node, scope)
        for number, part in enumerate(node.generators):
            self._target(part.target, part.iter, ANY, inside, block, loops, since=(0, 0))
            self._todo.append((part.iter, scope if number == 0 else inside, block, loops))
            self._todo.extend((test, inside, block, loops) for test in part.ifs)
        parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        self._todo.extend((part, inside, block, loops) for part in parts)

    def _bindings(self, node: ast.AST, scope: Scope, block: Range, loops: tuple[Range, ...]) -> None:
        """What a statement or a walrus binds."""
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._target(target, node.value, "", scope, block, loops, since=_end(node)[1])
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._target(node.target, node.value, "", scope, block, loops, since=_end(node)[1])
        elif isinstance(node, ast.NamedExpr):
            while isinstance(scope.node, _COMPREHENSIONS) and scope.parent is not None:
                scope = scope.parent
            self._target(node.target, node.value, "", scope, block, loops, since=_end(node)[1])
        elif isinstance(node, ast.AugAssign):
            if isinstance(node.target, ast.Name):
                self._bind(scope, node.target.id, place(node.target), block, loops, since=_end(node)[1], made=place(node))
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            inside: tuple[Range, ...] = (*loops, _end(node))
            self._target(node.target, node.iter, ANY, scope, _end(node), inside, since=_end(node.iter)[1])
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if item.optional_vars is not None:
                    self._target(item.optional_vars, None, "", scope, block, loops, since=_end(item.context_expr)[1])
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                self._bind(scope, name, (alias.lineno, alias.col_offset, *_end(alias)[1]), block, loops, since=_end(node)[1])
        elif isinstance(node, ast.ExceptHandler):
            if node.name:
                self._bind(scope, node.name, place_of(node), block, loops, since=_start(node))
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            self._bind(scope, node.name, place_of(node), block, loops, since=_end(node)[1])

    def _target(
        self,
        target: ast.expr,
        value: ast.expr | None,
        path: str,
        scope: Scope,
        block: Range,
        loops: tuple[Range, ...],
        since: Point,
    ) -> None:
        if isinstance(target, ast.Name):
            self._bind(scope, target.id, place(target), block, loops, since, value, path)
        elif isinstance(target, ast.Starred):
            self._target(target.value, None, "", scope, block, loops, since)
        elif isinstance(target, (ast.Tuple, ast.List)):
            starred = next((i for i, part in enumerate(target.elts) if isinstance(part, ast.Starred)), len(target.elts))
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) and not path and len(value.elts) == len(target.elts) else None
            for index, part in enumerate(target.elts):
                if parts is not None and starred == len(target.elts):
                    self._target(part, parts[index], "", scope, block, loops, since)
                elif index < starred:
                    self._target(part, value, f"{path}[{index}]", scope, block, loops, since)
                else:
                    self._target(part, None, "", scope, block, loops, since)

    @staticmethod
    def _bind(
        scope: Scope,
        name: str,
        where: Place,
        block: Range,
        loops: tuple[Range, ...],
        since: Point,
        value: ast.expr | None = None,
        path: str = "",
        made: Place | None = None,
        defines: ast.AST | None = None,
    ) -> None:
        made = place(value) if value is not None else made
        scope.bindings.setdefault(name, []).append(Binding(name, where, scope, value, path, made, defines, False, since, block, loops))


def place_of(node: ast.AST) -> Place:
    """The place of any node that has one."""
    (line, col), (end_line, end_col) = _end(node)
    return line, col, end_line, end_col


def _name_of(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Place:
    """Where the name of a definition stands, with one space before it."""
    keyword = {ast.FunctionDef: "def ", ast.ClassDef: "class ", ast.AsyncFunctionDef: "async def "}[type(node)]
    start = node.col_offset + len(keyword)
    return node.lineno, start, node.lineno, start + len(node.name.encode())


def _start(node: ast.AST) -> Point:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> Range:
    line, col = _start(node)
    return (line, col), (getattr(node, "end_lineno", None) or line, getattr(node, "end_col_offset", None) or col)


def _within(point: Point, inside: Range) -> bool:
    return inside[0] <= point <= inside[1]
