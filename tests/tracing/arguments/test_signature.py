"""Signatures: types read and written, arguments bound, errors at their field."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.model import Trace
from visualizer.tracing import trace_source
from visualizer.tracing.arguments._signature import ArgumentError, arguments, shapes
from visualizer.tracing.arguments._signature_text import signature_text
from visualizer.tracing.arguments._signature_types import MAX_TEXT, WORDS, SignatureError, read_type

S = jax.ShapeDtypeStruct
NAMES = {"jnp": jnp, "jax": jax, "n": 3, "f16": jnp.float16, "i8": jnp.ones((2, 3)), "key": jax.random.key(0)}


# ---------------------------------------------------------------- one text
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f32[3]", S((3,), "float32")),
        ("f32[]", S((), "float32")),
        (" f32 [ 6, 2,3 ] ", S((6, 2, 3), "float32")),
        ("bf16[8,128]", S((8, 128), "bfloat16")),
        ("bool[2]", S((2,), "bool")),
        ("u4[2]", S((2,), "uint4")),
        ("f8_e4m3fn[2]", S((2,), "float8_e4m3fn")),
        ("float32[3]", S((3,), "float32")),
        ("c64[]", S((), "complex64")),
        ("f32[n, 2 * n]", S((3, 6), "float32")),
        ("f32[\n3,\n4]", S((3, 4), "float32")),
        ("~f32[]", S((), "float32", weak_type=True)),
        ("f16[2]", S((2,), "float16")),  # the paste's f16 cannot be indexed, so it cannot be meant
        ("{'w': f32[3], 'b': f32[]}", {"w": S((3,), "float32"), "b": S((), "float32")}),
        ("[f32[3], (i32[], f32[2])]", [S((3,), "float32"), (S((), "int32"), S((2,), "float32"))]),
        ("[f32[k] for k in (1, 2)]", [S((1,), "float32"), S((2,), "float32")]),
        ("None", None),
        ("4", 4),
        ("'f32[]'", "f32[]"),
        ("n < 4", True),
    ],
)
def test_a_text_is_read(text, expected):
    assert read_type(text, NAMES) == expected


def test_a_word_of_the_paste_s_own_is_the_paste_s():
    assert read_type("i8[0]", NAMES).shape == (3,)
    assert read_type("jnp.ones(3)", NAMES).shape == (3,)


@pytest.mark.parametrize("impl", ["fry", "rbg", "urbg"])
def test_random_keys_have_their_type(impl):
    found = read_type(f"key<{impl}>[2,3]", NAMES)
    assert (found.shape, str(found.dtype)) == ((2, 3), f"key<{impl}>")
    assert read_type(f"[key<{impl}>[]]", NAMES)[0].shape == ()


def test_every_word_is_what_jax_prints():
    for word, name in WORDS.items():
        if word != name:
            assert jax.typeof(jnp.zeros((), "float32")).str_short(True) == "f32[]"
            assert jax.core.ShapedArray((2,), np.dtype(name)).str_short(True) == f"{word}[2]"


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("f32[3", "'[' was never closed", 4),
        ("  f32[3] +", "invalid syntax", 11),
        ("{'w': f32[], 'b': f33[2]}", "name 'f33' is not defined", 19),
        ("{'é': f32[], 'b': f33[]}", "name 'f33' is not defined", 19),
        ("(f32[], f32[], f32[m])", "name 'm' is not defined", 20),
        ("(f32[], f32[2.5])", "A size in f32[...] is a whole number, not 2.5.", 9),
        ("f32[-1]", "A size in f32[...] cannot be negative: -1.", 1),
        ("f32[True]", "A size in f32[...] is a whole number, not True.", 1),
        ("f32[1:2]", "A size in f32[...] is a whole number, not a slice.", 1),
        ("f32[10**30]", "This array would have more than 2**48 elements.", 1),
        ("f32[(1,) * 100]", "An array has at most 64 axes, this one has 100.", 1),
        ("f32[\uff13]", "invalid character '\uff13' (U+FF13)", 5),
        ("", "Nothing is written here.", 1),
        ("f32[3] + 1", "unsupported operand type(s) for +: 'ShapeDtypeStruct' and 'int'", 1),
        ("f32[10**8000]", "This array would have more than 2**48 elements.", 1),
        ("x" * (MAX_TEXT + 1), f"This is longer than {MAX_TEXT} characters.", None),
        ("-" * 15_000 + "1", "This is nested too deeply to be read.", None),
        ("f32[\0]", "source code string cannot contain null bytes", 7),
    ],
)
def test_what_cannot_be_read_says_where(text, message, column):
    with pytest.raises(SignatureError) as caught:
        read_type(text, NAMES)
    assert (str(caught.value), caught.value.column) == (message, column)


def test_the_namespace_is_left_as_it_was():
    names = {"n": 3}
    assert read_type("(m := n)", names) == 3
    assert names == {"n": 3}


# ---------------------------------------------------------------- properties
_WORDS = st.sampled_from(sorted(word for word, name in WORDS.items() if word != name or name == "bool"))
_TYPES = st.builds(
    lambda word, sizes, weak: f"{'~' * (weak and word in ('f32', 'i32', 'c64'))}{word}[{','.join(map(str, sizes))}]",
    _WORDS,
    st.lists(st.integers(0, 9), max_size=4),
    st.booleans(),
)
_LEAVES = _TYPES | st.sampled_from(["None", "4", "-1.5", "'a, b[3]'", "key<fry>[]", "key<rbg>[2]"])
_TREES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]")
        | st.lists(inner, max_size=3).map(lambda parts: f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})")
        | st.dictionaries(st.sampled_from(["w", "b", "é", "a'b", '"']), inner, max_size=3).map(
            lambda parts: "{" + ", ".join(f"{key!r}: {part}" for key, part in parts.items()) + "}"
        )
    ),
    max_leaves=8,
)


@given(_TREES)
def test_text_to_types_to_text(text):
    with jax.enable_x64(True):  # the types as written
        assert signature_text(read_type(text, {})) == text


@given(st.text(max_size=40) | st.text("f32[](),{}:'~<>key*-+ \n\\#\"0", max_size=30))
def test_whatever_is_typed_is_read_or_refused(text):
    try:
        read_type(text, {})
    except SignatureError as error:
        assert str(error)
        assert error.column is None or 1 <= error.column <= len(text) + 1


@given(_TREES, st.integers(0, 60), st.text("f[]{},'", max_size=2))
def test_a_slip_anywhere_is_read_or_refused(text, at, slip):
    broken = text[:at] + slip + text[at + 1 :]
    try:
        read_type(broken, {})
    except SignatureError as error:
        assert error.column is None or 1 <= error.column <= len(broken) + 1


# ---------------------------------------------------------------- a list of types in one text
def test_types_in_one_text_may_have_names():
    assert shapes("w: f32[3], xs: key<fry>[2]", {}) == (S((3,), "float32"), read_type("key<fry>[2]", {}))
    assert shapes("(f32[3], i32[])", {}) == (S((3,), "float32"), S((), "int32"))
    assert shapes("f32[n]", {"n": 2}) == (S((2,), "float32"),)
    assert shapes("jnp.ones(3)", NAMES) is None
    assert shapes("i8[0]", NAMES) is None
    assert shapes("", {}) is None


# ---------------------------------------------------------------- arguments
def f(a, /, b, c=5, *rest, d, e=7, **more): ...


def plain(x, y=2.0): ...


def bound(fun, **texts):
    given_ = arguments(fun, texts, NAMES)
    return signature_text((given_.args, given_.kwargs)), given_.static


@pytest.mark.parametrize(
    ("fun", "texts", "expected"),
    [
        (f, {"a": "f32[1]", "b": "f32[2]", "d": "f32[3]"}, ("((f32[1], f32[2]), {'d': f32[3]})", ())),
        (f, {"a": "f32[1]", "b": "f32[2]", "c": " ", "d": "f32[3]"}, ("((f32[1], f32[2]), {'d': f32[3]})", ())),
        (
            f,
            {"d": "f32[3]", "b": "f32[2]", "rest": "f32[4], f32[5]", "a": "f32[1]"},
            ("((f32[1], f32[2], 5, f32[4], f32[5]), {'d': f32[3]})", ()),
        ),
        (
            f,
            {"a": "1", "b": "None", "*rest": "[]", "d": "'x'", "**more": "{'z': f32[]}", "w": "f32[2]"},
            ("((1, None), {'d': 'x', 'z': f32[], 'w': f32[2]})", ("a", "d")),
        ),
        (plain, {"x": "{'w': f32[3], 'act': jnp.tanh}"}, ("(({'act': tanh, 'w': f32[3]},), {})", ("x",))),
        (jnp.dot, {"a": "f32[3]", "b": "f32[3]"}, ("((f32[3], f32[3]), {})", ())),
        (min, {"x": "f32[3]", "y": "f32[3]"}, ("((f32[3], f32[3]), {})", ())),
    ],
)
def test_arguments_are_bound(fun, texts, expected):
    assert bound(fun, **texts) == expected


@pytest.mark.parametrize(
    ("fun", "texts", "name", "message"),
    [
        (plain, {}, "x", "`x` is needed, and nothing is given for it."),
        (plain, {"x": "f32[", "y": "f32[]"}, "x", "`x` (column 4): '[' was never closed"),
        (plain, {"x": "f32[]", "z": "f32[]"}, "z", "`plain` has no parameter `z`: it takes `x`, `y`."),
        (lambda: 1, {"z": "f32[]"}, "z", "`<lambda>` has no parameter `z`: it takes nothing."),
        (f, {"a": "1", "b": "1", "rest": "f32[]", "d": "1"}, "rest", "`*rest` takes any number of arguments: write them as a tuple."),
        (f, {"a": "1", "b": "1", "d": "1", "**more": "[1]"}, "**more", "`**more` takes arguments by name: write them as a dict."),
    ],
)
def test_what_cannot_be_given_names_its_parameter(fun, texts, name, message):
    with pytest.raises(ArgumentError) as caught:
        arguments(fun, texts, NAMES)
    assert (caught.value.name, str(caught.value)) == (name, message)


# ---------------------------------------------------------------- through a whole trace
SOURCE = """import jax, jax.numpy as jnp
from dataclasses import dataclass
from typing import NamedTuple
class Params(NamedTuple):
    w: jax.Array
    b: jax.Array
