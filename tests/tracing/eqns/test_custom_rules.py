"""Rules of custom_jvp, custom_vjp and custom_vmap: which functions they are, where, and what they do not differentiate."""

from __future__ import annotations

import pytest

PRELUDE = "import jax, jax.numpy as jnp\nfrom functools import partial\n"

# name -> (source, (rule, name, of, the text at its place) of each, (name, text) of what is not differentiated)
CASES = {
    "vjp, two arguments not differentiated": (
        """@partial(jax.custom_vjp, nondiff_argnums=(0, 2))
def app(f, x, n): return f(x) * n
def fwd(f, x, n): return app(f, x, n), x
def bwd(f, n, res, g): return (g * n,)
app.defvjp(fwd, bwd)
jax.make_jaxpr(lambda x: app(jnp.sin, x, 3))(1.0)""",
        [("fwd", "fwd", None, "def fwd(f, x, n): return app(f, x, n), x"), ("bwd", "bwd", None, "def bwd(f, n, res, g): return (g * n,)")],
        [("f", "sin"), ("n", "3")],
    ),
    "vjp, by name, of a pytree, inside jit": (
        """@partial(jax.custom_vjp, nondiff_argnames=("mode",))
def layer(params, x, mode): return params["w"] * x if mode == "mul" else x
def f(params, x, mode): return layer(params, x, mode), (params, x)
def b(mode, res, g): return {"w": g * res[1]}, g * res[0]["w"]
layer.defvjp(f, b)
jax.make_jaxpr(jax.jit(lambda p, x: layer(p, x, "mul")))({"w": 2.0}, 1.0)""",
        [
            ("fwd", "f", None, "def f(params, x, mode): return layer(params, x, mode), (params, x)"),
            ("bwd", "b", None, """def b(mode, res, g): return {"w": g * res[1]}, g * res[0]["w"]"""),
        ],
        [("mode", "mul")],
    ),
    "jvp, one argument not differentiated, under vmap": (
        """@partial(jax.custom_jvp, nondiff_argnums=(1,))
def cl(x, lim): return jnp.minimum(x, lim)
@cl.defjvp
def rule(lim, p, t): return cl(*p, lim), t[0]
jax.make_jaxpr(jax.vmap(lambda x: cl(x, 2.0)))(jnp.ones(3))""",
        [("jvp", "rule", None, "def rule(lim, p, t): return cl(*p, lim), t[0]")],
        [("lim", "2.0")],
    ),
    "names that repeat": (
        """class A:
    @staticmethod
    def rule(p, t): return A.sq(*p), t[0]
    sq = staticmethod(jax.custom_jvp(lambda x: x * x))
class B:
    @staticmethod
    def rule(p, t): return 0.0, 0.0
A.sq.defjvp(A.rule)
jax.make_jaxpr(A.sq)(1.0)""",
        [("jvp", "rule", None, "def rule(p, t): return A.sq(*p), t[0]")],
        [],
    ),
    "two lambdas on one line": (
        """f = jax.custom_vjp(lambda x: jnp.sin(x))
f.defvjp(lambda x: (jnp.sin(x), x), lambda r, g: (g * jnp.cos(r),))
jax.make_jaxpr(f)(1.0)""",
        [("fwd", "<lambda>", None, "lambda x: (jnp.sin(x), x)"), ("bwd", "<lambda>", None, "lambda r, g: (g * jnp.cos(r),)")],
        [],
    ),
    "a rule for each argument": (
        """@jax.custom_jvp
def two(x, y): return x * y
two.defjvps(lambda dx, ans, x, y: dx * y, None)
jax.make_jaxpr(two)(1.0, 2.0)""",
        [("jvp", "<lambda>", "x", "lambda dx, ans, x, y: dx * y")],
        [],
    ),
    "a batching rule": (
        """@jax.custom_batching.custom_vmap
def f(x): return x
@f.def_vmap
def f_rule(n, b, x): return x, b[0]
jax.make_jaxpr(f)(1.0)""",
        [("vmap", "f_rule", None, "def f_rule(n, b, x): return x, b[0]")],
        [],
    ),
    "rules of a library": ("jax.make_jaxpr(jax.nn.relu)(1.0)", [], []),
    "a rule behind partial and a method": (
        """class Layer:
    def __init__(self, scale): self.scale = scale
    def fwd(self, x): return x, x
    def bwd(self, scale, res, g): return (g * scale,)
layer = Layer(2.0)
f = jax.custom_vjp(lambda x: x)
f.defvjp(layer.fwd, partial(layer.bwd, 3.0))
jax.make_jaxpr(f)(1.0)""",
        [("fwd", "fwd", None, "def fwd(self, x): return x, x"), ("bwd", "bwd", None, "def bwd(self, scale, res, g): return (g * scale,)")],
        [],
    ),
    "a value whose text fails, and no names": (
        """class Odd:
    def __repr__(self): raise ValueError("no")
app = jax.custom_vjp(lambda *args: args[1], nondiff_argnums=(0,))
app.defvjp(lambda *args: (args[1], None), lambda odd, res, g: (g,))
jax.make_jaxpr(lambda x: app(Odd(), x))(1.0)""",
        [("fwd", "<lambda>", None, "lambda *args: (args[1], None)"), ("bwd", "<lambda>", None, "lambda odd, res, g: (g,)")],
        [(None, "<Odd: its text raised ValueError>")],
    ),
}


def ahead(_test, *, case):
    """The request of one case."""
    return [{"source": PRELUDE + CASES[case][0], "levels": ["jaxpr"]}]


def at(source: str, span: dict) -> str:
    """The text of a place within one line."""
    assert span["line"] == span["end_line"]
    return source.split("\n")[span["line"] - 1][span["col"] : span["end_col"]]


@pytest.mark.parametrize("case", CASES)
def test_rules_and_what_they_do_not_differentiate(jobs, case):
    code, rules, nondiff = CASES[case]
    source = PRELUDE + code
    trace = jobs.trace(source, levels=["jaxpr"])
    assert trace["diagnostics"] == []
    (program,) = trace["programs"]
    ((key, known),) = program["rules"].items()
    (eqn,) = [eqn for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["id"] == key]
    assert eqn["primitive"].startswith("custom_")
    assert [(rule["rule"], rule["name"], rule["of"], at(source, rule["span"])) for rule in known["rules"]] == rules
    assert [(one["name"], one["text"]) for one in known["nondiff"]] == nondiff
