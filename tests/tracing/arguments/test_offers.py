"""Offers: what of a paste can be traced once its arguments are known, and what they probably are."""

from __future__ import annotations

import pytest

from visualizer.model import Trace
from visualizer.tracing import trace_source

HEAD = """from __future__ import annotations
import enum, jax, jax.numpy as jnp
w = jnp.zeros(3)
params = {'w': jnp.zeros((2, 3)), 'b': jnp.zeros(2)}
many = [jnp.zeros(2)] * 100
lr, name, n, key = 0.1, 'adam', 5, jax.random.key(0)
config = object()
def helper(x): return x
helper
"""


def offered(definition, **request):
    trace = trace_source(HEAD + definition, levels=["jaxpr"], **request)
    Trace.model_validate(trace)
    return {offer["fun"]: offer for offer in trace["offers"] if offer["fun"] != "helper"}


def suggested(definition):
    ((_, offer),) = offered(definition).items()
    return {arg["name"]: arg["suggestion"] for arg in offer["args"]}


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        # Variables of the paste: arrays and containers of them by type, what is too long or opaque by its name, values as they are.
        ("def f(w, params, key): ...", {"w": "f32[3]", "params": "{'w': f32[2,3], 'b': f32[2]}", "key": "key<fry>[]"}),
        ("def f(many, config, helper): ...", {"many": "many", "config": "config", "helper": "helper"}),
        ("def f(lr, name, n): ...", {"lr": "0.1", "name": "'adam'", "n": "5"}),
        ("def f(x, jnp): ...", {"x": None, "jnp": None}),
        # Annotations.
        ("def f(x: float, n: int, flag: bool, z: complex): ...", {"x": "f32[]", "n": "5", "flag": "True", "z": "c64[]"}),
        # Of Python's own types a value is given, for the function decides by it; a variable of the paste only where it is of that type.
        (
            "def f(train: bool, k: int, w: int, lr: 'bool', helper: str): ...",
            {"train": "True", "k": "1", "w": "1", "lr": "True", "helper": None},
        ),
        ("def f(m: Literal['max', 'min'], k: t.Literal[3]): ...", {"m": "'max'", "k": "3"}),
        ("class Mode(enum.Enum):\n  FAST, SLOW = 1, 2\ndef f(m: Mode, k: 'Mode'): ...", {"m": "Mode.FAST", "k": "Mode.FAST"}),
        (
            "def f(a: Optional[int], b: int | None, c: 'str | None', d: jax.Array | None): ...",
            {"a": "1", "b": "1", "c": "None", "d": "None"},
        ),
        ("def f(w: jax.Array | None, a: int | jax.Array, b: Annotated[bool, 'on']): ...", {"w": "f32[3]", "a": None, "b": "True"}),
        (
            "def f(x, mode: str, how):\n  if mode == 'sum': return x\n  return x if how in ('a', 'b') else -x",
            {"x": None, "mode": "'sum'", "how": "'a'"},
        ),
        ("def f(how: str):\n  match how:\n    case 'a': return 1\n    case _: return 2", {"how": "'a'"}),
        ("def f(a: jax.Array, b: 'jax.Array', c: str): ...", {"a": None, "b": None, "c": None}),
        ("def f(a: Float[Array, '3 4'], b: Int[Array, ''], c: Bool[Array, '2']): ...", {"a": "f32[3,4]", "b": "i32[]", "c": "bool[2]"}),
        ("def f(a: jt.BFloat16[jax.Array, '8 128'], b: Float[Array, 'n k=2']): ...", {"a": "bf16[8,128]", "b": "f32[5,2]"}),
        ("def f(a: Float[Array, 'batch 3'], b: Float[Array, '*batch'], c: Foo[Array, '3']): ...", {"a": None, "b": None, "c": None}),
        ("def f(a: 'f32[3]', b: f32[2, n], c: 'f32[m]', d: list[int]): ...", {"a": "f32[3]", "b": "f32[2, n]", "c": None, "d": None}),
        ("def f(w: Float[Array, '7']): ...", {"w": "f32[7]"}),
        # Defaults.
        ("def f(x=2.0, *, act='relu', w=None): ...", {"x": "2.0", "act": "'relu'", "w": "None"}),
        (f"def f(x={'1 + ' * 80}1): ...", {"x": None}),
        # The docstring.
        (
            "def f(x, y, z):\n  '''Does.\n\n  Args:\n    x: f32[3]\n    y: bf16[n, 2], the y\n    z: f32[q]\n  '''",
            {"x": "f32[3]", "y": "bf16[n, 2]", "z": None},
        ),
        (
            "def f(x, y, z, w):\n  '''\n  x : (3, 4)\n  :param y: array of shape (2,)\n  - `z`: (n, d)\n  w: other (2, 2)\n  '''",
            {"x": "f32[3,4]", "y": "f32[2]", "z": None, "w": "f32[3]"},
        ),
        # Any number of them.
        ("def f(*w, **params): ...", {"*w": None, "**params": None}),
    ],
)
def test_what_is_known_of_a_parameter_is_suggested(definition, expected):
    assert suggested(definition + "\n") == expected


