"""The functions that a paste defines at its top level, wherever that is: also inside `if`, `with`, `try` and loops.

Promises: names that exist after the run and can be called, each once, with the definition that it has then.
Must never: call anything.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from visualizer.tracing import compat

from ._functions import code_of
from ._functions import own as _own

Dict = dict[str, Any]
_DEEPEST = 16
_MAPS = ("vmap", "pmap", "shard_map")
_signature = inspect.signature
Definition = ast.FunctionDef | ast.Lambda
# What runs its statements where it stands.
_BLOCKS = (
    ast.If,
    ast.With,
    ast.AsyncWith,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Try,
    ast.TryStar,
    ast.Match,
    ast.ExceptHandler,
    ast.match_case,
)


@dataclass(frozen=True)
class Found:
    """Something to offer: the expression that gives it, its definition, and the names by which the paste would use it."""

    fun: str
    node: Definition
    at: ast.stmt
    used_as: str
    bound: bool = False
    """Whether its first parameter is given already."""
    takes: inspect.Signature | None = None
    """What of the definition's parameters is left to give, where something was made of it."""
    batched: bool = False
    """Whether its arguments may have more axes than the definition says."""


def defined(tree: ast.Module, namespace: Dict, filename: str) -> list[Found]:
    """Functions, what was made of them, and methods, in this order."""
    top = list(_statements(tree.body))
    return [*_functions(top, namespace, filename), *_made(top, namespace, filename), *_methods(top, namespace)]


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """The statements of a module in their order, each before those inside it, without those of functions and classes."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, _BLOCKS):
            yield from _statements(ast.iter_child_nodes(node))


def _functions(top: list[ast.stmt], namespace: Dict, filename: str) -> Iterator[Found]:
    named: dict[str, list[tuple[Definition, ast.stmt]]] = {}
    for node in top:
        if isinstance(node, ast.FunctionDef):
            named.setdefault(node.name, []).append((node, node))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    named.setdefault(target.id, []).append((node.value, node))
    for name, ways in named.items():
        value = namespace.get(name)
        ran = _definition(_code(value), [definition for definition, _ in ways], filename)
        definition, at = next((way for way in ways if way[0] is ran), ways[-1])
        if callable(value) and not (isinstance(definition, ast.FunctionDef) and _yields(definition)):
            decorators = definition.decorator_list if isinstance(definition, ast.FunctionDef) else []
            yield Found(name, definition, at, name, batched=_adds_axes(decorators))


def _made(top: list[ast.stmt], namespace: Dict, filename: str) -> Iterator[Found]:
    """Names for what a call made of a function of the paste: `step = jax.jit(loss)`, `f = partial(g, 2)`, `jax.grad(lambda w: ...)`."""
    nodes = [node for node in top if isinstance(node, ast.FunctionDef) and not _yields(node)]
    calls = [node for node in top if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None]
    lambdas = [part for node in calls for part in ast.walk(node) if isinstance(part, ast.Lambda)]
    batched: set[str] = {node.name for node in nodes if _adds_axes(node.decorator_list)}
    for node in calls:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            value: Any = namespace.get(target.id) if isinstance(target, ast.Name) else None
            definition = _definition(_code(value), [*nodes, *lambdas], filename)
            if definition is None or not isinstance(target, ast.Name) or not isinstance(node.value, ast.Call):
                continue
            if _adds_axes([node.value], batched):
                batched.add(target.id)
            with contextlib.suppress(Exception):  # one that does not say what it takes
                takes = _signature(value)
                yield Found(target.id, definition, node, target.id, takes=takes, batched=target.id in batched)


def _definition(code: types.CodeType | None, nodes: Iterable[Definition], filename: str) -> Definition | None:
    """The definition that a code was compiled from, the last where several are on its lines."""
    if code is None or code.co_filename != filename:
        return None
    found = [node for node in nodes if code_of(node) == (code.co_name, code.co_firstlineno) and _spans(code, node)]
    return found[-1] if found else None


def _spans(code: types.CodeType, node: Definition) -> bool:
    """Whether a code is that of a lambda among others in its line: its instructions go from one end of its body to the other."""
    if not isinstance(node, ast.Lambda):
        return True
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    starts, ends = ([(each[line], each[column]) for each in places] for line, column in ((0, 2), (1, 3)))
    body = node.body
    return bool(places) and (min(starts), max(ends)) == ((body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset))


def _code(value: Any) -> types.CodeType | None:
    """The code of the function that something was made of. Looks into what JAX and functools make, and nothing else."""
    for _ in range(_DEEPEST):
        if type(value) is functools.partial:
            value = value.func
        elif (type(value) is types.FunctionType and "__wrapped__" in value.__dict__) or compat.is_jit_made(value):
            value = value.__wrapped__
        else:
            break
    return value.__code__ if type(value) is types.FunctionType else None


def _adds_axes(nodes: list[ast.expr], batched: frozenset[str] | set[str] = frozenset()) -> bool:
    """Whether expressions map a function over an axis, so that what it says of its parameters' shapes is not what is given."""
    names = {part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", "") for node in nodes for part in ast.walk(node)}
    return not names.isdisjoint(_MAPS) or not names.isdisjoint(batched)


def _yields(node: ast.FunctionDef) -> bool:
    """Whether a function is a generator, which JAX does not trace."""
    return any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in _own(node))


def _methods(top: list[ast.stmt], namespace: Dict) -> Iterator[Found]:
    for node in top:
        kind = namespace.get(node.name) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or not isinstance(kind, type) or _needs_a_scope(kind):
            continue
        made = next((name for name, value in namespace.items() if type(value) is kind and name.isidentifier()), None)
        for part in node.body:
            if not isinstance(part, ast.FunctionDef) or _yields(part):
                continue
            how = _kind_of(part)
            if part.name == "__call__" and made is not None:
                yield Found(made, part, part, made, bound=True)
            elif how == "method" and made is not None and not part.name.startswith("_"):
                yield Found(f"{made}.{part.name}", part, part, part.name, bound=True)
            elif how in ("staticmethod", "classmethod") and not part.name.startswith("_"):
                yield Found(f"{node.name}.{part.name}", part, part, part.name, bound=how == "classmethod")


def _kind_of(node: ast.FunctionDef) -> str:
    """`method`, `staticmethod`, `classmethod`, or "" for a property and what other decorators may make of it."""
    names = [decorator.id if isinstance(decorator, ast.Name) else "" for decorator in node.decorator_list]
    known = [name for name in names if name in ("staticmethod", "classmethod")]
    return known[0] if known else "" if any("property" in name for name in names) else "method"


def _needs_a_scope(kind: type) -> bool:
    """Whether methods of a class cannot be called as they are: those of flax.linen run inside `apply`."""
    return any(base.__module__.startswith("flax.linen") for base in type.mro(kind))
