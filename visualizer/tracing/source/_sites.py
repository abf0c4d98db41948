"""Compile a paste so that every call in it can be seen.

A call `f(a, b)` is compiled as `__called__(f, 7)(a, b)`, the new nodes keeping f's place, so the order of evaluation, tracebacks and the
columns of equations stay as written, and builtins that look at their caller's frame (`locals`, `super`) still see the paste.
The value of a last bare expression passes through `__shown__`.

Promises: the code means what the person wrote.
Must never: run any of it.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

CALLED, SHOWN = "__called__", "__shown__"
Range = tuple[int, int, int, int]
# Building and compiling a sum of thousands of terms recurses in Python's own compiler; running it does not. Python 3.11 goes three times
# as deep as it is told, and twice this overflows a stack of 8 MB.
COMPILER_DEPTH = 25_000


@dataclass(frozen=True)
class Site:
    """One call of the paste: the ranges of the whole call, of what is called, and of its first argument if it has one."""

    call: Range
    callee: Range
    argument: Range | None
    inner: Range | None
    """The function that an explicit request is about: `f` in `jax.make_jaxpr(f)(x)`, `jax.jit(f).lower(x)` and `f.trace(x)`."""


@dataclass(frozen=True)
class Compiled:
    """A paste ready to run."""

    code: CodeType
    sites: tuple[Site, ...]
    last: Range | None
    """The range of a last bare expression."""
    named: frozenset[str]
    """Every name that the paste reads anywhere."""
    attributes: frozenset[str] = frozenset()
    """Every attribute that it reads or sets."""


def parse(text: str, filename: str) -> ast.Module:
    """Python's own parse. Raises SyntaxError, ValueError, MemoryError, RecursionError."""
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, COMPILER_DEPTH))
    try:
        return ast.parse(text, filename)
    finally:
        sys.setrecursionlimit(depth)


@lru_cache(4)
def tree_of(text: str) -> ast.Module:
    """The parse that all who only read a text share. Raises as `parse` does."""
    return parse(text, "<text>")


def pairs_of(tree: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """The nodes of a parsed text but for contexts and operators, each behind its parent: `ast.walk` is a tenth of a short paste's time."""
    found = [(tree, tree)]
    for _, node in found:  # grows
        for value in vars(node).values():
            if type(value) is list:
                found += [(node, part) for part in value if isinstance(part, ast.AST)]
            elif isinstance(value, ast.AST) and value._fields:
                found.append((node, value))
    return found


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """As `pairs_of`, without the parents."""
    return [node for _, node in pairs_of(tree)]


def compile_sites(tree: ast.Module, filename: str, watch: bool = True) -> Compiled:
    """Compile a parsed paste; with `watch` its calls and its last expression are seen. Changes `tree`. Raises as `parse` does."""
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, COMPILER_DEPTH))
    try:
        # A list: the nodes that are added are no calls of the person's. A walk, not a visitor: a long sum is thousands deep.
        nodes = nodes_of(tree)
        named = frozenset(node.id for node in nodes if type(node) is ast.Name and type(node.ctx) is ast.Load)
        attributes = frozenset(node.attr for node in nodes if type(node) is ast.Attribute)
        sites = _hook_calls([node for node in nodes if type(node) is ast.Call and (watch or _asks_type(node))])
        last = _hook_last(tree) if watch else None
        return Compiled(compile(tree, filename, "exec", dont_inherit=True), tuple(sites), last, named, attributes)
    finally:
        sys.setrecursionlimit(depth)


def _is_map(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "map" and bool(call.args)


def _asks_type(call: ast.Call) -> bool:
    """`type(x)`, which is answered for held arrays whether or not calls are watched."""
    return isinstance(call.func, ast.Name) and call.func.id == "type"


_STAGES = frozenset({"trace", "lower", "eval_shape"})


def _hook_calls(calls: list[ast.Call]) -> list[Site]:
    sites: list[Site] = []
    ranges = {id(node): _range(node.args[0]) if node.args else None for node in calls}
    for node in calls:
        callee = node.func
        maker = callee.value if isinstance(callee, ast.Attribute) and callee.attr in _STAGES else callee
        inner = ranges.get(id(maker)) if isinstance(maker, ast.Call) else _range(maker) if maker is not callee else None
        named = node.args[0] if _is_map(node) else callee  # `map(f, xs)` calls f
        sites.append(Site(_range(node), _range(named), ranges[id(node)], inner))
        node.func = _call(CALLED, [callee, ast.Constant(len(sites) - 1, **_where(callee))], callee)
    return sites


def _hook_last(tree: ast.Module) -> Range | None:
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return None
    last = tree.body[-1]
    place = _range(last.value)
    last.value = _call(SHOWN, [last.value], last.value)
    return place


def _call(name: str, args: list[ast.expr], at: ast.expr) -> ast.Call:
    where = _where(at)
    return ast.Call(ast.Name(name, ast.Load(), **where), args, [], **where)


def _where(node: ast.expr) -> dict[str, Any]:
    return {"lineno": node.lineno, "col_offset": node.col_offset, "end_lineno": node.end_lineno, "end_col_offset": node.end_col_offset}


def _range(node: ast.expr) -> Range:
    end_line = node.lineno if node.end_lineno is None else node.end_lineno
    end_col = node.col_offset if node.end_col_offset is None else node.end_col_offset
    return (node.lineno, node.col_offset, end_line, end_col)


def cut(text: str, place: Range) -> str:
    """The text of a range."""
    line, col, end_line, end_col = place
    lines = [part.encode("utf-8", "surrogatepass") for part in text.split("\n")[line - 1 : end_line]]
    if not lines:
        return ""
    lines[-1] = lines[-1][:end_col]
    lines[0] = lines[0][col:]
    return b"\n".join(lines).decode("utf-8", "replace")