def test_a_suggestion_follows_the_width_of_the_paste():
    assert suggested("jax.config.update('jax_enable_x64', True)\ndef f(x: float, n: complex): ...\n") == {"x": "f64[]", "n": "5"}


def test_every_suggestion_is_read_as_a_signature():
    source = "def f(w, params, many, lr, x: float, *, act='relu'):\n  return w * lr * x + params['w'].sum() + many[0].sum()\n"
    texts = suggested(source)
    trace = trace_source(HEAD + source, fun="f", signature=texts, levels=["jaxpr"])
    assert trace["diagnostics"] == []
    assert [parameter["name"] for parameter in trace["programs"][0]["parameters"]] == list(texts)


METHODS = """class Model:
    def __init__(self): self.w = w
    def __call__(self, x: float): return x * self.w
    def loss(self, x, w): return x
    def _own(self, x): return x
    @property
    def size(self): return 3
    @staticmethod
    def fixed(w): return w
    @classmethod
    def made(cls, w): return w
class Unused:
    def __call__(self, x): return x
    def method(self, x): return x
model = Model()
"""


def test_methods_and_callable_objects_are_offered():
    found = offered(METHODS)
    assert {fun: [arg["name"] for arg in offer["args"]] for fun, offer in found.items()} == {
        "model": ["x"],
        "model.loss": ["x", "w"],
        "Model.fixed": ["w"],
        "Model.made": ["w"],
    }
    assert found["model.loss"]["span"] == {"line": 13, "col": 4, "end_line": 13, "end_col": 34}
    for fun in found:
        signature = {"x": "f32[3]", "w": "f32[3]"} if fun == "model.loss" else {found[fun]["args"][0]["name"]: "f32[3]"}
        trace = trace_source(HEAD + METHODS, fun=fun, signature=signature, levels=["jaxpr"])
        assert (fun, len(trace["programs"]), trace["diagnostics"]) == (fun, 1, [])


def test_methods_of_flax_linen_run_in_apply_only():
    source = (
        "import flax.linen as nn\nclass Net(nn.Module):\n    @nn.compact\n    def __call__(self, x): return nn.Dense(3)(x)\nnet = Net()\n"
    )
    assert offered(source) == {}


def test_an_object_that_is_called_is_no_idle_one():
    trace = trace_source(HEAD + METHODS + "y = model(w)\n", levels=["jaxpr"])
    assert [offer["fun"] for offer in trace["offers"]] == ["model.loss", "Model.fixed", "Model.made"]


MADE = """from functools import partial
def g(n: int, x: 'f32[4]', k=3): return x * n + k
def several(x): yield x
given = partial(g, 2)
other = partial(g, k=5)
fast = jax.jit(g, static_argnums=0)
slope = jax.jit(jax.grad(g, argnums=1))
mapped = jax.vmap(g, in_axes=(None, 0))
fast_mapped = jax.jit(mapped)
@jax.vmap
def each(x: 'f32[3]'): return x
maker = partial(dict, a=1)
used = jax.jit(g)
y = used
"""


