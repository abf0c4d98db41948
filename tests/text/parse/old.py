"""Prints of old versions of JAX, and what those versions themselves say is in them.

    python tests/text/parse/old.py   # with any JAX from 0.4.13 on: writes prints/VERSION.json

Needs nothing of this project. The structure is read from JAX's own objects: for each body the types of its binders, its equations with the
places of their operands among the values of the body (or the literal), and the bodies inside, in the order of the params.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "prints"


def structure(jaxpr: Any) -> list[Any]:
    """[types of constvars, types of invars, equations, results] of a jaxpr."""
    jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
    values: dict[Any, int] = {}
    for var in [*jaxpr.constvars, *jaxpr.invars]:
        values[var] = len(values)
    eqns = []
    count = len(values)
    for eqn in jaxpr.eqns:
        operands = [_atom(atom, values) for atom in eqn.invars]
        for var in eqn.outvars:
            values[var] = count
            count += 1
        plain = {name: value for name, value in sorted(eqn.params.items()) if type(value) in (int, bool)}
        inner = [structure(each) for name in sorted(eqn.params) for each in _jaxprs(eqn.params[name])]
        eqns.append([eqn.primitive.name, operands, [_type(var) for var in eqn.outvars], plain, inner])
    types = [[_type(var) for var in group] for group in (jaxpr.constvars, jaxpr.invars)]
    return [*types, eqns, [_atom(atom, values) for atom in jaxpr.outvars]]


def _type(var: Any) -> str:
    return str(var.aval.str_short(short_dtypes=True))


def _atom(atom: Any, values: dict[Any, int]) -> Any:
    return "literal" if hasattr(atom, "val") else values[atom]


def _jaxprs(value: Any) -> list[Any]:
    if hasattr(value, "eqns") or hasattr(getattr(value, "jaxpr", None), "eqns"):
        return [value]
    return [found for item in value for found in _jaxprs(item)] if isinstance(value, (tuple, list)) else []


def programs() -> dict[str, tuple[Any, ...]]:
    """{name: (function, *arguments)}"""
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax

    x, m = np.linspace(0.1, 0.9, 4, dtype=np.float32), np.eye(3, dtype=np.float32) + 0.1

    def rnn(w: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = jnp.tanh(h @ w + x)
            return h, h

        return lax.scan(step, jnp.zeros(3), xs)[1].sum()

    def control(n: Any, x: Any) -> Any:
        x = lax.cond(n > 2, lambda x: x * 2, jnp.sin, x)
        x = lax.switch(n, [jnp.sin, jnp.cos, lambda x: x - 1], x)
        return lax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * x), (0, x))

    @jax.custom_jvp
    def soft(x: Any) -> Any:
        return jnp.log1p(jnp.exp(x))

    soft.defjvp(lambda p, t: (soft(*p), t[0] * 0.5))

    @jax.custom_vjp
    def clip(x: Any) -> Any:
        return jnp.clip(x, 0.0, 1.0)

    clip.defvjp(lambda x: (clip(x), x), lambda x, g: (g * x,))

    @jax.jit
    def layer(w: Any, x: Any) -> Any:
        return jnp.maximum(x @ w, 0.0)

    def network(w: Any, x: Any) -> Any:
        return layer(w, layer(w, layer(w, x))).sum()

    def chosen(x: Any, i: Any) -> Any:
        return x[i].sum() + x.at[i].add(2.0, mode="drop").max() + jnp.where(x > 0, x, jnp.nan).sum() + jnp.inf

    def noise(x: Any) -> Any:
        return jnp.sort(x + jax.random.normal(jax.random.PRNGKey(0), x.shape))[::-1]

    def told(x: Any) -> Any:
        jax.debug.print("loss={} [", x.sum())
        return x * (1 + 2j)

    return {
        "gradient of a scan": (jax.grad(rnn), m, np.ones((5, 3), np.float32)),
        "control flow": (control, 3, x),
        "own rules": (jax.vmap(lambda x: soft(x) + clip(x)), x),
        "own rules, differentiated": (jax.grad(lambda x: (soft(x) * clip(x)).sum()), x),
        "a function three times": (jax.value_and_grad(network), m, np.ones(3, np.float32)),
        "indices": (chosen, x, np.array([0, 2])),
        "random and sorted": (noise, x),
        "solve": (lambda a, b: jnp.linalg.solve(a, b), m, np.ones(3, np.float32)),
        "remat": (jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum())), x),
        "a closed-over array": (lambda y: y * x + 1, x),
        "told": (told, x),
        "scan of scans": (jax.vmap(lambda x: lax.scan(lambda c, a: (lax.fori_loop(0, 3, lambda i, c: c * a + i, c), c), x[0], x)), m),
        "nothing": (lambda: (),),
    }


def main() -> None:
    """Write the prints of the JAX at hand."""
    import jax

    found = {}
    for name, (fun, *args) in programs().items():
        closed = jax.make_jaxpr(fun)(*args)
        found[name] = {"text": str(closed).split("\n"), "structure": structure(closed)}
    text = json.dumps(found, separators=(",", ":")).replace('","', '",\n"').replace('"structure":', '\n"structure":')
    (FOLDER / f"{jax.__version__}.json").write_text(text + "\n", "utf-8")
    sys.stdout.write(f"{jax.__version__}: {len(found)} programs\n")


if __name__ == "__main__":
    main()
