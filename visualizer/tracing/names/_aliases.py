"""Which names are known to hold the same value while a call runs.

Promises: follows a name to what it was bound to through plain names, attributes, constant keys, unpacking, and the arguments of the calls
on the stack; nothing that computes is looked through.
Must never: follow a name that could have been bound in two ways.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from visualizer.tracing.source._frames import Frame
from visualizer.tracing.source._index import Index, Name
from visualizer.tracing.source._scopes import ANY, END, Binding, Point, Scope

_STEP = re.compile(r"\[(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\]]*)\]|\.\w+")
# How many names may be followed from one to the next.
MAX_STEPS = 20


class Candidate(NamedTuple):
    """A name that a body reads from outside; `depth` counts the functions that it reads it through."""

    scope: Scope
    name: str
    depth: int


class Aliases:
    """Follows names through the calls that were running."""

    def __init__(self, index: Index, frames: list[Frame], given: ast.Call | None) -> None:
        self._index = index
        self._frames = frames
        self._given = given
        self._levels = {index.function(*frame.function): level for level, frame in reversed(list(enumerate(frames)))}

    def matches(self, candidate: Candidate, origins: list[Name]) -> Iterator[Name]:
        """The candidate, as the name of the value that `origins` name, for each binding of it that leads there."""
        for binding in self._bindings(candidate.scope, candidate.name, None):
            for known in self._same(Name(binding, ""), 0):
                for origin in origins:
                    rest = _rest(origin.path, known.path) if origin.binding is known.binding else None
                    if rest is not None:
                        yield Name(binding, rest)
                        break
                else:
                    continue
                break

    def names_of(self, value: ast.expr, scope: Scope) -> Iterator[Name]:
        """Every name that is known for the value of an expression that only reads, from the inner scope to the outer."""
        yield from self._value(value, scope, _start(value), 0)

    def _bindings(self, scope: Scope, name: str, at: Point | None) -> list[Binding]:
        if at is None:
            level = self._levels.get(scope)
            at = self._frames[level].place[:2] if level is not None else END if scope.parent is None else None
        return scope.reaching(name, at) if at is not None else scope.bindings.get(name, [])

    def _same(self, name: Name, steps: int) -> Iterator[Name]:
        """Everything that is known to be the same value, itself first."""
        yield name
        binding = name.binding
        if steps >= MAX_STEPS:
            return
        if binding.parameter:
            for value, scope, at in self._passed(binding):
                for same in self._value(value, scope, at, steps + 1):
                    yield Name(same.binding, same.path + name.path)
        elif binding.value is not None:
            for same in self._value(binding.value, binding.scope, _start(binding.value), steps + 1):
                yield Name(same.binding, same.path + binding.path + name.path)

    def _value(self, value: ast.expr, scope: Scope, at: Point | None, steps: int) -> Iterator[Name]:
        """The names of the value of an expression that only reads."""
        path: list[str] = []
        while not isinstance(value, ast.Name):
            if isinstance(value, ast.Attribute):
                path.append(f".{value.attr}")
            elif isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
                path.append(f"[{value.slice.value!r}]")
            else:
                return
            value = value.value
        where = scope.find(value.id)
        found = self._bindings(where, value.id, at if where is scope else None) if where is not None else []
        if len(found) == 1:
            for same in self._same(Name(found[0], ""), steps):
                yield Name(same.binding, same.path + "".join(reversed(path)))

    def _passed(self, binding: Binding) -> Iterator[tuple[ast.expr, Scope, Point | None]]:
        """What the running call passed for a parameter; the scope it is read in, and where."""
        function = binding.scope
        level = self._levels.get(function)
        if level is None:
            yield from self._made_by(binding)
        elif level + 1 < len(self._frames) and self._frames[level + 1].through == "":
            outer = self._frames[level + 1]
            call, scope = self._index.call(outer.place), self._index.function(*outer.function)
            value = _argument(call, function, binding.name) if call is not None else None
            if value is not None and scope is not None:
                yield value, scope, _start(value)
        default = defaults_of(function.node).get(binding.name)
        if default is not None and function.parent is not None and level is None:
            yield default, function.parent, _start(default)

    def _made_by(self, binding: Binding) -> Iterator[tuple[ast.expr, Scope, Point | None]]:
        """What was passed to a function that has ended, where its result is what was given to the call: `step = make_step(lr)`."""
        if self._given is None or not self._frames:
            return
        scope = self._index.function(*self._frames[0].function)
        for argument in self._given.args:
            call: ast.expr | None = argument
            if isinstance(argument, ast.Name) and scope is not None and (where := scope.find(argument.id)) is not None:
                found = self._bindings(where, argument.id, _start(argument) if where is scope else None)
                call = found[0].value if len(found) == 1 else None
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and scope is not None:
                where = scope.find(call.func.id)
                made = where.bindings.get(call.func.id, []) if where is not None else []
                value = _argument(call, binding.scope, binding.name)
                if len(made) == 1 and made[0].defines is binding.scope.node and value is not None:
                    yield value, scope, _start(value)


def _argument(call: ast.Call, function: Scope, name: str) -> ast.expr | None:
    """The expression that a call passes for a parameter."""
    arguments = function.node.args if isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) else None
    if arguments is None or any(isinstance(part, ast.Starred) for part in call.args):
        return None
    by_keyword = next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if by_keyword is not None or name not in names:
        return by_keyword
    values: list[ast.expr] = list(call.args)
    if function.parent is not None and isinstance(function.parent.node, ast.ClassDef):
        decorators = {last_name(part) for part in getattr(function.node, "decorator_list", ())}
        if decorators & {"staticmethod", "classmethod"}:
            return None
        values.insert(0, call.func if getattr(function.node, "name", "") == "__call__" else getattr(call.func, "value", call.func))
    index = names.index(name)
    return values[index] if index < len(values) else None


def defaults_of(node: ast.AST) -> dict[str, ast.expr]:
    """The parameters that have default values."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return {}
    arguments = node.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    found = dict(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return found | {argument.arg: value for argument, value in keywords if value is not None}


def _start(node: ast.expr) -> Point:
    return node.lineno, node.col_offset


def _rest(path: str, front: str) -> str | None:
    """What of a path comes after `front`, in which one step may be any index; None where it does not begin so."""
    steps, begin = _STEP.findall(path), _STEP.findall(front)
    if len(begin) > len(steps) or any(a != b and not (b == ANY and a[0] == "[") for a, b in zip(steps, begin, strict=False)):
        return None
    return "".join(steps[len(begin) :])


def last_name(node: ast.AST) -> str:
    """The last name of a dotted one: `checkpoint` of `jax.checkpoint`; "" of anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