def test_what_a_call_made_of_a_function_is_offered():
    found = {fun: {arg["name"]: arg["suggestion"] for arg in offer["args"]} for fun, offer in offered(MADE).items()}
    assert list(found) == ["each", "given", "other", "fast", "slope", "fast_mapped"]  # the others are used
    assert found["given"] == {"x": "f32[4]", "k": "3"}
    assert found["other"] == {"n": "5", "x": "f32[4]", "k": "5"}
    # What is mapped takes more axes than its annotations say.
    assert found["fast_mapped"] == {"n": "5", "x": None, "k": "3"}
    assert found["each"] == {"x": None}
    for fun in ("given", "other", "fast"):
        trace = trace_source(HEAD + MADE, fun=fun, signature=found[fun], levels=["jaxpr"])
        assert (fun, len(trace["programs"]), trace["diagnostics"]) == (fun, 1, [])


def test_no_type_is_suggested_for_what_jit_holds_static():
    source = """from functools import partial
@partial(jax.jit, static_argnames=('m', 'w', 'n', 'act'))
def f(x: float, m: int, w, n, act='sin'): return x
"""
    assert suggested(source) == {"x": "f32[]", "m": "1", "w": None, "n": "5", "act": "'sin'"}


NESTED = """import contextlib
if len(params) == 2:
    def loss(w): return (w ** 2).sum()
else:
    def loss(w, b): return w + b
with contextlib.nullcontext():
    def inside(key: 'f32[4]'): return key
    step = jax.jit(inside)
try:
    from nowhere import fast
except ImportError:
    def fast(w): return w * 2
for _ in range(1):
    class Model:
        def __call__(self, w): return w
model = Model()
gradient: object = jax.grad(lambda w: jnp.sum(jax.vmap(lambda x: x * 2)(w)))
both = jax.jit(jax.vmap(loss)), [jax.jit(lambda a: a)]
twice = jax.jit(jax.jit(lambda w, b: w), static_argnums=1); other = jax.jit(lambda a: a)
"""


def test_what_is_defined_inside_blocks_and_what_is_made_of_a_lambda_is_offered():
    found = {fun: [arg["name"] for arg in offer["args"]] for fun, offer in offered(NESTED).items()}
    assert found == {"fast": ["w"], "step": ["key"], "gradient": ["w"], "twice": ["w", "b"], "other": ["a"], "model": ["w"]}
    trace = trace_source(HEAD + NESTED, fun="gradient", signature={"w": "f32[3]"}, levels=["jaxpr"])
    assert (len(trace["programs"]), trace["diagnostics"]) == (1, [])


def test_of_two_definitions_the_one_that_ran_is_offered():
    source = "if True:\n    def f(w): return w\nelse:\n    def f(w, b): return w + b\n"
    assert suggested(source) == {"w": "f32[3]"}


HELD = """from functools import partial
class S(str):
    def __repr__(self): raise RuntimeError
def f(x, scale, act, s=S('a'), *, n=int('2'), m: int(1) = 3): return act(x) * scale
held = jax.jit(partial(f, scale=jnp.ones(3), act=jnp.tanh, n=10**6000, s=S('b')))
plain = partial(f, scale=2, act='relu')
"""


def test_what_partial_gives_is_the_default_and_what_the_definition_gives_is_as_it_is_written():
    found = {fun: {arg["name"]: arg for arg in offer["args"]} for fun, offer in offered(HELD).items()}
    defaults = {fun: {name: arg["default"] for name, arg in args.items()} for fun, args in found.items()}
    assert defaults["plain"] == {"x": None, "scale": "2", "act": "'relu'", "s": "S('a')", "n": "2", "m": "3"}
    assert found["plain"]["m"]["annotation"] == "int(1)"
    held = defaults["held"]
    assert (held["scale"], held["act"], held["m"]) == ("f32[3]", "tanh", "3")
    assert "ValueError" in held["n"]
    assert "RuntimeError" in held["s"]
    assert {name: arg["suggestion"] for name, arg in found["held"].items() if name != "m"} == dict.fromkeys(["x", "scale", "act", "s", "n"])
    assert (found["plain"]["scale"]["suggestion"], found["plain"]["act"]["suggestion"]) == ("2", "'relu'")


@pytest.mark.parametrize("value", ["10**6000", "'x' * 10_000", "'\\x01' * 190"])
def test_what_is_too_long_to_be_written_is_given_by_its_name(value):
    assert suggested(f"huge = {value}\ndef f(huge): return huge") == {"huge": "huge"}
