"""What JAX prints for each kind of equation, written out by hand, and what we write from the structure."""

from __future__ import annotations

import textwrap
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax._src import pretty_printer
from jax.experimental import checkify
from jax.experimental import pallas as pl
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from tests.text.programs import both, ours, structure
from visualizer.tracing import serialize

X = np.ones(4, np.float32)


def refs(x: Any, i: Any) -> Any:
    ref = jax.new_ref(x)
    ref[i] = 2.0
    ref[1:3] = x[:2]
    jax.ref.addupdate(ref, i, 3.0)
    return jax.ref.swap(ref, i, 4.0), ref[...], jax.freeze(ref)


@jax.custom_jvp
def with_jvp(x: Any) -> Any:
    return jnp.sin(x)


@with_jvp.defjvp
def jvp_rule(primals: Any, tangents: Any) -> Any:
    return with_jvp(*primals), tangents[0]


@jax.custom_vjp
def with_vjp(x: Any) -> Any:
    return jnp.sin(x)


def vjp_fwd(x: Any) -> Any:
    return with_vjp(x), x


def vjp_bwd(saved: Any, cotangent: Any) -> Any:
    return (cotangent * saved,)


with_vjp.defvjp(vjp_fwd, vjp_bwd)


def double(in_ref: Any, out_ref: Any) -> None:
    out_ref[...] = in_ref[...] * 2


def kernel(x: Any) -> Any:
    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((4,), jnp.float32))(x)


@jax.jit
def add_one(x: Any) -> Any:
    return x + 1


def checked(x: Any) -> Any:
    checkify.check(x.sum() > 0, "more")
    return x


