"""Values have the names that the person assigned them to: every kind of target, value and call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracing.naming import binders, body, eqns, label, made, outputs, traced
from visualizer.tracing._serialize import serialize
from visualizer.tracing._source import trace_source
from visualizer.tracing.source._paste import PasteSource

X = "(jnp.arange(1.0, 4.0),)"

TARGETS = {
    "x = jnp.sin(x)": ["x"],
    "self = C(); self.w = jnp.sin(x)": ["self.w"],
    "out['a'] = jnp.sin(x)": ["out['a']"],
    "out['a'][-1] = jnp.sin(x)": ["out['a'][-1]"],
    "out[k] = jnp.sin(x)": [None],
    "y: jax.Array = jnp.sin(x)": ["y"],
    "print(y := jnp.sin(x))": ["y"],
    "_ = jnp.sin(x)": [None],
    "y, z = jnp.sin(x), 2": ["y"],
    "(y, [z, u]) = 1, (jnp.sin(x), 2)": ["z"],
    "y = z = jnp.sin(x)": ["y"],
    "y = jnp.sin(x) if k else x": ["y"],
    "y = {'a': jnp.sin(x), 'b': 2}": ["y['a']"],
    "y = (1, jnp.sin(x))": ["y[1]"],
    "y = State(jnp.sin(x), step=1)": ["y.params"],
    "y = State(step=jnp.sin(x), params=1)": ["y.step"],
    "y = (x\n      .astype(float)\n      .sum())\n    y = jnp.sin(y)": ["y"],
    "y = jnp.sin(x) * 2": [None],
    "y = [jnp.sin(x), 2]": ["y[0]"],
    "y = [jnp.sin(v) for v in (x, x)]": [None, None],
    "for i in range(2):\n      x = jnp.sin(x)": ["x", "x"],
    "g = lambda v: jnp.sin(v); y = g(x)": ["y"],
    "y = jax.vmap(jnp.sin)(x)": ["y"],
    "y = twice(x)": ["y"],
    "y = jax.vmap(twice)(x)": ["y"],
    "y, z = pair(x)": ["y"],
    "y = pair(x)": ["y[0]"],
    "y = named(x)": ["h"],
    "y = outer(x)": ["y[1]['s']"],
    "y, rest = outer(x)": ["rest['s']"],
    "y = twice(x) + 1": [None],
    "y = tree.map(jnp.sin, [x, x])": [None, None],
}
FUNCTIONS = """
from typing import NamedTuple
from jax import tree
class C: pass
class State(NamedTuple):
    params: object
    step: object
def twice(v):
    return jnp.sin(v)
def pair(v):
    return twice(v), 2
def named(v):
    h = twice(v)
    return h
def outer(v):
    return 1, {'s': twice(v)}
"""


@pytest.mark.parametrize("statement", TARGETS)
def test_every_kind_of_target_and_value(statement: str) -> None:
    text = f"{FUNCTIONS}\ndef f(x):\n    out, k = {{'a': [0]}}, 1\n    {statement}\n    return 0\n"
    assert made(traced(text, "f", X), "sin") == TARGETS[statement]


@pytest.mark.parametrize(("returned", "names"), [("y[1] * 2", [None, None]), ("y[0] * y[1]", [None, None]), ("y", ["y[0]", "y[1]"])])
def test_a_leaf_of_what_a_library_gives_is_not_called_as_the_whole(returned: str, names: list[str | None]) -> None:
    text = f"from jax import tree\ndef f(x):\n    y = tree.map(jnp.sin, [x, x])\n    return {returned}\n"
    assert made(traced(text, "f", X), "sin") == names


def test_what_a_library_computes_on_the_way_takes_no_name_from_the_value() -> None:
    program = traced("def f(x):\n    y = jax.nn.softmax(x)\n    return y * y + y\n", "f", X)
    assert made(program, "div") == ["y"]


def test_elements_that_an_array_is_unpacked_into() -> None:
    text = "def f(x):\n    a, (b, *c) = 1, x\n    for row in x: pass\n    d = [r for r in x]\n    e = twice(*x[:1])\n    return a\n"
    program = traced(text + "def twice(v):\n    return v * 2\n", "f", X)
    assert made(program, "squeeze")[:9] == ["b", "c[0]", "c[1]", "row", "row", "row", "r", "r", "r"]
    assert made(program, "squeeze")[9:] == [None]
    assert made(program, "mul") == ["e"]
    assert set(made(program, "slice")) == {None}


def test_elements_of_a_batched_array_are_not_told_apart() -> None:
    program = traced("def f(x):\n    a, b = x\n    return a * b\n", "jax.vmap(f)", "(jnp.ones((3, 2)),)")
    assert made(program, "squeeze") == [None, None]


def test_each_round_of_a_loop_names_the_value_of_its_expression() -> None:
    text = "def f(x):\n    total = 0.0\n    for v in (x, x):\n        total = total + jnp.sin(v).sum()\n    return total\n"
    program = traced(text, "f", X)
    assert made(program, "add") == ["total", "total"]
    assert made(program, "reduce_sum") == [None, None]


TREES = """
def f(params, xs):
    @jax.jit
    def init(p):
        return {'w': p['w'] * 2, 'b': p['b'] + 1}, xs.sum()
    new, total = init(params)
    def step(carry, x):
        h, (c, d) = carry
        return (h * x, (c, d + x)), {'loss': h + x, 'pair': (c, d)}
    (h, rest), ys = jax.lax.scan(step, (xs[0], (xs[1], xs[2])), xs)
    state = jax.lax.while_loop(lambda s: s['i'] < 3, lambda s: {'i': s['i'] + 1, 'v': s['v'] * 2}, {'i': 0, 'v': xs[0]})
    count, value = jax.lax.fori_loop(0, 3, lambda i, s: (s[0] + i, s[1] * 2), (0, xs[0]))
    rows = jax.lax.map(lambda x: {'a': x, 'b': x * 2}, xs)
    block = jax.checkpoint(lambda v: (v * 2, [v + 1]))(xs)
    return 0