@jax.tree_util.register_dataclass
@dataclass
class State:
    count: jax.Array
    mean: jax.Array
@dataclass
class Plain:
    w: jax.Array
def predict(params, x):
    return params.w @ x + params.b
def update(state, x, n=3, *, act='tanh'):
    for _ in range(n):
        x = getattr(jnp, act)(x)
    return State(state.count + 1, state.mean + x.mean())
class Model:
    def __init__(self):
        self.w = jnp.ones(3)
    def __call__(self, x):
        return self.w * x
    def loss(self, x, y):
        return ((self(x) - y) ** 2).mean()
model = Model()
def sample(key, shape):
    return jax.random.normal(key, shape)
"""
OWN: dict = {}
exec(SOURCE, OWN)


def trace_of(fun, engine="held", source=SOURCE, **signature):
    trace = trace_source(source, fun=fun, signature=signature, levels=["jaxpr"], engine=engine)
    Trace.model_validate(trace)
    return trace


@pytest.mark.parametrize("engine", ["held", "real"])
@pytest.mark.parametrize(
    ("fun", "signature", "args"),
    [
        ("predict", {"params": "Params(w=f32[2,3], b=f32[2])", "x": "f32[3]"}, "(Params(S((2, 3)), S((2,))), S((3,)))"),
        ("update", {"state": "State(i32[], f32[])", "x": "f32[3]"}, "(State(S((), 'int32'), S(())), S((3,)))"),
        ("model", {"x": "f32[3]"}, "(S((3,)),)"),
        ("model.loss", {"x": "f32[3]", "y": "f32[3]"}, "(S((3,)), S((3,)))"),
        ("jax.grad(model.loss)", {"x": "f32[3]", "y": "f32[3]"}, "(S((3,)), S((3,)))"),
        (
            "jax.jit(update, static_argnames='n')",
            {"state": "State(i32[], f32[])", "x": "f32[3]"},
            "(State(S((), 'int32'), S(())), S((3,)))",
        ),
    ],
)
def test_a_signature_is_traced_as_make_jaxpr_traces_its_types(fun, signature, args, engine):
    (program,) = trace_of(fun, engine, **signature)["programs"]
    names = {**OWN, "S": lambda shape, dtype="float32": S(shape, dtype)}
    expected = jax.make_jaxpr(eval(fun, names))(*eval(args, names))
    assert program["texts"]["jaxpr"]["text"] == str(expected)
    assert [parameter["text"] for parameter in program["parameters"]] == [
        text if "State" not in text else "State(count=i32[], mean=f32[])" for text in signature.values()
    ]
    assert program["origin"] == "entry"


def test_static_values_are_given_as_they_are():
    trace = trace_of("sample", key="key<fry>[]", shape="(2, 3)")
    (program,) = trace["programs"]
    assert program["texts"]["jaxpr"]["text"] == str(jax.make_jaxpr(lambda key: OWN["sample"](key, (2, 3)))(jax.random.key(0)))
    assert trace["notes"] == ["Held static, as they are no types: shape."]
    assert [(p["name"], p["text"], p["differentiable"]) for p in program["parameters"]] == [
        ("key", "key<fry>[]", False),
        ("shape", "(2, 3)", False),
    ]


CONTAINERS = """import jax, jax.numpy as jnp, equinox as eqx
net = eqx.nn.MLP(2, 1, 4, 1, activation=jnp.tanh, key=jax.random.key(0))
def loss(net, x): return (net(x) ** 2).sum()
class Strict:
    def __init__(self, w):
        if not hasattr(w, 'shape'): raise TypeError('an array, please')
        self.w = w