EXPECTED: dict[str, tuple[Any, tuple[Any, ...], str]] = {
    "references: get, set, add, swap": (
        refs,
        (X, 1),
        """
        { lambda ; a:f32[4] b:i32[]. let
            c:Ref{f32[4]} = new_ref[kind=None memory_space=None] a
            c[b] <- 2.0:f32[]
            d:f32[2] = slice[limit_indices=(2,) start_indices=(0,) strides=None] a
            c[1:3] <- d
            c[b] += 3.0:f32[]
            e:f32[], c[b] <- c[b], 4.0:f32[]
            f:f32[4] <- c[...]
            g:f32[4] = freeze c
          in (e, f, g) }""",
    ),
    "custom_jvp: names of functions": (
        with_jvp,
        (1.0,),
        """
        { lambda ; a:f32[]. let
            b:f32[] = custom_jvp_call[
              name=with_jvp
              call_jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
              jvp=jvp_rule
              symbolic_zeros=False
            ] a
          in (b,) }""",
    ),
    "custom_vjp: names of functions": (
        with_vjp,
        (1.0,),
        """
        { lambda ; a:f32[]. let
            b:f32[] = custom_vjp_call[
              name=with_vjp
              bwd=vjp_bwd
              call_jaxpr={ lambda ; c:f32[]. let d:f32[] = sin c in (d,) }
              fwd=vjp_fwd
              symbolic_zeros=False
            ] a
          in (b,) }""",
    ),
    "an accuracy is shown when it is one": (
        lambda x: (jnp.exp(x), lax.exp(x, accuracy=lax.AccuracyMode.HIGHEST)),
        (X,),
        """
        { lambda ; a:f32[4]. let
            b:f32[4] = exp a
            c:f32[4] = exp[accuracy=AccuracyMode.HIGHEST] a
          in (b, c) }""",
    ),
    "dot_general, convert_element_type, broadcast_in_dim": (
        lambda x: (x @ x, lax.convert_element_type(x, jnp.int32), lax.broadcast_in_dim(x, (2, 4), (1,)), jnp.zeros(3)),
        (X,),
        """
        { lambda ; a:f32[4]. let
            b:f32[] = dot_general[
              dimension_numbers=(([0], [0]), ([], []))
              preferred_element_type=float32
            ] a a
            c:i32[4] = convert_element_type[new_dtype=int32 weak_type=False] a
            d:f32[2,4] = broadcast_in_dim[broadcast_dimensions=(1,)] a
            e:f32[3] = broadcast_in_dim 0.0:f32[]
          in (b, c, d, e) }""",
    ),
    "jit: its name first, what says nothing left out, letters of the caller": (
        jax.jit(lambda x: x * 2, keep_unused=True),
        (X,),
        """
        { lambda ; a:f32[4]. let
            b:f32[4] = jit[
              name=<lambda>
              jaxpr={ lambda ; a:f32[4]. let b:f32[4] = mul a 2.0:f32[] in (b,) }
              keep_unused=True
            ] a
          in (b,) }""",
    ),
    "pallas_call": (
        kernel,
        (X,),
        """
        { lambda ; a:f32[4]. let
            b:f32[4] = pallas_call[
              compiler_params=None
              cost_estimate=None
              debug=False
              grid_mapping=GridMapping(grid=(), block_mappings=(BlockMapping(block_shape=(Blocked(block_size=4),)), \
BlockMapping(block_shape=(Blocked(block_size=4),))))
              input_output_aliases=()
              interpret=False
              jaxpr={ lambda ; c:Ref<default>{f32[4]} d:Ref<default>{f32[4]}. let
                  e:f32[4] <- c[...]
                  f:f32[4] = mul e 2.0:f32[]
                  g:f32[4], d[...] <- d[...], f
                in () }
              mesh=None
              metadata=None
              name=None
              out_avals=(ShapedArray(float32[4]),)
            ] a
          in (b,) }""",
    ),
    "what is used twice stands ahead": (
        lambda x: add_one(add_one(x)),
        (X,),
        """
        let add_one = { lambda ; a:f32[4]. let b:f32[4] = add a 1.0:f32[] in (b,) } in
        { lambda ; c:f32[4]. let
            d:f32[4] = jit[name=add_one jaxpr=add_one] c
            e:f32[4] = jit[name=add_one jaxpr=add_one] d
          in (e,) }""",
    ),
    "a tuple of jaxprs": (
        lambda p, x: lax.cond(p, jnp.sin, lambda y: y * 2, x),
        (True, X),
        """
        { lambda ; a:bool[] b:f32[4]. let
            c:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a
            d:f32[4] = cond[
              branches=(
                { lambda ; e:f32[4]. let f:f32[4] = mul e 2.0:f32[] in (f,) }
                { lambda ; g:f32[4]. let h:f32[4] = sin g in (h,) }
              )
            ] c b
          in (d,) }""",
    ),
    "results that nothing reads, literals and arguments as results": (
        lambda x: (jnp.sin(x), lax.top_k(x, 2)[1], 1, x)[1:],
        (X,),
        """
        { lambda ; a:f32[4]. let
            _:f32[4] = sin a
            _:f32[2] b:i32[2] = top_k[axis=0 k=2] a
          in (b, 1:i32[], a) }""",
    ),
    "nothing at all": (lambda: (), (), "{ lambda ; . let  in () }"),
    "constants": (lambda x: x + np.arange(4.0, dtype=np.float32), (X,), "{ lambda a:f32[4]; b:f32[4]. let c:f32[4] = add b a in (c,) }"),
    "typed keys": (
        jax.random.split,
        (jax.random.key(0),),
        """
        { lambda ; a:key<fry>[]. let
            b:key<fry>[2] = random_split[shape=(2,)] a
          in (b,) }""",
    ),
    "complex, infinite and not a number": (
        lambda z, x: (z * (1 + 2j), x * jnp.inf, x + jnp.nan, x * -0.0),
        (np.complex64(1), np.float32(1)),
        """
        { lambda ; a:c64[] b:f32[]. let
            c:c64[] = mul a (1+2j):c64[]
            d:f32[] = mul b inf:f32[]
            e:f32[] = add b nan:f32[]
            f:f32[] = mul b -0.0:f32[]
          in (c, d, e, f) }""",
    ),
    "symbolic dimensions": (
        lambda x: jnp.broadcast_to(1.0, (x.shape[0] + 1,)),
        (jax.ShapeDtypeStruct(jax.export.symbolic_shape("n, 2*n"), jnp.float32),),
        "{ lambda ; a:f32[n,2*n]. let b:f32[n + 1] = broadcast_in_dim 1.0:f32[] in (b,) }",
    ),
}


@pytest.mark.parametrize("what", EXPECTED)
def test_what_each_rule_prints(what: str) -> None:
    fun, args, text = EXPECTED[what]
    expected = textwrap.dedent(text).strip()
    assert both(fun, *args) == (expected, expected)


def test_checks_are_printed_their_own_way() -> None:
    mine, theirs = both(checked, X)
    assert any(line.strip().startswith("check[") for line in theirs.splitlines())
    assert mine == theirs


def test_placements_are_implied_by_types() -> None:
    mesh = jax.make_mesh((1,), ("a",), axis_types=(AxisType.Explicit,))
    with jax.set_mesh(mesh):
        placed = jax.device_put(X, NamedSharding(mesh, PartitionSpec(None)))
        mine, theirs = both(lambda x: jax.sharding.reshard(x, PartitionSpec("a")), placed)
    assert theirs == "{ lambda ; a:f32[4]. let b:f32[4@a] = reshard a in (b,) }"
    assert mine == theirs


def test_shardings_and_donation_of_a_jit_are_printed() -> None:
    mesh = jax.make_mesh((1,), ("a",), axis_types=(AxisType.Auto,))
    placed = NamedSharding(mesh, PartitionSpec("a"))
    mine, theirs = both(jax.jit(lambda x: x, in_shardings=placed, donate_argnums=0), X)
    assert "donated_invars=(True,)" in theirs and "in_shardings=(NamedSharding(" in theirs
    assert mine == theirs


