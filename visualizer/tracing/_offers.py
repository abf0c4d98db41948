"""Functions of a paste that could be traced if the person gave their arguments.

Offered are functions, methods of the objects that the paste has made, and objects that can be called; not methods of a class that the paste
makes no object of, for there is nothing to call them on.

Promises: names that exist after the run and can be called; parameters as written, `*rest` and `**more` with their stars.
Must never: call anything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ._paste import PasteSource
from ._suggestions import suggestions

Dict = dict[str, Any]
MAX_OFFERS = 32
MAX_TEXT = 200
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


def offers(tree: ast.Module, used: frozenset[str], namespace: Dict, source: PasteSource, everything: bool) -> list[Dict]:
    """Offers of the functions that are not `used` by their names anywhere; with `everything`, of the others too, after them."""
    defined = [*_functions(tree, namespace), *_methods(tree, namespace)]
    idle = [found for found in defined if found.used_as not in used]
    rest = [found for found in reversed(defined) if found.used_as in used] if everything else []
    return [_offer(found, namespace, source) for found in (idle + rest)[:MAX_OFFERS]]


def _functions(tree: ast.Module, namespace: Dict) -> Iterator[_Found]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and callable(namespace.get(node.name)):
            yield _Found(node.name, node, node, node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name) and callable(namespace.get(target.id)):
                    yield _Found(target.id, node.value, node, target.id)


def _methods(tree: ast.Module, namespace: Dict) -> Iterator[_Found]:
    for node in tree.body:
        kind = namespace.get(node.name) if isinstance(node, ast.ClassDef) else None
        if not isinstance(node, ast.ClassDef) or not isinstance(kind, type) or _needs_a_scope(kind):
            continue
        made = next((name for name, value in namespace.items() if type(value) is kind and name.isidentifier()), None)
        for part in node.body:
            if not isinstance(part, ast.FunctionDef):
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
    doc = ast.get_docstring(found.node) if isinstance(found.node, ast.FunctionDef) else None
    for arg, suggestion in zip(args, suggestions(args, doc or "", namespace), strict=True):
        arg["suggestion"] = suggestion
    return {"fun": found.fun, "args": args, "span": source.span(at.lineno, at.col_offset, at.end_lineno, at.end_col_offset)}


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
