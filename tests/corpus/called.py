"""The program of a call in a paste against JAX itself: for pastes that call not the recorded function but a derivative of it.

The paste runs in a process of its own, as a person would run it, and there `jax.make_jaxpr` traces the same call. The two programs must
print the same, token for token.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from typing import Any

from tests.text.tokens import first_difference

Json = dict[str, Any]
TRANSFORMATIONS = ("grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "vmap", "jit", "checkpoint")
_RUN = """
import sys
source, function, arguments = sys.stdin.read().split("\\0")
space = {"__name__": "__main__"}
exec(compile(source, "<paste>", "exec"), space)
import jax
positional, named = eval(f"(lambda *args, **kwargs: (args, kwargs))({arguments})", space)
sys.stdout = sys.__stdout__
print("\\0" + str(jax.make_jaxpr(eval(function, space))(*positional, **named)))
"""


def transformed_call(source: str, program: Json, fun: str) -> tuple[str, str] | None:
    """(function, arguments) of the call that a program was made by, where it is a statement that calls a transformation of `fun`."""
    span = program["span"]
    for statement in ast.parse(source).body:
        node = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
        if not isinstance(node, ast.Call) or span is None or (node.lineno, node.end_lineno) != (span["line"], span["end_line"]):
            continue
        maker = node.func
        if not isinstance(maker, ast.Call) or ast.unparse(maker.func).removeprefix("jax.") not in TRANSFORMATIONS or not maker.args:
            continue
        if any(isinstance(part, ast.Name) and part.id == fun for part in ast.walk(maker.args[0])):
            given = [*map(ast.unparse, node.args), *(f"{word.arg}={ast.unparse(word.value)}" for word in node.keywords)]
            return ast.unparse(maker), ", ".join(given)
    return None


def against_jax(source: str, program: Json, call: tuple[str, str]) -> list[str]:
    """The differences between a program and what JAX traces of the same call."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-c", _RUN]
    ran = subprocess.run(
        command, input="\0".join((source, *call)), capture_output=True, text=True, env=environment, timeout=300, check=False
    )
    if ran.returncode:
        return [f"the call does not run: {ran.stderr[-300:]}"]
    theirs, ours = ran.stdout.rsplit("\0", 1)[1].rstrip("\n"), program["texts"]["jaxpr"]["text"]
    difference = first_difference(ours, theirs)
    return [f"{call[0]}: {difference}"] if difference else []
