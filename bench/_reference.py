"""The other side of the measurement: a process with JAX warm in it, doing by hand what a paste asks for.

`python -m bench._reference` reads one request a line as JSON and answers each with milliseconds: `bare` traces and lowers a function that
it has never seen (`jax.make_jaxpr(f)(*args)`, then `jax.jit(f).lower(*args)`); `real` runs the paste as it is, its arrays computed.

"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sys
from typing import Any

import jax

from bench._table import milliseconds

WARM = """
import jax, jax.numpy as jnp
w, xs = jnp.ones((4, 4)), jax.random.normal(jax.random.key(0), (5, 4))
step = lambda c, x: (jnp.tanh(c @ w + x), c.sum())
f = lambda c, xs: jnp.mean(jax.lax.scan(step, c, xs)[0] ** 2)
jax.make_jaxpr(jax.grad(f))(xs[0], xs)
jax.jit(jax.grad(f)).lower(xs[0], xs)
jax.jit(jax.grad(f))(xs[0], xs).block_until_ready()
"""


def run(source: str, space: dict[str, Any]) -> None:
    """Run a text as `__main__` would be, unheard."""
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, "<paste>", "exec"), space)


def definitions(source: str) -> str:
    """What a paste imports and defines."""
    tree = ast.parse(source)
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
    return ast.unparse(ast.Module([node for node in tree.body if isinstance(node, kept)], []))


class Bare:
    """Traces and lowers by hand. The arrays are made once; the functions anew each time, so that no cache knows them."""

    def __init__(self) -> None:
        self._arrays: dict[str, dict[str, Any]] = {}

    def __call__(self, source: str, fun: str, args: str) -> float:
        if source not in self._arrays:
            space: dict[str, Any] = {}
            run(source, space)
            self._arrays[source] = space
        run(definitions(source), fresh := dict(self._arrays[source]))
        function, values = eval(fun, fresh), eval(args, fresh)

        def trace_and_lower() -> None:
            jax.make_jaxpr(function)(*values)
            jax.jit(function).lower(*values)

        return milliseconds(trace_and_lower)


def main() -> None:
    run(WARM, {})
    bare = Bare()
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "bare":
            answer = bare(asked["source"], asked["fun"], asked["args"])
        else:
            answer = milliseconds(lambda: run(asked["source"], {"__name__": "__main__"}))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
