"""Functions of a paste that could be traced if the person gave their arguments.

Offered are functions, what `jax.jit`, `partial` and the like made of them under a name of its own (`step = jax.jit(loss)`), methods of the
objects that the paste has made, and objects that can be called; not methods of a class that the paste makes no object of, for there is
nothing to call them on, and no generators, which JAX does not trace.

Promises: names that exist after the run and can be called; parameters as written, `*rest` and `**more` with their stars.
Must never: call anything.
"""

from __future__ import annotations

import ast
import inspect
from typing import Any

from visualizer.tracing import compat
from visualizer.tracing.source._defined import Found, defined
from visualizer.tracing.source._paste import PasteSource

from ._python_types import compared_with
from ._suggestions import suggestions

Dict = dict[str, Any]
MAX_OFFERS = 32
MAX_TEXT = 200
_PLAIN = (type(None), bool, int, float, str)


def offers(tree: ast.Module, used: frozenset[str], namespace: Dict, source: PasteSource, everything: bool) -> list[Dict]:
    """Offers of the functions that are not `used` by their names anywhere; with `everything`, of the others too, after them."""
    known = defined(tree, namespace, source.filename)
    idle = [found for found in known if found.used_as not in used]
    rest = [found for found in reversed(known) if found.used_as in used] if everything else []
    return [_offer(found, namespace, source) for found in (idle + rest)[:MAX_OFFERS]]


def _offer(found: Found, namespace: Dict, source: PasteSource) -> Dict:
    at = found.at
    args = _arguments(found.node.args)[1 if found.bound else 0 :]
    if found.takes is not None:
        args = _left(args, found.takes)
    doc = ast.get_docstring(found.node) if isinstance(found.node, ast.FunctionDef) and not found.batched else None
    read = [{**arg, "annotation": None} for arg in args] if found.batched else args
    static, _ = compat.static_names(namespace.get(found.fun))
    for arg, suggestion in zip(args, suggestions(read, doc or "", namespace, static, compared_with(found.node)), strict=True):
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
