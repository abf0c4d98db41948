from __future__ import annotations

import ast
from typing import Any

import pytest

from visualizer.tracing._functions import places, renamed, returned


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


def test_places_are_those_of_the_function_itself() -> None:
    node = function("def f():\n  g = lambda: a + b\n  return c + d")
    texts = {(line, col, end) for line, col, _, end in places(node)}
    assert (3, 9, 14) in texts
    assert (2, 6, 19) in texts
    assert (2, 14, 19) not in texts
    assert places(function("lambda: a + b")) == {(1, 8, 1, 13), (1, 8, 1, 9), (1, 12, 1, 13)}


def test_a_path_is_renamed_from_its_start() -> None:
    names = {"state[0]": "params", "result": "out"}
    assert renamed("state[0]['w'][1]", names) == "params['w'][1]"
    assert renamed("state[0]", names) == "params"
    assert renamed("state[1]", names) is None
    assert renamed("result.a", names) == "out.a"
    assert renamed("", names) is None
