"""Python's own rules of scope, read from a text."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator

import pytest

from visualizer.tracing.source._scopes import END, Scope, Scopes
from visualizer.tracing.source._sites import parse


def scopes(text: str) -> Scopes:
    return Scopes(parse(text, "<text>"))


def inner(text: str, name: str) -> Scope:
    return next(scope for node, scope in scopes(text).of.items() if getattr(node, "name", "") == name)


TEXT = """
import jax.numpy as jnp, os.path
a = b = 1
def f(x, *args, k=a, **rest):
    global g
    g = x
    y, (z, *w) = x
    def h():
        nonlocal y
        y = z + b
        return [i + q for i in args for q in i if (last := q)]
    class C:
        z = 3
        def m(self):
            return z
    for t in x:
        with t as u:
            pass
    try:
        pass
    except ValueError as e:
        pass
    return lambda v, d=u: v + d + x
"""


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from tables(child)


def test_every_name_is_found_where_python_finds_it() -> None:
    """Python's compiler says which names of a function are its own, and which are free or global."""
    ours = {(getattr(node, "name", type(node).__name__), getattr(node, "lineno", 0)): scope for node, scope in scopes(TEXT).of.items()}
    names = {"top": "Module", "lambda": "Lambda", "listcomp": "ListComp"}
    compared = 0
    for table in tables(symtable.symtable(TEXT, "<text>", "exec")):
        scope = ours[names.get(table.get_name(), table.get_name()), table.get_lineno()]
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if name.startswith(".") or not (symbol.is_referenced() or symbol.is_assigned()):
                continue
            found = scope.find(name)
            if symbol.is_free():
                assert found is not None and found is not scope and found.parent is not None, name
            elif symbol.is_global():
                assert found is None or found.parent is None, name
            else:
                assert found is scope, name
            compared += 1
    assert compared > 25


@pytest.mark.parametrize(
    ("text", "at", "lines"),
    [
        ("x = 1\nuse", (2, 0), [1]),
        ("x = 1\nx = 2\nuse\nx = 3", (3, 0), [2]),
        ("x = 1\nx = f(x)\nuse", (2, 6), [1]),  # not yet bound where its own value is computed
        ("x = 1\nif a:\n  x = 2\nuse", (4, 0), [1, 3]),
        ("x = 1\nif a:\n  x = 2\n  use", (4, 2), [3]),
        ("if a:\n  x = 1\nelse:\n  x = 2\nuse", (5, 0), [2, 4]),
        ("x = 1\nfor i in y:\n  use\n  x = 2", (3, 2), [1, 4]),
        ("x = 1\nfor i in y:\n  x = 2\n  use", (4, 2), [3]),
        ("for x in y:\n  use\nx = 2", (2, 2), [1]),
        ("x = 1\nwith a as x:\n  use", (3, 2), [2]),
        ("x = 1\nx += 1\nuse", (3, 0), [2]),
        ("import x\nfrom y import z as x\nuse", (3, 0), [2]),
    ],
)
def test_what_can_have_been_bound_last(text: str, at: tuple[int, int], lines: list[int]) -> None:
    assert sorted(binding.place[0] for binding in scopes(text).module.reaching("x", at)) == lines


def test_bindings_know_what_leads_to_the_value() -> None:
    found = scopes("a, (b, *c) = f(x)\nd = e = g\nfor h, i in pairs: pass\n(j, k) = 1, 2\n").module.bindings
    said = {name: (ast.unparse(one.value) if one.value else None, one.path) for name, (one,) in found.items()}
    assert said == {
        "a": ("f(x)", "[0]"),
        "b": ("f(x)", "[1][0]"),
        "c": (None, ""),
        "d": ("g", ""),
        "e": ("g", ""),
        "h": ("pairs", "[*][0]"),
        "i": ("pairs", "[*][1]"),
        "j": ("1", ""),
        "k": ("2", ""),
    }


def test_what_is_known_without_the_value_is_not_read() -> None:
    scope = inner("def f():\n  return a.shape, b.T, c.dtype, d", "f")
    assert sorted(name.id for name in scope.reads) == ["b", "d"]


def test_the_name_of_a_definition_is_its_place() -> None:
    text = "def f(): pass\nclass C: pass\nasync def g(): pass"
    for name, (binding,) in scopes(text).module.bindings.items():
        line, col, _, end = binding.place
        assert text.split("\n")[line - 1][col:end] == name


def test_a_sum_of_three_thousand_terms_is_read() -> None:
    text = "x = " + " + ".join(["y"] * 3000)
    assert len(scopes(text).module.reads) == 3000
    assert scopes(text).module.reaching("x", END)[0].place == (1, 0, 1, 1)
