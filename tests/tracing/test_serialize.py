"""The serialiser as a whole: completeness, ids, types, consts, literals, text, and objects that misbehave."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tracing import programs
from visualizer.model import Program
from visualizer.tracing._serialize import serialize
from visualizer.tracing.eqns._nested import jaxprs_in
from visualizer.tracing.eqns._params import LIMIT, param_text, safe_repr, safe_text
from visualizer.tracing.eqns._types import Types
from visualizer.tracing.source._paste import PasteSource

Dict = dict[str, Any]
X = np.arange(4, dtype=np.float32)


def traced(fun: Any, *args: Any, **options: Any) -> Dict:
    made = serialize(jax.make_jaxpr(fun)(*args), **options)
    Program.model_validate(made.program)
    json.dumps(made.program, allow_nan=False).encode()
    return made.program


def top(program: Dict) -> Dict:
    return program["jaxprs"][program["entry"]]


def count(jaxpr: Any) -> int:
    """Equations of a jaxpr and of all jaxprs in it, an instance at a time, by JAX's own objects."""
    return sum(1 + sum(count(getattr(inner, "jaxpr", inner)) for _, inner in jaxprs_in(eqn.params)) for eqn in jaxpr.eqns)


def instances(program: Dict, jaxpr: str) -> Iterator[Dict]:
    for eqn in program["jaxprs"][jaxpr]["eqns"]:
        yield eqn
        for call in eqn["nested"]:
            yield from instances(program, call["jaxpr"])


def assert_defined_before_use(program: Dict) -> None:
    seen: set[str] = set()
    for jaxpr in program["jaxprs"].values():
        assert not seen & set(jaxpr["vars"])
        seen |= set(jaxpr["vars"])
        defined = {*jaxpr["constvars"], *jaxpr["invars"]}
        for eqn in jaxpr["eqns"]:
            assert all(operand["atom"]["var"] in defined for operand in eqn["operands"] if "var" in operand["atom"])
            defined.update(result["var"] for result in eqn["results"])
            for call in eqn["nested"]:
                inner = program["jaxprs"][call["jaxpr"]]
                assert len(call["inputs"]) == len(inner["invars"])
                assert len(call["outputs"]) == len(inner["outvars"])
        assert all(atom["var"] in defined for atom in jaxpr["outvars"] if "var" in atom)
        assert defined == set(jaxpr["vars"])


