"""The names of closed-over values: why an operand is a const, and where in the paste it was given its value.

A body function that reads a value from outside makes it an operand that the person never wrote. Which name it was read by follows from
values, not from order: the operand is an argument of a function of the person's, or what an assignment computed, and of the names that the
body reads from outside exactly one leads to that same argument or assignment, through plain names, attributes, keys, unpacking and the
calls on the stack.

Promises: a binding that the name has for certain (see `Scope.reaching`), or the one whose value it is.
Must never: name a const by its position, nor choose between two names that could both be meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from visualizer.tracing.source._frames import Frame
from visualizer.tracing.source._index import Index, Name
from visualizer.tracing.source._scopes import Scope

from ._aliases import MAX_STEPS, Aliases, Candidate, defaults_of, last_name

# What is wrapped around a function of the person's in the call that it is given to.
_WRAPPERS = frozenset({"partial", "Partial", "jit", "checkpoint", "remat", "vmap", "grad", "value_and_grad", "named_call"})


class Closures:
    """What the functions of a text close over."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._free: dict[Scope, list[Candidate]] = {}

    def closed_over(self, function: Scope | None, frames: list[Frame], origins: list[Name], label: str | None) -> Name | None:
        """The name by which a body reads the value that is known as `origins` outside; None where there is none, or more than one.

        `frames` are those of the equation that has the body.
        """
        given = self._index.call(frames[0].place) if frames else None
        stack = Aliases(self._index, frames, given)
        candidates = list(self._candidates(function)) if function is not None else []
        outer = self._index.function(*frames[0].function) if frames else None
        if given is not None and outer is not None:
            for argument in (given.func, *given.args, *(keyword.value for keyword in given.keywords)):
                candidates.extend(self._given(argument, outer, 0))
        found: dict[str, tuple[int, Name]] = {}
        for candidate in candidates:
            for name in stack.matches(candidate, origins):
                known = found.get(name.text)
                if known is not None and known[1].binding is not name.binding:
                    return None
                if known is None or candidate.depth < known[0]:
                    found[name.text] = (candidate.depth, name)
        if label in found:
            return found[label][1]
        least = min((depth for depth, _ in found.values()), default=0)
        nearest = [name for depth, name in found.values() if depth == least]
        return nearest[0] if len(nearest) == 1 else None

    # ------------------------------------------------------------------ what a function reads from outside
    def _candidates(self, function: Scope) -> list[Candidate]:
        """The names that a function reads from outside, itself or through functions that it can call; and its parameters with defaults."""
        known = self._free.get(function)
        if known is None:
            known = self._free[function] = []
            seen: set[Scope] = set()
            todo = [(function, 0)]
            while todo:
                scope, depth = todo.pop(0)
                if scope in seen or depth > MAX_STEPS:
                    continue
                seen.add(scope)
                for candidate in self._reads(scope, depth):
                    known.append(candidate)
                    todo.extend((inner, depth + 1) for inner in self._stands_for(candidate))
        return known

    def _reads(self, function: Scope, depth: int) -> Iterator[Candidate]:
        inside = set(function.functions())
        seen: set[tuple[Scope, str]] = set()
        for scope in inside:
            for read in scope.reads:
                where = scope.find(read.id)
                if where is not None and where not in inside and (where, read.id) not in seen:
                    seen.add((where, read.id))
                    yield Candidate(where, read.id, depth)
        for name in defaults_of(function.node):
            yield Candidate(function, name, depth)

    def _stands_for(self, candidate: Candidate) -> Iterator[Scope]:
        """The functions that a name can stand for."""
        for binding in candidate.scope.bindings.get(candidate.name, ()):
            node = binding.defines or binding.value
            if isinstance(node, ast.Call):
                for part in _wrapped(node):
                    yield from self._named(part, binding.scope)
            elif node in self._index.scopes.of and not isinstance(
                node, (ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
            ):
                yield self._index.scopes.of[node]

    def _named(self, part: ast.expr, scope: Scope) -> Iterator[Scope]:
        if isinstance(part, ast.Lambda):
            yield self._index.scopes.of[part]
        elif isinstance(part, ast.Name) and (where := scope.find(part.id)) is not None:
            for binding in where.bindings.get(part.id, ()):
                if binding.defines in self._index.scopes.of:
                    yield self._index.scopes.of[binding.defines]

    def _given(self, argument: ast.expr, scope: Scope, depth: int) -> Iterator[Candidate]:
        """What a function that is given to a call reads: one written there, one that a name stands for, or one of these with wrappers."""
        if depth > MAX_STEPS:
            return
        if isinstance(argument, ast.Lambda):
            yield from self._candidates(self._index.scopes.of[argument])
        elif isinstance(argument, ast.Name):
            where = scope.find(argument.id)
            if where is None:
                return
            for binding in where.bindings.get(argument.id, ()):
                if binding.defines in self._index.scopes.of and not isinstance(binding.defines, ast.ClassDef):
                    yield from self._candidates(self._index.scopes.of[binding.defines])
                elif isinstance(binding.value, (ast.Lambda, ast.Call)):
                    yield from self._given(binding.value, where, depth + 1)
        elif isinstance(argument, ast.Call) and _is_wrapper(argument):
            for part in _wrapped(argument):
                where = scope.find(part.id) if isinstance(part, ast.Name) else None
                if where is not None and isinstance(part, ast.Name) and last_name(argument.func) in ("partial", "Partial"):
                    yield Candidate(where, part.id, depth)
                yield from self._given(part, scope, depth + 1)


def _wrapped(call: ast.Call) -> Iterator[ast.expr]:
    if _is_wrapper(call):
        yield from call.args
        yield from (keyword.value for keyword in call.keywords)


def _is_wrapper(call: ast.Call) -> bool:
    return last_name(call.func) in _WRAPPERS
