"""Functions of a paste that could be traced if the person gave their arguments.

Offered are functions, what `jax.jit`, `partial` and the like made of them under a name of its own (`step = jax.jit(loss)`), methods of the
objects that the paste has made, and objects that can be called; not methods of a class that the paste makes no object of, for there is
nothing to call them on, and no generators, which JAX does not trace.

Promises: names that exist after the run and can be called; parameters as written, `*rest` and `**more` with their stars.
Must never: call anything.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import compat
from ._functions import code_of
from ._functions import own as _own
from ._paste import PasteSource
from ._suggestions import suggestions

Dict = dict[str, Any]
MAX_OFFERS = 32
MAX_TEXT = 200
_DEEPEST = 16
_MAPS = ("vmap", "pmap", "shard_map")
_signature = inspect.signature
_PLAIN = (type(None), bool, int, float, str)
_Definition = ast.FunctionDef | ast.Lambda


@dataclass(frozen=True)
class _Found:
    """Something to offer: the expression that gives it, its definition, and the names by which the paste would use it."""

    fun: str
    node: _Definition
    at: ast.stmt
    used_as: str
    bound: bool = False
    """Whether its first parameter is given already."""
    takes: inspect.Signature | None = None
    """What of the definition's parameters is left to give, where something was made of it."""
    batched: bool = False
    """Whether its arguments may have more axes than the definition says."""


def offers(tree: ast.Module, used: frozenset[str], namespace: Dict, source: PasteSource, everything: bool) -> list[Dict]:
    """Offers of the functions that are not `used` by their names anywhere; with `everything`, of the others too, after them."""
    defined = [*_functions(tree, namespace), *_made(tree, namespace, source.filename), *_methods(tree, namespace)]
    idle = [found for found in defined if found.used_as not in used]
    rest = [found for found in reversed(defined) if found.used_as in used] if everything else []
    return [_offer(found, namespace, source) for found in (idle + rest)[:MAX_OFFERS]]


def _functions(tree: ast.Module, namespace: Dict) -> Iterator[_Found]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and callable(namespace.get(node.name)) and not _yields(node):
            yield _Found(node.name, node, node, node.name, batched=_adds_axes(node.decorator_list))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name) and callable(namespace.get(target.id)):
                    yield _Found(target.id, node.value, node, target.id)


def _made(tree: ast.Module, namespace: Dict, filename: str) -> Iterator[_Found]:
    """Names for what a call made of a function of the paste: `step = jax.jit(loss)`, `f = partial(g, 2)`."""
    nodes = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not _yields(node)]
    defined = {code_of(node): node for node in nodes}
    batched: set[str] = {node.name for node in nodes if _adds_axes(node.decorator_list)}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        for target in node.targets:
            value: Any = namespace.get(target.id) if isinstance(target, ast.Name) else None
            code = _code(value)
            definition = defined.get((code.co_name, code.co_firstlineno)) if code is not None and code.co_filename == filename else None
            if definition is None or not isinstance(target, ast.Name):
                continue
            if _adds_axes([node.value], batched):
                batched.add(target.id)
            with contextlib.suppress(Exception):  # one that does not say what it takes
                takes = _signature(value)
                yield _Found(target.id, definition, node, target.id, takes=takes, batched=target.id in batched)


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


def _methods(tree: ast.Module, namespace: Dict) -> Iterator[_Found]:
    for node in tree.body:
        kind = namespace.get(node.name) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or not isinstance(kind, type) or _needs_a_scope(kind):
            continue
        made = next((name for name, value in namespace.items() if type(value) is kind and name.isidentifier()), None)
        for part in node.body:
            if not isinstance(part, ast.FunctionDef) or _yields(part):
                continue
            how = _kind_of(part)
            if part.name == "__call__" and made is not None:
                yield _Found(made, part, part, made, bound=True)
            elif how == "method" and made is not None and not part.name.startswith("_"):
                yield _Found(f"{made}.{part.name}", part, part, part.name, bound=True)
            elif how in ("staticmethod", "classmethod") and not part.name.startswith("_"):
                yield _Found(f"{node.name}.{part.name}", part, part, part.name, bound=how == "classmethod")


def _kind_of(node: ast.FunctionDef) -> str:
    """`method`, `staticmethod`, `classmethod`, or "" for a property and what other decorators may make of it."""
    names = [decorator.id if isinstance(decorator, ast.Name) else "" for decorator in node.decorator_list]
    known = [name for name in names if name in ("staticmethod", "classmethod")]
    return known[0] if known else "" if any("property" in name for name in names) else "method"


def _needs_a_scope(kind: type) -> bool:
    """Whether methods of a class cannot be called as they are: those of flax.linen run inside `apply`."""
    return any(base.__module__.startswith("flax.linen") for base in type.mro(kind))


def _offer(found: _Found, namespace: Dict, source: PasteSource) -> Dict:
    at = found.at
    args = _arguments(found.node.args)[1 if found.bound else 0 :]
    if found.takes is not None:
        args = _left(args, found.takes)
    doc = ast.get_docstring(found.node) if isinstance(found.node, ast.FunctionDef) and not found.batched else None
    read = [{**arg, "annotation": None} for arg in args] if found.batched else args
    static, _ = compat.static_names(namespace.get(found.fun))
    for arg, suggestion in zip(args, suggestions(read, doc or "", namespace, static), strict=True):
        arg["suggestion"] = suggestion
    return {"fun": found.fun, "args": args, "span": source.span(at.lineno, at.col_offset, at.end_lineno, at.end_col_offset)}


def _left(args: list[Dict], takes: inspect.Signature) -> list[Dict]:
    """Of a definition's parameters those that are left to give, with the defaults that `partial` gave them."""
    left = []
    for arg in args:
        parameter = takes.parameters.get(arg["name"].lstrip("*"))
        if parameter is None:
            continue
        if type(parameter.default) in _PLAIN:
            arg = {**arg, "default": repr(parameter.default)[:MAX_TEXT]}
        left.append(arg)
    return left


def _arguments(args: ast.arguments) -> list[Dict]:
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(args.defaults)), *args.defaults]
    pairs = [("", arg, _text(default)) for arg, default in zip(positional, defaults, strict=True)]
    pairs += [("*", args.vararg, "()")] if args.vararg else []
    pairs += [("", arg, _text(default)) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    pairs += [("**", args.kwarg, "{}")] if args.kwarg else []
    return [{"name": stars + arg.arg, "annotation": _text(arg.annotation), "default": default} for stars, arg, default in pairs]


def _text(node: ast.expr | None) -> str | None:
    return None if node is None else ast.unparse(node)[:MAX_TEXT]