"""


def test_results_of_bodies_are_named_by_jaxs_paths_of_them() -> None:
    program = traced(TREES, "f", "({'w': jnp.ones(2), 'b': jnp.zeros(2)}, jnp.arange(3.0))")
    top = program["jaxprs"][program["entry"]]
    found = [
        [label(top, {"var": result["var"]}) for result in eqn["results"]]
        for eqn in top["eqns"]
        if eqn["primitive"] in ("jit", "scan", "while", "remat2") and eqn["span"]["line"] > 9
    ]
    assert found[:3] == [
        ["h", "rest[1]", "ys['loss']", "ys['pair'][0]", "ys['pair'][1]"],
        ["state['i']", "state['v']"],
        ["i", "count", "value"],  # the counter is JAX's own, and called as the person's function calls it
    ]
    assert found[3:] == [["rows['b']"], ["block[0]", "block[1][0]"]]
    assert [label(top, {"var": result["var"]}) for result in eqns(program, "jit")[0][1]["results"]] == ["new['b']", "new['w']", "total"]


@pytest.mark.parametrize("args", ["(jnp.arange(3.0), 3)", "(jnp.arange(3.0), jnp.int32(3))"])
def test_the_body_of_a_counted_loop_returns_what_the_person_returns(args: str) -> None:
    text = """
def f(x, n):
    def body(i, carry):
        h, total = carry
        h = h * 2
        total = total + h.sum()
        return h, total
    last, whole = jax.lax.fori_loop(0, n, body, (x, 0.0))
    return last, whole
"""
    fun = "f" if "int32" in args else "lambda x, n: f(x, 3)"
    program = traced(text, fun, args)
    assert outputs(program) == ["last", "whole"]
    (loop,) = (eqn for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] in ("scan", "while"))
    inner = body(program, loop)
    assert [label(inner, atom) for atom in inner["outvars"]][-2:] == ["h", "total"]
    assert label(inner, inner["outvars"][0]) == "i"


def test_a_residual_never_has_the_name_of_a_gradient() -> None:
    text = """
@jax.jit
def loss(w, x):
    return jnp.tanh(w * x).sum()
def update(w, x):
    value, grad = jax.value_and_grad(loss)(w, x)
    return w - grad, value
"""
    program = traced(text, "update", "(jnp.ones(3), jnp.arange(3.0))")
    forward, backward = (eqn for _, eqn in eqns(program, "jit"))
    top = program["jaxprs"][program["entry"]]
    names = [label(top, {"var": result["var"]}) for result in forward["results"]]
    assert names[0] == "value"
    assert set(names[1:]) == {None}
    assert [label(top, {"var": result["var"]}) for result in backward["results"]] == ["grad"]
    assert outputs(program) == [None, "value"]


FORWARD = """
def f(x):
    h = jnp.sin(x)
    y = h * 2
    return y
def g(x):
    y, dy = jax.jvp(f, (x,), (jnp.ones(3),))
    return y, dy
def k(x):
    y, pull = jax.vjp(f, x)
    (dx,) = pull(y)
    return y, dx
