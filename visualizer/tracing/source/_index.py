"""What stands where in a text: its scopes, functions by their code, calls and assignments by their places.

Promises: each kind is looked for only when it is asked for, and once.
Must never: answer for one of two functions that cannot be told apart.
"""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import NamedTuple

from ._functions import Place, code_of, places_of
from ._scopes import END, Binding, Scope, Scopes

_CODE = {ast.ListComp: "<listcomp>", ast.SetComp: "<setcomp>", ast.DictComp: "<dictcomp>", ast.GeneratorExp: "<genexpr>"}


class Name(NamedTuple):
    """A part of what a name was bound to: `path` leads to it."""

    binding: Binding
    path: str

    @property
    def text(self) -> str:
        """As the person would write it."""
        return self.binding.name + self.path


class Index:
    """A parsed text by its parts."""

    def __init__(self, tree: ast.Module, calls: list[ast.Call]) -> None:
        self._tree = tree
        self._all_calls = calls

    @cached_property
    def scopes(self) -> Scopes:
        """The scopes of the text."""
        return Scopes(self._tree)

    @cached_property
    def _calls(self) -> dict[Place, ast.Call]:
        return {where: node for node in self._all_calls for where in places_of(node)}

    @cached_property
    def _functions(self) -> dict[tuple[str, int], Scope | None]:
        found: dict[tuple[str, int], Scope | None] = {("<module>", 1): self.scopes.module}
        for node, scope in self.scopes.of.items():
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                key = code_of(node)
            elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                key = (_CODE[type(node)], node.lineno)
            else:
                continue
            found[key] = None if key in found else scope
        return found

    @cached_property
    def _made(self) -> dict[tuple[Place, str], Binding]:
        bindings = (b for scope in self.scopes.of.values() for found in scope.bindings.values() for b in found)
        return {(binding.made, binding.name): binding for binding in bindings if binding.made is not None}

    def call(self, where: Place) -> ast.Call | None:
        """The call at a place."""
        return self._calls.get(where)

    def function(self, name: str, line: int) -> Scope | None:
        """The scope of the function whose code begins at `line`; None where two do."""
        return self._functions.get((name, line))

    def argument(self, function: Scope, label: str) -> Name | None:
        """The parameter, and the part of it, that JAX calls `label`."""
        name = re.match(r"\w+", label)
        found = function.bindings.get(name[0], []) if name else []
        return Name(found[0], label[name.end() :]) if name and found and found[0].parameter else None

    def assigned(self, where: Place, label: str) -> Name | None:
        """The assignment of the value at a place, and the part of it, that is called `label`."""
        name = re.match(r"\w+", label)
        binding = self._made.get((where, name[0])) if name else None
        return Name(binding, label[name.end() :]) if name and binding is not None else None

    def module(self, name: str, path: str) -> Name | None:
        """The global that has its name's last value, where that is certain."""
        found = self.scopes.module.reaching(name, END)
        return Name(found[0], path) if len(found) == 1 else None
