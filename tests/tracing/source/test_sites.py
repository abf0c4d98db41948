from __future__ import annotations

import ast
import builtins
import traceback
from pathlib import Path

import pytest

from visualizer.tracing.source._sites import CALLED, SHOWN, compile_sites, cut, nodes_of, parse


def run(text: str, monkeypatch):
    tree = parse(text, "<paste>")
    compiled = compile_sites(tree, "<paste>")
    seen, shown = [], []
    monkeypatch.setattr(builtins, CALLED, lambda function, site: (seen.append(site), function)[1], raising=False)
    monkeypatch.setattr(builtins, SHOWN, shown.append, raising=False)
    namespace = {"__name__": "__main__"}
    error = None
    try:
        exec(compiled.code, namespace)
    except Exception as problem:
        error = problem
    return compiled, seen, shown, namespace, error


def test_every_call_is_seen_in_the_order_of_evaluation(monkeypatch):
    text = "def f(*a):\n    return a\nx = f(f(1), f(2))"
    compiled, seen, _, namespace, _ = run(text, monkeypatch)
    assert [cut(text, compiled.sites[site].call) for site in seen] == ["f(f(1), f(2))", "f(1)", "f(2)"]
    assert namespace["x"] == ((1,), (2,))


def test_the_value_of_a_last_expression_is_shown(monkeypatch):
    compiled, _, shown, _, _ = run("x = 1\nx + 1", monkeypatch)
    assert shown == [2]
    assert compiled.last == (2, 0, 2, 5)


def test_tracebacks_point_at_the_same_columns(monkeypatch):
    text = "def f(x):\n    return g(x) + (1 / x)\ndef g(x): return x\ny = f(  0)"
    *_, error = run(text, monkeypatch)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<paste>"]
    assert [(f.lineno, f.colno, f.end_colno) for f in frames] == [(4, 4, 10), (2, 19, 24)]


def test_builtins_that_look_at_their_caller_still_do(monkeypatch):
    text = "class A:\n    def __init__(self):\n        super().__init__()\n        self.n = len(locals())\nn = A().n\nx = 'n' in globals()"
    *_, namespace, error = run(text, monkeypatch)
    assert error is None
    assert (namespace["n"], namespace["x"]) == (2, True)


def test_the_function_of_an_explicit_request_is_known():
    text = "jax.make_jaxpr(f)(x)\njax.jit(g).lower(x)\nh.trace(x)\nk(x)"
    compiled = compile_sites(parse(text, "<paste>"), "<paste>")
    inner = {cut(text, site.call): site.inner and cut(text, site.inner) for site in compiled.sites}
    assert inner["jax.make_jaxpr(f)(x)"] == "f"
    assert inner["jax.jit(g).lower(x)"] == "g"
    assert inner["h.trace(x)"] == "h"
    assert inner["k(x)"] is None


def test_a_long_sum_compiles():
    text = "x = " + " + ".join(["abs(1)"] * 4000)
    assert len(compile_sites(parse(text, "<paste>"), "<paste>").sites) == 4000


def test_cut_counts_bytes():
    assert cut("θ = f(α)", (1, 5, 1, 10)) == "f(α)"


@pytest.mark.parametrize(
    "path", [Path(__file__), *sorted(Path(__file__).parents[3].glob("visualizer/examples/*.py"))], ids=lambda path: path.name
)
def test_all_nodes_that_say_anything_are_found_parents_first(path):
    tree = parse(path.read_text("utf-8"), "<paste>")
    found = nodes_of(tree)
    assert found == [node for node in ast.walk(tree) if node in found]
    assert not [node for node in set(ast.walk(tree)) - set(found) if node._fields]
