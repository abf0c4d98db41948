"""What the expressions of a text really give while they are traced, seen from inside: every one of them passes through a witness.

The oracle for `Program.written`: Python and JAX evaluate the text, and each value is asked for its type.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import jax

Dict = dict[str, Any]
Place = tuple[int, int, int, int]
Leaves = frozenset[tuple[str, str]]
_EXPRESSIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Subscript, ast.Attribute)


def witnessed(text: str, namespace: Dict | None = None, run: str = "") -> dict[Place, set[Leaves]]:
    """Run a text, then the expression `run` in its namespace; for each expression and parameter the types it had, by their paths."""
    seen: dict[Place, set[Leaves]] = defaultdict(set)

    def witness(where: Place, value: Any) -> Any:
        seen[where].add(leaves(value))
        return value

    tree = ast.fix_missing_locations(_Witnesses().visit(ast.parse(text)))
    names: Dict = {"__name__": "__main__", **(namespace or {}), "__witness__": witness}
    exec(compile(tree, "<witnessed>", "exec", dont_inherit=True), names)
    if run:
        eval(run, names)
    return seen


def leaves(value: Any) -> Leaves:
    """The types of the arrays in a value, by their paths."""
    found: list[tuple[str, str]] = []
    if isinstance(value, Iterator):
        return frozenset(found)
    for path, leaf in jax.tree_util.tree_leaves_with_path(value):
        try:
            aval = jax.api_util.shaped_abstractify(leaf)
        except Exception:
            continue
        found.append((jax.tree_util.keystr(path), aval.str_short(short_dtypes=True).removeprefix("ShapedArray")))
    return frozenset(found)


class _Witnesses(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        place = _place(node) if isinstance(node, _EXPRESSIONS) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load) else None
        super().generic_visit(node)
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            self._parameters(node)
        return node if place is None else ast.copy_location(_call(place, node), node)  # type: ignore[arg-type]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        place, name = _place(node), ast.unparse(node.target)
        node.value = self.visit(node.value)
        return [node, ast.copy_location(ast.Expr(_call(place, ast.parse(name, mode="eval").body)), node)]

    @staticmethod
    def _parameters(node: ast.FunctionDef | ast.Lambda) -> None:
        names = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        calls = [_call(_place(one), ast.Name(one.arg, ast.Load())) for one in names]
        if isinstance(node, ast.Lambda):
            # (witnesses of the parameters, what the lambda gives)[-1]
            node.body = ast.copy_location(
                ast.Subscript(ast.Tuple([*calls, node.body], ast.Load()), ast.Constant(-1), ast.Load()), node.body
            )
        else:
            node.body = [*[ast.copy_location(ast.Expr(call), node.body[0]) for call in calls], *node.body]


def _place(node: Any) -> Place:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def _call(place: Place, value: ast.expr) -> ast.Call:
    return ast.Call(ast.Name("__witness__", ast.Load()), [ast.Constant(place), value], [])
