"""What the tests of names share: a text traced as a paste would be, and its names looked up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax

from visualizer.model import Program
from visualizer.tracing._serialize import serialize
from visualizer.tracing.source._paste import PasteSource

Dict = dict[str, Any]
HEAD = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"
LESSON = """
def train(w, xs, ys, lr):
    def step(w, batch):
        x, y = batch
        loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return w - lr * grad, loss
    return jax.lax.scan(step, w, (xs, ys))
"""
LESSON_ARGS = "(jnp.zeros(3), jnp.ones((6, 2, 3)), jnp.ones((6, 2)), jnp.float32(0.1))"


def traced(text: str, fun: str, args: str) -> Dict:
    """The program of `fun(*args)`, expressions in the namespace of the text."""
    source = PasteSource.of(HEAD + text, "<names>")
    namespace: Dict = {"__name__": "__main__"}
    exec(compile(source.text, source.filename, "exec"), namespace)
    closed = jax.make_jaxpr(eval(fun, namespace))(*eval(args, namespace))
    program = serialize(closed, source=source, namespace=namespace).program
    Program.model_validate(program)
    return program


def label(jaxpr: Dict, atom: Dict) -> str | None:
    """The label of a variable; a literal's text."""
    found: str | None = jaxpr["vars"][atom["var"]]["label"] if "var" in atom else atom["literal"]
    return found


def eqns(program: Dict, primitive: str) -> list[tuple[Dict, Dict]]:
    """Every equation of a primitive, with its jaxpr."""
    return [(jaxpr, eqn) for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] == primitive]


def made(program: Dict, primitive: str) -> list[str | None]:
    """The labels of the first results of all equations of a primitive."""
    return [label(jaxpr, {"var": eqn["results"][0]["var"]}) for jaxpr, eqn in eqns(program, primitive)]


def body(program: Dict, eqn: Dict, which: str = "body") -> Dict:
    """One of the bodies of an equation, by its label."""
    found: Dict = next(program["jaxprs"][call["jaxpr"]] for call in eqn["nested"] if call["label"] == which)
    return found


def binders(program: Dict, eqn: Dict, which: str = "body") -> list[str | None]:
    """The labels of the binders of a body."""
    inner = body(program, eqn, which)
    return [inner["vars"][var]["label"] for var in inner["invars"]]


def outputs(program: Dict) -> list[str | None]:
    """The labels of the results of the program."""
    top = program["jaxprs"][program["entry"]]
    return [label(top, atom) for atom in top["outvars"]]


def bound(text: str, jaxpr: Dict) -> dict[str, tuple[str, int]]:
    """{label: (the text of the span, its line in `text`)} of the closed-over variables of a jaxpr."""
    lines = (HEAD + text).split("\n")
    found = {}
    for var, span in jaxpr["bound"].items():
        assert span["line"] == span["end_line"]
        where = lines[span["line"] - 1][span["col"] : span["end_col"]]
        found[jaxpr["vars"][var]["label"]] = (where, span["line"] - HEAD.count("\n"))
    return found


def every_bound(text: str, program: Dict) -> Iterator[tuple[str, dict[str, tuple[str, int]]]]:
    """The closed-over variables of every jaxpr that has some, by its name."""
    for jaxpr in program["jaxprs"].values():
        if jaxpr["bound"]:
            yield jaxpr["name"], bound(text, jaxpr)
