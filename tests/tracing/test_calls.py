"""In which calls of functions an equation was traced: of the person's own, and of the library's function that they called there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracing.naming import HEAD, traced

Dict = dict[str, Any]
LINES = HEAD.count("\n")

MODEL = """
class Block:
    def __call__(self, x):
        return jax.nn.softmax(x @ x)
def loss(x):
    block = Block()
    for _ in range(3):
        x = block(x)
    return jnp.sum(x)
def step(tree):
    grads = jax.grad(lambda t: sum(loss(leaf) for leaf in t))(tree)
    return jax.tree.map(lambda p, g: p - 0.1 * g, tree, grads)
"""
TREE = "([jnp.ones((2, 2)), jnp.ones((3, 3))],)"


@pytest.fixture(scope="module")
def program() -> Dict:
    return traced(MODEL, "step", TREE)


def chain(program: Dict, eqn: Dict) -> list[str]:
    """The functions around an equation, outermost first."""
    names: list[str] = []
    at = eqn["call"]
    while at is not None:
        names.insert(0, program["calls"][at]["function"])
        at = program["calls"][at]["caller"]
    return names


def chains(program: Dict, *primitives: str) -> set[tuple[str, ...]]:
    entry = program["jaxprs"][program["entry"]]
    return {tuple(chain(program, eqn)) for eqn in entry["eqns"] if eqn["primitive"] in primitives}


def test_equations_know_the_functions_they_were_traced_in(program: Dict) -> None:
    assert chains(program, "exp") == {("step", "<lambda>", "loss", "Block.__call__", "softmax")}
    # Forward and backward alike: what an equation was differentiated into was written where it was.
    assert chains(program, "dot_general") == {("step", "<lambda>", "loss", "Block.__call__")}
    assert chains(program, "sub") >= {("step", "<lambda>")}


def test_a_call_in_a_loop_is_one_place_and_the_loop_is_known(program: Dict) -> None:
    blocks = [call for call in program["calls"] if call["function"] == "Block.__call__"]
    assert [call["span"]["line"] - LINES for call in blocks] == [8]
    lines = [(loop["line"] - LINES, loop["end_line"] - LINES) for loop in program["loops"]]
    assert sorted(lines) == [(8, 8), (11, 11)]


def test_a_function_that_a_library_was_given_says_so(program: Dict) -> None:
    handed = {(call["function"], call["handed"]) for call in program["calls"] if not call["library"]}
    assert handed == {("step", False), ("<lambda>", True), ("loss", False), ("Block.__call__", False)}


def test_a_caller_stands_before_what_it_calls(program: Dict) -> None:
    assert all(call["caller"] is None or call["caller"] < at for at, call in enumerate(program["calls"]))
    used = {eqn["call"] for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"]}
    assert used <= {None, *range(len(program["calls"]))}


def test_operators_and_private_functions_name_nothing() -> None:
    found = traced("def f(x):\n    return (x * x).mean() + x @ x", "f", "(jnp.ones((2, 2)),)")
    assert [call["function"] for call in found["calls"]] == ["f", "mean"]


def test_a_class_in_a_function_is_named_as_it_was_written() -> None:
    text = "def make():\n    class Net:\n        def run(self, x):\n            return x * x\n    return Net().run\nrun = make()"
    assert [call["function"] for call in traced(text, "run", "(1.0,)")["calls"]] == ["Net.run"]