jax.tree_util.register_pytree_node(Strict, lambda s: ((s.w,), None), lambda _, parts: Strict(*parts))
class Late:
    w = property(lambda self: jnp.ones(3))
def use(s): return s.w * 2
"""


def test_containers_of_a_library_and_of_one_s_own():
    trace = trace_of("loss", source=CONTAINERS, net="net", x="f32[2]")
    assert [parameter["differentiable"] for parameter in trace["programs"][0]["parameters"]] == [True, True]
    assert trace["programs"][0]["parameters"][0]["text"].startswith("MLP(layers=(Linear(weight=f32[4,2], bias=f32[4],")
    assert trace["notes"] == ["Held static, as they are no types: net."]
    (program,) = trace_of("use", source=CONTAINERS, s="Strict(f32[3])")["programs"]
    assert program["parameters"] == [{"name": "s", "text": "Strict(f32[3])", "differentiable": True}]
    (found,) = trace_of("use", source=CONTAINERS, s="Strict(jnp.float32)")["diagnostics"]
    assert (found["field"], found["message"]) == ("signature.s", "`s` (column 1): an array, please")
    (program,) = trace_of("use", source=CONTAINERS, s="Late()")["programs"]
    assert program["parameters"] == [{"name": "s", "text": "Late(...)", "differentiable": False}]


def test_wide_types_without_x64_are_said():
    trace = trace_of("model", x="f64[3]")
    assert trace["notes"] == ["Types of 64 bits are traced with 32: jax_enable_x64 is off."]
    assert [p["text"] for p in trace["programs"][0]["parameters"]] == ["f32[3]"]


@pytest.mark.parametrize(
    ("fun", "signature", "field", "code", "message"),
    [
        ("predict", {"params": "Params(w=f32[2,3])", "x": "f32[3]"}, "signature.params", "entry-signature", "missing 1 required"),
        ("predict", {"params": "Plain(w=f32[2,3])", "x": "f32[3]"}, "signature.params", "entry-signature", "its class is no pytree"),
        ("predict", {"params": "Params(f32[2], f32[2])", "x": "f33[3]"}, "signature.x", "entry-signature", "`x` (column 1): name 'f33'"),
        ("predict", {"params": "Params(f32[2], f32[2])"}, "signature.x", "entry-signature", "`x` is needed"),
        ("predictt", {}, "fun", "entry-fun", "name 'predictt' is not defined"),
        ("predict", {"params": "Params(f32[2], f32[3])", "x": "f32[2]", "": "f32[]"}, "signature.", "entry-signature", "no parameter ``"),
        ("jnp.dot", {"a": "f32[3]", "b": "f32[2]"}, "signature", "python-error", "contracting dimensions"),
        ("jnp.add", {"x": "f32[3]"}, "signature.x", "entry-signature", "`add` has no parameter `x`: it takes `*args`, `out`, `where`."),
    ],
)
def test_an_error_names_its_field(fun, signature, field, code, message):
    trace = trace_of(fun, **signature)
    assert trace["programs"] == []
    (found,) = trace["diagnostics"]
    assert (found["field"], found["code"], found["span"]) == (field, code, None)
    assert message in found["message"]
    assert found["advice"]


@pytest.mark.parametrize("fun", [None, " "])
def test_a_signature_needs_a_function(fun):
    (found,) = trace_of(fun, x="f32[3]")["diagnostics"]
    assert (found["field"], found["message"]) == ("fun", "A signature is of a function, and none is named.")
    assert found["advice"]


def test_an_error_of_the_function_is_at_its_line():
    (found,) = trace_of("predict", params="Params(f32[2,3], f32[2])", x="f32[4]")["diagnostics"]
    line = SOURCE.splitlines().index("def predict(params, x):") + 2
    assert (found["field"], found["code"], found["type"], found["span"]["line"]) == (None, "python-error", "TypeError", line)


def test_a_name_that_the_paste_never_reached_is_said_so():
    trace = trace_of("f", source="def f(x): return x\n1 / 0\nShape = 3\n", x="f32[Shape]")
    run, entry = trace["diagnostics"]
    assert run["type"] == "ZeroDivisionError"
    assert entry["field"] == "signature.x"
    assert entry["advice"].startswith("The paste stopped before this name was defined: mend its error first.")


HOSTILE = """
import jax
class Called:
    @property
    def __signature__(self):
        raise SystemExit("no signature")
    def __call__(self, w):
        return w * 2
