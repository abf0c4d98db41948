from __future__ import annotations

import ast
from typing import Any

import pytest

from visualizer.tracing.source._functions import code_of, places_of, renamed, returned


def function(text: str) -> Any:
    node = ast.parse(text).body[0]
    return node.value if isinstance(node, ast.Expr) else node


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(): return x", {"result": "x"}),
        ("def f(): return x, y + 1, (_, [z])", {"result[0]": "x", "result[2][1][0]": "z"}),
        ("def f(): return {'a': x, 'b': {1: y}, **z}", {"result['a']": "x", "result['b'][1]": "y"}),
        ("def f(): return x, *y", {}),
        ("def f():\n  if a: return x, y\n  return x, z", {"result[0]": "x"}),
        ("def f():\n  if a: return x\n  return", {"result": "x"}),
        ("def f():\n  def g(): return y\n  return x", {"result": "x"}),
        ("def f(): pass", {}),
        ("lambda: (x, y)", {"result[0]": "x", "result[1]": "y"}),
    ],
)
def test_returned(text: str, names: dict[str, str]) -> None:
    assert returned(function(text)) == names


def test_code_of_a_decorated_function_begins_at_its_decorator() -> None:
    assert code_of(function("@a\n@b\ndef f(): pass")) == ("f", 1)
    assert code_of(function("def f(): pass")) == ("f", 1)
    assert code_of(function("lambda x: x")) == ("<lambda>", 1)


def test_fields_of_records_are_returned_by_their_names() -> None:
    node = function("def f(): return State(a, step=b)")
    assert returned(node, {"State": ["params", "step"]}) == {"result.params": "a", "result.step": "b"}
    assert returned(node) == {}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("f(x)", [(1, 0, 1, 4)]),
        ("x.f(\n)", [(1, 0, 2, 1)]),
        ("(x\n .f())", [(1, 1, 2, 5), (2, 2, 2, 5)]),
    ],
)
def test_the_call_of_a_method_on_a_line_of_its_own_begins_there(text: str, places: list[tuple[int, int, int, int]]) -> None:
    assert places_of(function(text)) == places


def test_a_path_is_renamed_from_its_start() -> None:
    names = {"state[0]": "params", "result": "out"}
    assert renamed("state[0]['w'][1]", names) == "params['w'][1]"
    assert renamed("state[0]", names) == "params"
    assert renamed("state[1]", names) is None
    assert renamed("result.a", names) == "out.a"
    assert renamed("", names) is None
