"""The rules that a person wrote for an equation (custom_jvp, custom_vjp, custom_vmap): names and places, and what is not differentiated.

Promises: the place is that of the very function JAX will call; a value without a certain name has none.
Must never: call a rule, or fail on one.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterable
from typing import Any

from visualizer.tracing.compat import differentiated, function_site, kept_rules, not_differentiated
from visualizer.tracing.source._functions import code_of, place
from visualizer.tracing.source._sites import nodes_of, tree_of
from visualizer.tracing.source._spans import Source

from ._params import clamp, param_text

Dict = dict[str, Any]
_PRIMITIVES = frozenset({"custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_vmap_call"})
_Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_ROOT = re.compile(r"\w+")
_TEXT = 80


def custom_rules(calling: Iterable[tuple[str, Any]], source: Source | None) -> dict[str, Dict]:
    """What is known of the rules of each equation that may have some, by its id: that none is the person's is known, too."""
    own = _Own(source)
    found: dict[str, Dict] = {}
    for key, eqn in calling:
        if str(eqn.primitive.name) in _PRIMITIVES:
            with contextlib.suppress(Exception):  # an object of the person's, or a JAX that keeps its rules elsewhere
                found[key] = own.read(eqn)
    return found


class _Own:
    def __init__(self, source: Source | None) -> None:
        self._source = source
        self._nodes: dict[tuple[str, int], list[_Node]] | None = None

    def read(self, eqn: Any) -> Dict:
        parameters = self._parameters(eqn)
        rules = []
        for rule, function, argument in kept_rules(eqn):
            code = function.__code__
            if self._source is not None and code.co_filename == self._source.filename:
                of = None if argument is None else parameters[int(argument)] if int(argument) < len(parameters) else argument
                rules.append({"rule": rule, "name": clamp(code.co_name), "of": of, "span": self._span(self._node(code))})
        return {"rules": rules, "nondiff": self._nondiff(eqn, parameters)}

    def _nondiff(self, eqn: Any, parameters: list[str]) -> list[Dict]:
        values = not_differentiated(eqn)
        names: list[str | None] = [None] * len(values)
        known = differentiated(eqn) if values else None
        if known is not None:
            roots = {root[0] for name in known if (root := _ROOT.match(name))}
            others = [name for name in parameters if name not in roots]
            if roots <= set(parameters) and len(others) == len(values):
                names = list(others)
        return [{"name": name, "text": _said(value)} for name, value in zip(names, values, strict=True)]

    def _parameters(self, eqn: Any) -> list[str]:
        """The names of the arguments of the function that the rules are of, in order; none where it is not certain which one that is."""
        body = eqn.params.get("call_jaxpr")
        if self._source is None or body is None:
            return []
        file, name, line = function_site(body.jaxpr)
        found = self._all().get((name, line), []) if file == self._source.filename else []
        return [argument.arg for argument in (*found[0].args.posonlyargs, *found[0].args.args)] if len(found) == 1 else []

    def _node(self, code: Any) -> _Node | None:
        """The function whose code it is: of several that begin on one line the one around all of its instructions."""
        found = self._all().get((code.co_name, code.co_firstlineno), [])
        if len(found) > 1:
            spots = [(line, col) for line, _, col, _ in code.co_positions() if line and col]
            found = [node for node in found if all(place(node)[:2] <= spot < place(node)[2:] for spot in spots)]
            found = sorted(found, key=lambda node: place(node)[:2])[-1:] if spots else []
        return found[0] if len(found) == 1 else None

    def _span(self, node: _Node | None) -> Dict | None:
        """A lambda as a whole, the head of any other function."""
        if node is None or self._source is None:
            return None
        line, col, end_line, end_col = place(node)
        if not isinstance(node, ast.Lambda):
            end_line, end_col = line, len(self._source.text.splitlines()[line - 1].rstrip().encode())
        return self._source.span(line, col, end_line, end_col)

    def _all(self) -> dict[tuple[str, int], list[_Node]]:
        if self._nodes is None:
            self._nodes = {}
            for node in nodes_of(tree_of(self._source.text)) if self._source is not None else ():
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                    self._nodes.setdefault(code_of(node), []).append(node)
        return self._nodes


def _said(value: Any) -> str:
    """A function by its name, every other value as its text."""
    name = getattr(value, "__name__", None)
    return clamp(name, _TEXT) if callable(value) and isinstance(name, str) else param_text(value, None, _TEXT)