class Tree: pass
def flatten(tree):
    raise SystemExit("no leaves")
jax.tree_util.register_pytree_node(Tree, flatten, lambda aux, leaves: Tree())
called = Called()
def f(w):
    return 2.0
"""


@pytest.mark.parametrize(
    ("fun", "text", "field", "message"),
    [
        ("called", "f32[]", "signature", "What this function takes cannot be read."),
        ("f", "Tree()", "signature.w", "`w`: JAX cannot look into this value."),
    ],
)
def test_objects_that_end_the_process_when_read_are_an_error_of_their_field(fun, text, field, message):
    (problem,) = trace_source(HOSTILE, fun=fun, signature={"w": text})["diagnostics"]
    assert problem["field"] == field
    assert problem["type"] == "SystemExit"
    assert problem["message"] == message


def test_names_are_checked_before_any_text_is_evaluated():
    (problem,) = trace_source("def f(w): return w", fun="f", signature={"w": "1 / 0", "z": "f32[]"})["diagnostics"]
    assert problem["field"] == "signature.z"


KINDS = """import jax, jax.numpy as jnp
from functools import partial
from dataclasses import dataclass
@dataclass(slots=True)
class Slots:
    w: jax.Array
@dataclass
class Deep:
    parts: list
@partial(jax.jit, static_argnames=("act",), static_argnums=(1,))
def powers(x, n, act="sin"):
    return getattr(jnp, act)(x) ** n