def solve(steps: int) -> Any:
    def product(a: Any, x: Any) -> Any:
        for _ in range(steps):
            x = x * 2.0
        return a @ x

    return lambda a, b: lax.custom_linear_solve(lambda x: product(a, x), b, lambda _, y: y * 3.0, lambda _, y: y)


def test_jaxprs_in_a_named_tuple_have_letters_of_their_own() -> None:
    # JAX prints the tuple by `repr`, so each jaxpr in it starts again at `a`.
    mine, theirs = both(solve(1), np.eye(3, dtype=np.float32), np.ones(3, np.float32))
    assert "matvec={ lambda ; a:f32[3,3] b:f32[3]. let" in theirs and "solve={ lambda ; a:f32[3]. let b:f32[3] = mul a 3.0:f32[]" in theirs
    assert mine == theirs


@pytest.mark.parametrize("steps", [1, 14])  # over ten equations JAX hoists it, though nothing names it
def test_a_solve_within_a_scan(steps: int) -> None:
    def run(a: Any, b: Any) -> Any:
        return lax.scan(lambda c, _: (solve(steps)(a, c), None), b, None, length=3)

    mine, theirs = both(run, np.eye(3, dtype=np.float32), np.ones(3, np.float32))
    assert ("let jaxpr" in theirs) == (steps > 10)
    assert mine == theirs


def test_no_colours_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = jax.make_jaxpr(solve(1))(np.eye(3, dtype=np.float32), np.ones(3, np.float32))
    theirs = str(closed)
    monkeypatch.setattr(pretty_printer, "CAN_USE_COLOR", True)
    assert "\x1b[" in str(closed)
    assert ours(closed) == serialize(closed).texts["jaxpr"].text == theirs


def test_a_set_in_a_jaxpr_that_is_printed_alone() -> None:
    def solution(_: Any, y: Any) -> Any:
        ref = jax.new_ref(y)
        ref[0] = 3.0
        return ref[...]

    def run(a: Any, b: Any) -> Any:
        return lax.custom_linear_solve(lambda x: a @ x, b, solution, symmetric=True)

    mine, theirs = both(run, np.eye(3, dtype=np.float32), np.ones(3, np.float32))
    assert "b[0] <- 3.0:f32[]" in theirs
    assert mine == theirs


def named(name: str, number: float) -> Any:
    def fun(x: Any) -> Any:
        return jnp.sin(x) + number

    fun.__name__ = name
    return jax.jit(fun)


def test_names_that_jax_gives_twice() -> None:
    # JAX numbers the second `a` as `a1`, which the third is called already: it prints two of that name.
    twice = [named("a", 1.0), named("b", 2.0), named("a1", 3.0), named("a", 4.0)]
    mine, theirs = both(lambda x: sum(f(f(x)) for f in twice), X)
    assert theirs.count("let a1 = ") == 2
    assert mine == theirs


def test_letters_step_aside_for_the_names_of_what_is_hoisted() -> None:
    a = named("a", 1.0)
    mine, theirs = both(lambda x: a(a(x)), X)
    assert theirs.startswith("let a = { lambda ; b:f32[4].")
    assert mine == theirs


def test_lines_are_as_wide_as_their_bytes() -> None:
    # JAX's printer counts the bytes of UTF-8, so this breaks before column 80.
    mine, theirs = both(named("größe_" * 6, 1.0), X)
    assert mine == theirs


def test_one_body_with_different_constants_is_one_jaxpr() -> None:
    from jax.extend.core import ClosedJaxpr, Primitive

    twice = Primitive("twice")
    twice.def_abstract_eval(lambda x, **_: x)
    inner = jax.make_jaxpr(lambda x: x * np.arange(4.0, dtype=np.float32))(X)
    other = ClosedJaxpr(inner.jaxpr, [np.zeros(4, np.float32)])
    closed = jax.make_jaxpr(lambda x: twice.bind(twice.bind(x, body=inner), body=other))(X)
    assert [len(each.jaxprs) for each in structure(closed).hoisted] == [2]
    assert str(closed).count("body=jaxpr") == 2
    assert ours(closed) == str(closed)


def test_params_of_a_stranger() -> None:
    from jax.extend.core import Primitive

    class Lines:
        def __str__(self) -> str:
            return "[[1 2]\n [3 4]]  "

    strange = Primitive("strange")
    strange.def_abstract_eval(lambda x, **_: x)
    inner = jax.make_jaxpr(jnp.sin)(X)
    params = {
        "text": "a  b\nc",
        "lines": Lines(),
        "empty": (),
        "none": "",
        "numbers": frozenset({10, 2, 1}),
        "mixed": (None, inner, "x"),
        "single": (inner,),
        "plain": inner.jaxpr,
        "place": object(),
    }
    mine, theirs = both(lambda x: strange.bind(x, **params), X)
    assert "numbers=frozenset({1, 2, 10})" in theirs and " at 0xXXXX" in theirs
    assert mine == theirs