@pytest.mark.parametrize("make", [value for value in vars(programs).values() if callable(value) and value.__module__ == programs.__name__])
def test_nothing_is_lost(make: Any) -> None:
    if make is programs.loss:
        fun, args = jax.grad(programs.loss), (np.float32(1), X)
    else:
        fun, args = make()
    closed = jax.make_jaxpr(fun)(*args)
    program = serialize(closed).program
    Program.model_validate(program)
    assert len(list(instances(program, program["entry"]))) == count(closed.jaxpr)
    assert_defined_before_use(program)
    assert program["texts"]["jaxpr"]["text"] == str(closed)
    ids = [eqn["id"] for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"]]
    assert len(ids) == len(set(ids))


BODIES = st.recursive(
    st.sampled_from(["sin", "mul", "literal"]).map(lambda op: [op]),
    lambda inner: st.lists(
        st.one_of(
            st.sampled_from(["sin", "mul", "literal"]),
            st.tuples(st.sampled_from(["scan", "while", "cond", "jit", "checkpoint"]), inner),
        ),
        min_size=1,
        max_size=3,
    ),
    max_leaves=8,
)


def run(steps: list[Any], x: Any) -> Any:
    for step in steps:
        if step == "sin":
            x = jnp.sin(x)
        elif step == "mul":
            x = x * x
        elif step == "literal":
            x = x + 2.0
        else:
            kind, inner = step
            if kind == "scan":
                x, _ = jax.lax.scan(lambda c, _, inner=inner: (run(inner, c), c), x, None, length=2)
            elif kind == "while":
                x = jax.lax.while_loop(lambda c: c.sum() < 9, lambda c, inner=inner: run(inner, c), x)
            elif kind == "cond":
                x = jax.lax.cond(x.sum() > 0, lambda c, inner=inner: run(inner, c), lambda c: c, x)
            else:
                x = {"jit": jax.jit, "checkpoint": jax.checkpoint}[kind](lambda c, inner=inner: run(inner, c))(x)
    return x


@settings(max_examples=25, deadline=None)
@given(BODIES, st.booleans())
def test_random_nesting_is_complete(steps: list[Any], differentiate: bool) -> None:
    def fun(x: Any) -> Any:
        return run(steps, x)

    uses_while = "while" in repr(steps)
    closed = jax.make_jaxpr(jax.grad(lambda x: fun(x).sum()) if differentiate and not uses_while else fun)(X)
    program = serialize(closed).program
    Program.model_validate(program)
    assert len(list(instances(program, program["entry"]))) == count(closed.jaxpr)
    assert_defined_before_use(program)
    assert program["texts"]["jaxpr"]["text"] == str(closed)


def test_unused_results_literals_and_consts() -> None:
    big = np.arange(300, dtype=np.float32)

    def f(x: Any) -> Any:
        jnp.sin(x)
        return x * 2.0 + jnp.asarray(big)[0], 1.5

    program = traced(f, np.float32(1))
    jaxpr = top(program)
    assert [eqn["results"][0]["used"] for eqn in jaxpr["eqns"] if eqn["primitive"] == "sin"] == [False]
    (mul,) = [eqn for eqn in jaxpr["eqns"] if eqn["primitive"] == "mul"]
    assert mul["operands"][1]["atom"] == {"literal": "2.0", "aval": "f32[]"}
    assert jaxpr["outvars"][1] == {"literal": "1.5", "aval": "f32[]"}
    (const,) = jaxpr["constvars"]
    assert jaxpr["consts"] == {const: {"text": None, "bytes": 1200}}
    assert jaxpr["vars"][const]["shape"] == [300]


def test_types() -> None:
    known = Types()
    aval = jax.core.ShapedArray((2, 3), np.dtype("int32"), weak_type=True)
    assert known(aval) == ("i32[2,3]", [2, 3], "int32", True)
    (size,) = jax.export.symbolic_shape("n")
    assert known(jax.core.ShapedArray((size, 3), np.dtype("float32"))).shape == ["n", 3]
    key = jax.make_jaxpr(jax.random.key)(0).out_avals[0]
    assert known(key).dtype == "key<fry>"
    assert known(object()).shape == []  # type: ignore[arg-type]


def test_letters_are_those_that_jax_prints() -> None:
    program = traced(lambda a, b: (jnp.sin(a) * b, jnp.cos(b))[0], 1.0, 2.0)
    jaxpr = top(program)
    assert [jaxpr["vars"][var]["name"] for var in jaxpr["invars"]] == ["a", "b"]
    assert [jaxpr["vars"][result["var"]]["name"] for eqn in jaxpr["eqns"] for result in eqn["results"]] == ["c", "d", "_"]


def test_text_spans_cut_out_each_equation() -> None:
    def f(x: Any) -> Any:
        with jax.named_scope("ü😀"):
            return jax.lax.scan(lambda c, t: (c * t, c + 1), x, X)

    program = traced(f, np.float32(1))
    text, spans = program["texts"]["jaxpr"]["text"], program["texts"]["jaxpr"]["spans"]
    units = text.encode("utf-16-le")
    for jaxpr in program["jaxprs"].values():
        for eqn in jaxpr["eqns"]:
            start, end = spans[eqn["id"]]
            part = units[2 * start : 2 * end].decode("utf-16-le")
            assert eqn["primitive"] in part
            assert part.startswith(f"{jaxpr['vars'][eqn['results'][0]['var']]['name']}:")


def test_spans_are_the_persons_with_utf16_columns() -> None:
    text = "import jax.numpy as jnp\ndef f(x):\n    '😀'; return jnp.sin(x) + 1\n"
    source = PasteSource.of(text, "<spans>")
    namespace: Dict = {}
    exec(compile(text, source.filename, "exec"), namespace)
    sin, add = top(traced(namespace["f"], 1.0, source=source))["eqns"]
    assert sin["span"] == {"line": 3, "col": 17, "end_line": 3, "end_col": 27}
    assert add["span"] == {"line": 3, "col": 17, "end_line": 3, "end_col": 31}


def test_stack_and_effects() -> None:
    def f(x: Any) -> Any:
        with jax.named_scope("block"):
            jax.debug.print("{x}", x=x)
            return jax.vmap(jnp.sin)(x)

    eqns = top(traced(f, X))["eqns"]
    assert eqns[0]["effects"] == ["Debug"]
    (sin,) = [eqn for eqn in eqns if eqn["primitive"] == "sin"]
    assert sin["stack"] == [{"kind": "scope", "name": "block"}, {"kind": "transform", "name": "vmap"}]


def test_same_program_gives_the_same_data() -> None:
    closed = jax.make_jaxpr(jax.grad(programs.loss))(np.float32(1), X)
    assert json.dumps(serialize(closed).program) == json.dumps(serialize(closed).program)


def test_the_way_back_to_jaxs_objects() -> None:
    closed = jax.make_jaxpr(jax.grad(programs.loss))(np.float32(1), X)
    made = serialize(closed)
    assert [made.eqn_of[id(eqn)] for eqn in closed.jaxpr.eqns] == [eqn["id"] for eqn in top(made.program)["eqns"]]


def test_fifty_thousand_equations_and_two_hundred_levels() -> None:
    from jax.extend.core import ClosedJaxpr, Jaxpr

    closed = jax.make_jaxpr(lambda x: jnp.sin(x))(1.0)
    (eqn,) = closed.jaxpr.eqns
    eqns, var = [], closed.jaxpr.invars[0]
    for _ in range(50_000):
        out = type(var)(var.aval)
        eqns.append(eqn.replace(invars=[var], outvars=[out]))
        var = out
    flat = ClosedJaxpr(Jaxpr([], closed.jaxpr.invars, [var], eqns, debug_info=closed.jaxpr.debug_info), [])
    assert len(top(serialize(flat, text=False).program)["eqns"]) == 50_000

    call = jax.make_jaxpr(jax.jit(lambda x: x))(1.0).jaxpr.eqns[0]
    nested = closed
    for _ in range(200):
        var, out = type(var)(var.aval), type(var)(var.aval)
        outer = call.replace(invars=[var], outvars=[out], params={**call.params, "jaxpr": nested})
        nested = ClosedJaxpr(Jaxpr([], [var], [out], [outer], debug_info=closed.jaxpr.debug_info), [])
    program = serialize(nested).program
    assert len(program["jaxprs"]) == 201
    assert program["texts"]["jaxpr"]["text"].count("jit[") == 200


class Refusal(BaseException):
    pass


class Raises:
    def __repr__(self) -> str:
        raise Refusal

    __str__ = __repr__


class Says:
    def __init__(self, text: Any) -> None:
        self.text = text

    def __repr__(self) -> Any:
        return self.text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "True"),
        (None, "None"),
        (float("nan"), "nan"),
        ((1, "a"), "(1, 'a')"),
        (Raises(), "<Raises: its text raised Refusal>"),
        (Says(7), "<Says: its text raised TypeError>"),
        (Says("<b>&\ud800</b>"), "<b>&�</b>"),
        (Says("f at 0xdeadbeef>"), "f at 0xXXXXXXXX>"),
        (frozenset({"b", "a"}), "frozenset({'a', 'b'})"),
    ],
)
def test_text_of_params(value: Any, text: str) -> None:
    assert param_text(value, lambda _: "j") == text


