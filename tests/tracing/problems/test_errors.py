from __future__ import annotations

import pytest

from visualizer.tracing import trace_source
from visualizer.tracing.problems._errors import clean_text, message_of, tidy, type_name


def failing(source: str) -> dict:
    trace = trace_source(source, levels=["jaxpr"])
    (found,) = [d for d in trace["diagnostics"] if d["severity"] == "error"]
    return found


J = "import jax, jax.numpy as jnp\n"


@pytest.mark.parametrize(
    ("code", "type_", "line", "advice"),
    [
        ("import haiku", "ModuleNotFoundError", 2, "haiku is not installed here"),
        ("import haiku.nets", "ModuleNotFoundError", 2, "haiku is not installed here"),
        ("from jax.core import Primitive", "ImportError", 2, "jax.extend.core.Primitive"),
        ("jax.tree_map(abs, 1)", "AttributeError", 2, "jax.tree.map"),
        ("jax.xla_computation(abs)(1)", "AttributeError", 2, "jax.jit(f).lower"),
        ("y = undefined + 1", "NameError", 2, "not defined at this point"),
        ("raise MemoryError", "MemoryError", 2, "ShapeDtypeStruct"),
        ("def f(x): return f(x)\nf(1)", "RecursionError", 2, "without end"),
        ("input('n? ')", "EOFError", 2, "no keyboard"),
        ("open('/nowhere/data.csv')", "FileNotFoundError", 2, "jnp.zeros"),
        ("x = jnp.ones(3)\nx[0] = 1.", "TypeError", 3, "x.at[i].set"),
        ("jax.jit(lambda x: int(x))(1.)", "ConcretizationTypeError", 2, "static"),
        ("jax.jit(lambda n: jnp.ones(n))(1)", "TypeError", 2, ""),
        ("jax.jit(lambda x: x if x else -x)(1.)", "TracerBoolConversionError", 2, "jax.lax.cond"),
        ("jax.lax.scan(lambda c, x: (jnp.stack([c, c]), x), 0., jnp.ones(3))", "TypeError", 2, "The carry must leave"),
        ("jax.lax.cond(True, lambda x: x, lambda x: (x, x), 1.)", "TypeError", 2, "Every branch"),
        ("jax.vmap(jnp.add)(jnp.ones(3), jnp.ones(4))", "ValueError", 2, "in_axes=None"),
        ("jax.jit(lambda x, s: x)(1., 'sum')", "TypeError", 2, "static argument"),
        ("jax.grad(lambda x: x * jnp.ones(2))(1.)", "TypeError", 2, "one number"),
        ("jax.grad(lambda x: x * 2.)(1)", "TypeError", 2, "floating-point"),
        ("jnp.ones(2) + jnp.ones(3)", "TypeError", 2, "shapes do not fit"),
    ],
)
def test_well_known_errors_say_where_and_what_to_do(code, type_, line, advice):
    found = failing(J + code)
    assert (found["type"], found["span"]["line"]) == (type_, line)
    assert advice in found["advice"]
    assert all(frame["function"] for frame in found["frames"])


def test_frames_are_the_persons_own():
    found = failing(J + "@jax.jit\ndef f(x):\n    return g(x)\ndef g(x):\n    return x @ jnp.ones(4)\nf(jnp.ones(3))")
    assert [(frame["function"], frame["span"]["line"]) for frame in found["frames"]] == [("<module>", 7), ("f", 4), ("g", 6)]
    assert found["span"] == {"line": 6, "col": 11, "end_line": 6, "end_col": 26}


def test_an_exception_whose_text_fails_is_still_told():
    class BadError(Exception):
        def __str__(self):
            raise SystemExit

    assert "could not be read" in message_of(BadError())
    found = failing("class E(Exception):\n    def __str__(self): raise KeyboardInterrupt\n    __repr__ = __str__\nraise E")
    assert (found["type"], found["span"]["line"]) == ("E", 4)


def test_a_metaclass_cannot_hide_the_name():
    class Meta(type):
        @property
        def __name__(cls):
            raise SystemExit

    class HiddenError(Exception, metaclass=Meta):
        pass

    assert type_name(HiddenError()) == "HiddenError"


def test_messages_are_tidied():
    assert tidy("Bad.\nSee https://docs.jax.dev/en/latest/errors.html#x") == "Bad."
    assert tidy("in /opt/lib/python3.11/site-packages/jax/core.py") == "in jax/core.py"
    assert len(tidy("x" * 100_000)) < 5_000
    assert clean_text("\ud800\0") == "\\ud800\\0"


def test_key_errors_name_the_key():
    assert failing("{}['w']")["message"] == "'w'"


def test_exit_is_told_and_no_error():
    trace = trace_source("import sys\nsys.exit('no data')")
    (found,) = trace["diagnostics"]
    assert (found["code"], found["severity"], found["span"]["line"]) == ("exit", "warning", 2)
    assert trace["output"]["text"] == "no data\n"
    assert [d["code"] for d in trace_source("raise SystemExit")["diagnostics"]] == ["nothing-to-trace"]
