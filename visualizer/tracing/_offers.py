"""Functions of a paste that could be traced if the person gave their arguments.

Promises: names that exist after the run and can be called; parameters as written.
Must never: call anything.
"""

from __future__ import annotations

import ast
from typing import Any

from ._paste import PasteSource

Dict = dict[str, Any]
MAX_OFFERS = 32
MAX_TEXT = 200


def offers(tree: ast.Module, named: frozenset[str], namespace: Dict, source: PasteSource, everything: bool) -> list[Dict]:
    """Offers of the functions that are not `named` anywhere; with `everything`, of the others too, after them."""
    defined = [(name, args, node) for node in tree.body for name, args in _definition(node) if callable(namespace.get(name))]
    idle = [found for found in defined if found[0] not in named]
    rest = [found for found in reversed(defined) if found[0] in named] if everything else []
    return [_offer(name, args, node, source) for name, args, node in (idle + rest)[:MAX_OFFERS]]


def _definition(node: ast.stmt) -> list[tuple[str, ast.arguments]]:
    if isinstance(node, ast.FunctionDef):
        return [(node.name, node.args)]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        return [(target.id, node.value.args) for target in node.targets if isinstance(target, ast.Name)]
    return []


def _offer(name: str, args: ast.arguments, node: ast.stmt, source: PasteSource) -> Dict:
    span = source.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
    return {"fun": name, "args": _arguments(args), "span": span}


def _arguments(args: ast.arguments) -> list[Dict]:
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(args.defaults)), *args.defaults]
    pairs = [*zip(positional, defaults, strict=True), *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return [{"name": arg.arg, "annotation": _text(arg.annotation), "default": _text(default), "suggestion": None} for arg, default in pairs]


def _text(node: ast.expr | None) -> str | None:
    return None if node is None else ast.unparse(node)[:MAX_TEXT]