def test_endless_text_is_cut_and_says_so() -> None:
    text = safe_text(Says("x" * 1_000_000))
    assert len(text) < LIMIT + 100
    assert text.endswith("… (1,000,000 characters in all)")


def test_the_repr_of_a_long_text_is_cut_before_it_is_made() -> None:
    assert safe_repr("x" * 10**8) == "'" + "x" * (LIMIT - 1) + "… (10,003 characters in all)"
    assert (safe_repr("a\n"), safe_repr(Says("b")), safe_repr(10**6000)) == ("'a\\n'", "b", "<int: its text raised ValueError>")


class Unhashable(type):
    __hash__ = None  # type: ignore[assignment]


class Odd(metaclass=Unhashable):
    pass


def test_class_that_cannot_be_hashed_holds_nothing() -> None:
    assert jaxprs_in({"a": Odd(), "b": (Odd(),)}) == []
    assert param_text(Odd(), lambda _: "j").startswith("<tests.tracing")


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass
class Box:
    inside: Any
    other: int = 3


def test_jaxprs_are_found_in_every_container() -> None:
    inner = jax.make_jaxpr(jnp.sin)(1.0)
    loop: list[Any] = [inner]
    loop.append(loop)
    params = {
        "a": inner,
        "b": (inner, inner.jaxpr),
        "c": [{"k": inner}],
        "d": Pair(1, inner),
        "e": Box((inner,)),
        "f": loop,
        "g": Raises(),
    }
    found = jaxprs_in(params)
    assert [path for path, _ in found] == ["a", "b[0]", "b[1]", "c[0]['k']", "d.second", "e.inside[0]", "f[0]"]
    assert param_text(params["b"], lambda _: "j1") == "(j1, j1)"
    assert param_text(params["d"], lambda _: "j1") == "Pair(first=1, second=j1)"
    assert param_text(params["e"], lambda _: "j1") == "Box(inside=(j1,), other=3)"


