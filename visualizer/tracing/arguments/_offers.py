"""Functions of a paste that could be traced if the person gave their arguments.

Offered are functions, what `jax.jit`, `partial` and the like made of them under a name of its own (`step = jax.jit(loss)`), methods of the
objects that the paste has made, and objects that can be called; not methods of a class that the paste makes no object of, for there is
nothing to call them on, and no generators, which JAX does not trace.

Promises: names that exist after the run and can be called; parameters as written, `*rest` and `**more` with their stars.
Must never: call anything.
"""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any

from visualizer.tracing import compat
from visualizer.tracing.source._defined import Found, defined
from visualizer.tracing.source._paste import PasteSource
from visualizer.tracing.source._sites import cut

from ._python_types import compared_with
from ._signature_text import signature_text
from ._suggestions import plain_text, suggestions

Dict = dict[str, Any]
MAX_OFFERS = 32
MAX_TEXT = 200
MAX_DEPTH = 10
_Partial = functools.partial


def offers(tree: ast.Module, used: frozenset[str], namespace: Dict, source: PasteSource, everything: bool) -> list[Dict]:
    """Offers of the functions that are not `used` by their names anywhere; with `everything`, of the others too, after them."""
    known = defined(tree, namespace, source.filename)
    idle = [found for found in known if found.used_as not in used]
    rest = [found for found in reversed(known) if found.used_as in used] if everything else []
    return [_offer(found, namespace, source) for found in (idle + rest)[:MAX_OFFERS]]


def _offer(found: Found, namespace: Dict, source: PasteSource) -> Dict:
    at = found.at
    args = _arguments(found.node.args, source.text)[1 if found.bound else 0 :]
    held = _held_by(namespace.get(found.fun))
    if found.takes is not None:
        args = _left(args, found.takes, held)
    doc = ast.get_docstring(found.node) if isinstance(found.node, ast.FunctionDef) and not found.batched else None
    read = [{**arg, "annotation": None} for arg in args] if found.batched else args
    static, _ = compat.static_names(namespace.get(found.fun))
    for arg, suggestion in zip(args, suggestions(read, doc or "", namespace, static, compared_with(found.node)), strict=True):
        arg["suggestion"] = plain_text(held[arg["name"]]) if arg["name"] in held else suggestion
    return {"fun": found.fun, "args": args, "span": source.span(at.lineno, at.col_offset, at.end_lineno, at.end_col_offset)}


def _held_by(value: Any) -> Dict:
    """The arguments that `partial` gave by their names, the outermost first."""
    held: Dict = {}
    for _ in range(MAX_DEPTH):
        if isinstance(value, _Partial):
            held, value = {**value.keywords, **held}, value.func
        elif (value := getattr(value, "__wrapped__", None)) is None:
            break
    return held


def _left(args: list[Dict], takes: inspect.Signature, held: Dict) -> list[Dict]:
    """Of a definition's parameters those that are left to give, with the defaults that `partial` gave them."""
    left = []
    for arg in args:
        name = arg["name"].lstrip("*")
        parameter = takes.parameters.get(name)
        if parameter is None:
            continue
        if name in held:
            arg = {**arg, "default": plain_text(held[name]) or signature_text(held[name])[:MAX_TEXT]}
        elif (text := plain_text(parameter.default)) is not None:
            arg = {**arg, "default": text}
        left.append(arg)
    return left


def _arguments(args: ast.arguments, text: str) -> list[Dict]:
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(args.defaults)), *args.defaults]
    pairs = [("", arg, _written(default, text)) for arg, default in zip(positional, defaults, strict=True)]
    pairs += [("*", args.vararg, "()")] if args.vararg else []
    pairs += [("", arg, _written(default, text)) for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    pairs += [("**", args.kwarg, "{}")] if args.kwarg else []
    return [{"name": stars + arg.arg, "annotation": _written(arg.annotation, text), "default": default} for stars, arg, default in pairs]


def _written(node: ast.expr | None, text: str) -> str | None:
    """An expression as the person wrote it, on one line: its node may hold calls of ours."""
    if node is None:
        return None
    place = node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return ast.unparse(ast.parse(f"({cut(text, place)})", mode="eval"))[:MAX_TEXT]