"""


def test_a_value_and_its_tangent_made_by_one_line_are_not_confused() -> None:
    program = traced(FORWARD, "g", X)
    top = program["jaxprs"][program["entry"]]
    assert outputs(program) == ["y", "dy"]
    assert [label(top, {"var": eqn["results"][0]["var"]}) for eqn in top["eqns"] if eqn["primitive"] == "mul"].count("y") == 1
    assert outputs(traced(FORWARD, "k", X)) == ["y", "dx"]


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("value = f(xs)", ["value"]),
        ("g = jax.grad(lambda p: (p['w'] * p['b']).sum())({'w': xs, 'b': xs})", ["g['b']", "g['w']"]),
        ("a, b = jax.value_and_grad(lambda x: (x * x).sum())(xs)", ["a", "b"]),
        ("f(xs)", [None]),
        ("y = f(xs) + 1", [None]),
        ("print(y := f(xs))", ["y"]),
    ],
)
def test_the_results_of_a_call_have_the_name_that_the_paste_gives_them(call: str, names: list[str | None]) -> None:
    text = f"import jax\nimport jax.numpy as jnp\nxs = jnp.arange(3.0)\ndef f(x):\n    return jnp.sin(x) * 2\n{call}\n"
    (program,) = trace_source(text, levels=["jaxpr"])["programs"]
    assert outputs(program) == names


def test_a_request_is_not_the_value_of_what_it_is_assigned_to() -> None:
    text = "import jax\nimport jax.numpy as jnp\nprogram = jax.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0)\n"
    (program,) = trace_source(text, levels=["jaxpr"])["programs"]
    assert outputs(program) == [None]


SHARDS = """
P = jax.sharding.PartitionSpec
mesh = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
def both(x):
    return {"a": jnp.sin(x), "b": jnp.cos(x) * x}
def loss(x):
    y = jax.shard_map(lambda x: jnp.sin(x), mesh=mesh, in_specs=P("x"), out_specs=P("x"))(x)
    d = jax.shard_map(both, mesh=mesh, in_specs=P("x"), out_specs=P("x"))(y)
    s, c = jax.shard_map(lambda x: (jnp.sin(x), jnp.cos(x)), mesh=mesh, in_specs=P("x"), out_specs=P("x"))(y)
    return y.sum() + d["a"].sum() * d["b"].sum() * (s + c).sum()
"""


def test_what_is_saved_beside_the_value_of_a_shard_map_is_no_part_of_it() -> None:
    def results(program: Any) -> list[list[str | None]]:
        found = eqns(program, "shard_map")
        forward = [(jaxpr, eqn) for jaxpr, eqn in found if not any(entry["name"] == "transpose" for entry in eqn["stack"])]
        return [[label(jaxpr, result) for result in eqn["results"]] for jaxpr, eqn in forward]

    # JAX numbers the leaves and has forgotten the keys; what it saves it puts ahead of the value. The first value is saved as it is.
    assert results(traced(SHARDS, "loss", X)) == [["y"], [None, None], ["s", "c"]]
    assert results(traced(SHARDS, "jax.grad(loss)", X)) == [[None, "y"], [None] * 5, [None, None, "s", "c"]]


def test_a_scalar_that_a_shard_map_saves_has_not_the_name_of_the_call() -> None:
    scaled = """
def loss(x):
    y = jax.shard_map(lambda x, w: x * jnp.sin(w), mesh=mesh, in_specs=(P("x"), P()), out_specs=P("x"))(x, 2.0)
    return y.sum()
"""
    program = traced(SHARDS + scaled, "jax.grad(loss)", X)
    saved = [(label(jaxpr, eqn["results"][0]), eqn["results"][0]["aval"]) for jaxpr, eqn in eqns(program, "broadcast_in_dim")]
    assert (None, "f32[1]{V:x}") in saved
    assert [name for name, aval in saved if "[1]" in aval] == [None]


def test_the_callers_name_for_a_result_does_not_meet_a_binder_of_that_name() -> None:
    program = traced("def f(x):\n    x = jax.nn.relu(x)\n    return x\n", "f", X)
    ((_, inner),) = eqns(program, "jit")
    assert binders(program, inner) == ["x"]
    assert made(program, "max") == [None]
    assert outputs(program) == ["x"]


def test_names_cost_no_second_look_at_the_text() -> None:
    source = PasteSource.of("import jax\ndef f(x):\n    y = x * 2\n    return y\n", "<names>")
    namespace: dict[str, object] = {}
    exec(compile(source.text, source.filename, "exec"), namespace)
    import jax

    from visualizer.tracing.source._targets import targets_of

    closed = jax.make_jaxpr(namespace["f"])(1.0)
    serialize(closed, source=source)
    before = targets_of.cache_info().misses
    serialize(closed, source=source)
    assert targets_of.cache_info().misses == before