def test_hostile_params_do_not_stop_the_trace() -> None:
    closed = jax.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0)
    sin, mul = closed.jaxpr.eqns
    for value in (Raises(), Says("\ud800\n" * 3), Says("y" * 5_000_000), Box(Raises())):
        eqns = [sin.replace(params={"accuracy": value, "name": value}), mul]
        made = serialize(closed.replace(jaxpr=closed.jaxpr.replace(eqns=eqns))).program
        Program.model_validate(made)
        json.dumps(made).encode()
        assert len(json.dumps(made)) < 60_000
        assert made["texts"]["jaxpr"]["text"].startswith("{ lambda ; a:f32[]. let")


def test_equation_that_only_calls_itself_a_scan() -> None:
    closed = jax.make_jaxpr(lambda x: jnp.sin(x))(1.0)
    (eqn,) = closed.jaxpr.eqns
    fake = jax.extend.core.Primitive("scan")
    for params in ({}, {"num_consts": 5, "num_carry": -1}, {"num_consts": "x", "num_carry": None, "length": 10**30}):
        made = serialize(closed.replace(jaxpr=closed.jaxpr.replace(eqns=[eqn.replace(primitive=fake, params=params)]))).program
        (only,) = top(made)["eqns"]
        assert [operand["role"] for operand in only["operands"]] == ["arg"]
        assert [result["role"] for result in only["results"]] == ["result"]
        Program.model_validate(made)


def test_a_scope_is_told_from_a_transformation_of_its_name():
    def f(x):
        with jax.named_scope("vmap"):
            y = jnp.sin(x)
        return jax.vmap(jnp.cos)(y)

    program = serialize(jax.make_jaxpr(f)(jnp.ones(3))).program
    stacks = {eqn["primitive"]: eqn["stack"] for eqn in program["jaxprs"][program["entry"]]["eqns"]}
    assert stacks["sin"] == [{"kind": "scope", "name": "vmap"}]
    assert stacks["cos"] == [{"kind": "transform", "name": "vmap"}]


def test_effects_name_the_variables_of_the_program() -> None:
    def twice(x: Any) -> Any:
        ref = jax.new_ref(x)
        ref[...] = ref[...] * 2
        return ref[...]

    (body,) = serialize(jax.make_jaxpr(twice)(np.ones(4, np.float32))).program["jaxprs"].values()
    effects = {eqn["primitive"]: (eqn["effects"], eqn["operands"][0]["atom"]) for eqn in body["eqns"]}
    [read], at = effects["get"]
    [written], to = effects["swap"]
    assert at == to
    assert (read, written) == (f"Read<{at['var']}:Ref{{float32[4]}}>", f"Write<{at['var']}:Ref{{float32[4]}}>")
