from __future__ import annotations

import collections
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export

from visualizer.tracing.arguments._recordable import is_array, is_number, kind_of

NAMESPACE: dict = {"__name__": "__main__", "functools": functools, "jax": jax}
exec(
    compile(
        "def f(x): return x\n"
        "def g():\n    yield 1\n"
        "class A:\n    def __call__(self, x): return x\n    def m(self, x): return x\n"
        "class Evil:\n    def __getattr__(self, name): raise RuntimeError\n",
        "<paste>",
        "exec",
    ),
    NAMESPACE,
)
f, a = NAMESPACE["f"], NAMESPACE["A"]()


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (f, "own"),
        (functools.partial(f, 1), "own"),
        (a, "own"),
        (a.m, "own"),
        (NAMESPACE["g"], None),
        (NAMESPACE["A"], None),
        (jax.jit(f), "made"),
        (jax.grad(f), "made"),
        (jax.make_jaxpr(f), "make_jaxpr"),
        (jax.jit(f).lower, "lower"),
        (jax.jit(f).trace, "trace"),
        (jax.eval_shape, "eval_shape"),
        (export.export(jax.jit(f)), "export"),
        (jnp.where, "library"),
        (jax.lax.scan, "library"),
        (print, None),
        (len, None),
        (collections.namedtuple, None),
        (np.sum, None),
    ],
)
def test_kinds(function, kind):
    assert kind_of(function, "<paste>") == kind


@pytest.mark.parametrize(
    ("value", "array", "number"),
    [
        (np.ones(2), True, False),
        (np.float32(1), True, False),
        (jax.ShapeDtypeStruct((2,), "float32"), True, False),
        (np.array(["a"]), False, False),
        (np.array([object()]), False, False),
        (1, False, True),
        (True, False, True),
        (1j, False, True),
        ("a", False, False),
        (None, False, False),
    ],
)
def test_arrays_and_numbers(value, array, number):
    assert (is_array(value), is_number(value)) == (array, number)