class Net:
    @partial(jax.jit, static_argnums=(0, 2))
    def call(self, x, n):
        return x ** n
net, ones = Net(), jnp.ones(2)
@partial(jax.jit, static_argnums=(-1,))
def last(x, n): return x ** n
def use(p): return p
def more(x, *rest, **kw): return x + sum(kw.values())
async def later(x): return x
def several(x):
    yield x
def said(x): return x, "text"
"""


@pytest.mark.parametrize(
    ("fun", "signature", "field", "message", "advice"),
    [
        # What JAX says of the whole call, said of the parameter.
        ("powers", {"x": "f32[3]", "n": "i32[]"}, "signature.n", "`n` is static in `powers`", "Write a value"),
        ("powers", {"x": "f32[3]", "n": "ones"}, "signature.n", "it takes a Python value, no type and no array.", "Write a value"),
        (
            "powers",
            {"x": "f32[3]", "n": "2", "act": "['sin']"},
            "signature.act",
            "must be hashable: unhashable type: 'list'",
            "Write a tuple",
        ),
        ("net.call", {"x": "f32[3]", "n": "(f32[], 2)"}, "signature.n", "`n` is static in `call`", "Write a value"),
        ("more", {"x": "f32[]", "**kw": "{'x': f32[]}"}, "signature.**kw", "`**kw` has `x`, which has a field of its own.", "Leave it out"),
        (
            "more",
            {"x": "f32[]", "a": "1", "**kw": "{'a': 2}"},
            "signature.**kw",
            "`**kw` has `a`, which has a field of its own.",
            "Leave it",
        ),
        # Types where JAX does not look: in slots, in containers and in objects of an object that is no pytree.
        ("use", {"p": "Slots(f32[3])"}, "signature.p", "`p`: Slots holds types", "Register it"),
        ("use", {"p": "Deep([f32[3]])"}, "signature.p", "`p`: Deep holds types", "Register it"),
        ("use", {"p": "[Deep([1, Slots(f32[3])])]"}, "signature.p", "`p`: Deep holds types", "Register it"),
        # Functions that return before they compute.
        ("later", {"x": "f32[3]"}, "fun", "`later` is an async function", "Make it a plain function"),
        ("several", {"x": "f32[3]"}, "fun", "`several` is a generator", "Return the values in a list"),
        ("said", {"x": "f32[3]"}, "signature", "returned a value of type <class 'str'>", "leave the rest out of what it returns"),
    ],
)
def test_an_argument_that_this_function_cannot_take_is_said_at_its_field(fun, signature, field, message, advice):
    (found,) = trace_of(fun, source=KINDS, **signature)["diagnostics"]
    assert found["field"] == field
    assert message in found["message"]
    assert advice in found["advice"]


@pytest.mark.parametrize(
    ("fun", "signature"),
    [
        ("powers", {"x": "f32[3]", "n": "2", "act": "'cos'"}),
        ("last", {"x": "f32[3]", "n": "2"}),
        ("net.call", {"x": "f32[3]", "n": "2"}),
        ("Net.call", {"self": "net", "x": "f32[3]", "n": "3"}),
        ("more", {"x": "f32[3]", "**kw": "{'kw': f32[], 'rest': f32[]}", "a": "f32[]"}),
    ],
)
def test_an_argument_that_it_can_take_is_traced(fun, signature):
    trace = trace_of(fun, source=KINDS, **signature)
    assert (len(trace["programs"]), trace["diagnostics"]) == (1, [])
