"""Transformed programs: JAX's own transformation of the same function, traced by JAX, is the oracle."""

from __future__ import annotations

import inspect

import jax
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from visualizer.model import Trace, TraceRequest
from visualizer.tracing import trace_source
from visualizer.tracing._transforms import Made, applied
from visualizer.tracing.arguments._parameters import Call

SOURCE = """import jax, jax.numpy as jnp
def loss(w, xs):
    def step(h, x):
        h = jnp.tanh(w @ x + h)
        return h, h
    _, hs = jax.lax.scan(step, 0., xs)
    return jnp.mean(hs ** 2)
def pair(p, x):
    y = p['w'] @ x + p['b']
    return (y ** 2).sum(), {'y': y}
def powers(x, n, act='sin', *, scale=1.0, shift=0.0):
    for _ in range(n):
        x = getattr(jnp, act)(x) * scale + shift
    return x
@jax.jit
def fast(x, y):
    return jnp.sin(x) * y
def vector(x, i):
    return x * i
def whole(x):
    return x.astype('int32').sum()
def turn(x):
    return x * 1j
def carries(x):
    return jax.lax.scan(lambda c, y: (c + y, y), jnp.float32(0), x)[0]
"""
OWN: dict = {}
exec(SOURCE, OWN)
S = jax.ShapeDtypeStruct
GRAD, JIT, CHECKPOINT, X64 = ({"name": name} for name in ("grad", "jit", "checkpoint", "x64"))
W, XS = S((3,), "float32"), S((6, 3), "float32")
P, X = {"w": S((2, 3), "float32"), "b": S((2,), "float32")}, S((3,), "float32")
LOSS = {"fun": "loss", "signature": {"w": "f32[3]", "xs": "f32[6,3]"}}
PAIR = {"fun": "pair", "signature": {"p": "{'w': f32[2,3], 'b': f32[2]}", "x": "f32[3]"}}


def wish(*steps, program="p0"):
    return {"program": program, "steps": [{"name": step} if isinstance(step, str) else step for step in steps]}


def traced(*wishes, source=SOURCE, levels=("jaxpr",), **request):
    # What a request is after the server has read it.
    whole = TraceRequest.model_validate({"source": source, "transforms": wishes, "levels": levels, **request}).model_dump(mode="json")
    trace = trace_source(**whole)
    Trace.model_validate(trace)
    return trace


def text(program):
    return program["texts"]["jaxpr"]["text"]


def jvp(fun, *primals_and_tangents):
    half = len(primals_and_tangents) // 2
    return jax.jvp(fun, primals_and_tangents[:half], primals_and_tangents[half:])


LOSS_OF, PAIR_OF = OWN["loss"], OWN["pair"]
WITH_JAX = {
    "grad": (LOSS, [GRAD], jax.grad(LOSS_OF), (W, XS)),
    "grad of the second": (LOSS, [{"name": "grad", "argnums": [1]}], jax.grad(LOSS_OF, argnums=1), (W, XS)),
    "grad of the last": (LOSS, [{"name": "grad", "argnums": [-1]}], jax.grad(LOSS_OF, argnums=1), (W, XS)),
    "grad of both": (LOSS, [{"name": "grad", "argnums": [1, 0]}], jax.grad(LOSS_OF, argnums=(1, 0)), (W, XS)),
    "grad of a pytree": (PAIR, [{"name": "grad", "has_aux": True}], jax.grad(PAIR_OF, has_aux=True), (P, X)),
    "value_and_grad": (LOSS, ["value_and_grad"], jax.value_and_grad(LOSS_OF), (W, XS)),
    "value_and_grad, aux": (PAIR, [{"name": "value_and_grad", "has_aux": True}], jax.value_and_grad(PAIR_OF, has_aux=True), (P, X)),
    "jvp": (LOSS, ["jvp"], lambda *given: jvp(LOSS_OF, *given), (W, XS, W, XS)),
    "jvp of one": (LOSS, [{"name": "jvp", "argnums": [1]}], lambda w, x, t: jax.jvp(lambda x: LOSS_OF(w, x), (x,), (t,)), (W, XS, XS)),
    "vmap": (LOSS, ["vmap"], jax.vmap(LOSS_OF), (S((8, 3), "float32"), S((8, 6, 3), "float32"))),
    "vmap over some": (
        LOSS,
        [{"name": "vmap", "in_axes": [None, 1], "size": 5}],
        jax.vmap(LOSS_OF, in_axes=(None, 1)),
        (W, S((6, 5, 3), "float32")),
    ),
    "vmap from the end": (LOSS, [{"name": "vmap", "in_axes": [None, -1]}], jax.vmap(LOSS_OF, (None, -1)), (W, S((6, 3, 8), "float32"))),
    "jit": (LOSS, [JIT], jax.jit(LOSS_OF), (W, XS)),
    "checkpoint": (LOSS, [CHECKPOINT], jax.checkpoint(LOSS_OF), (W, XS)),
    "grad of checkpoint": (LOSS, [CHECKPOINT, GRAD], jax.grad(jax.checkpoint(LOSS_OF)), (W, XS)),
    "vmap of grad": (
        LOSS,
        [GRAD, {"name": "vmap", "in_axes": [None, 0]}],
        jax.vmap(jax.grad(LOSS_OF), (None, 0)),
        (W, S((8, 6, 3), "float32")),
    ),
    "jit of vmap of value_and_grad": (
        LOSS,
        ["value_and_grad", {"name": "vmap", "in_axes": [0, None], "size": 2}, JIT],
        jax.jit(jax.vmap(jax.value_and_grad(LOSS_OF), in_axes=(0, None))),
        (S((2, 3), "float32"), XS),
    ),
    "a hessian by vector": (
        LOSS,
        [GRAD, {"name": "jvp", "argnums": [0]}],
        lambda w, xs, t: jax.jvp(lambda w: jax.grad(LOSS_OF)(w, xs), (w,), (t,)),
        (W, XS, W),
    ),
}


@pytest.mark.parametrize("case", WITH_JAX)
def test_a_transformed_program_is_the_one_that_jax_makes(case):
    request, steps, fun, args = WITH_JAX[case]
    base, made = traced(wish(*steps), **request)["programs"]
    assert text(made) == str(jax.make_jaxpr(fun)(*args))
    assert (base["id"], made["id"], made["origin"], made["made_from"]["program"]) == ("p0", "p0.t0", "entry", "p0")
    assert base["made_from"] is None


def test_x64_traces_with_wider_types_and_leaves_the_others():
    trace = traced(wish(X64), wish(GRAD, X64), wish(X64, "vmap"), wish(GRAD, program="p0.t0"), **LOSS)
    base, wide, grad_of_wide, wide_grad, batched = trace["programs"]
    with jax.enable_x64(True):
        w, xs = S((3,), "float64"), S((6, 3), "float64")
        assert text(wide) == str(jax.make_jaxpr(LOSS_OF)(w, xs))
        assert text(wide_grad) == text(grad_of_wide) == str(jax.make_jaxpr(jax.grad(LOSS_OF))(w, xs))
        assert text(batched) == str(jax.make_jaxpr(jax.vmap(LOSS_OF))(S((8, 3), "float64"), S((8, 6, 3), "float64")))
    assert [program["id"] for program in trace["programs"]] == ["p0", "p0.t0", "p0.t0.t3", "p0.t1", "p0.t2"]
    assert [parameter["text"] for parameter in wide["parameters"]] == ["f64[3]", "f64[6,3]"]
    assert [parameter["text"] for parameter in batched["parameters"]] == ["f64[8,3]", "f64[8,6,3]"]
    assert text(base) == str(jax.make_jaxpr(LOSS_OF)(W, XS))
    assert not jax.config.jax_enable_x64


def test_every_transformed_program_is_lowered_and_linked():
    steps = [[name] for name in ("grad", "value_and_grad", "jvp", "vmap", "jit", "checkpoint", "x64")]
    trace = traced(*(wish(*some) for some in steps), levels=("jaxpr", "stablehlo"), **LOSS)
    assert trace["diagnostics"] == []
    assert len(trace["programs"]) == 8
    for program in trace["programs"]:
        eqns = {eqn["id"] for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"]}
        assert program["modules"]["stablehlo"]["functions"][0]["name"] == "main"
        assert len(program["links"]["stablehlo"].keys() & eqns) > 4
    assert "tensor<3xf64>" in trace["programs"][7]["texts"]["stablehlo"]["text"]
    assert "tensor<3xf64>" not in trace["programs"][0]["texts"]["stablehlo"]["text"]


def test_names_say_what_a_person_would_write():
    steps = [
        [GRAD, "vmap"],
        [{"name": "value_and_grad", "argnums": [1]}, JIT],
        [{"name": "jvp", "argnums": [0, 1]}],
        [{"name": "vmap", "in_axes": [None, 0]}],
    ]
    assert [program["name"] for program in traced(*(wish(*some) for some in steps), **LOSS)["programs"]] == [
        "loss",
        "vmap(grad(loss))",
        "jit(value_and_grad(loss, argnums=1))",
        "jvp(loss, argnums=(0, 1))",
        "vmap(loss, in_axes=(None, 0))",
    ]


def test_parameters_of_a_transformed_program_say_what_the_next_step_may_use():
    trace = traced(wish({"name": "jvp", "argnums": [0]}), wish("vmap", program="p0.t0"), **LOSS)
    assert [[(p["name"], p["text"]) for p in program["parameters"]] for program in trace["programs"]] == [
        [("w", "f32[3]"), ("xs", "f32[6,3]")],
        [("w", "f32[3]"), ("xs", "f32[6,3]"), ("w_dot", "f32[3]")],
        [("w", "f32[8,3]"), ("xs", "f32[8,6,3]"), ("w_dot", "f32[8,3]")],
    ]
    assert labels(trace["programs"][1]) == ["w", "xs", "w_dot"]


def test_keyword_and_static_arguments_go_through():
    request = {"fun": "powers", "signature": {"x": "f32[3]", "n": "2", "act": "'cos'", "scale": "f32[]", "shift": "f32[3]"}}
    steps = [{"name": "vmap", "in_axes": [0, None, None, None, 0], "size": 4}]
    base, made = traced(wish(*steps), **request)["programs"]
    assert [(p["name"], p["text"], p["differentiable"]) for p in base["parameters"]] == [
        ("x", "f32[3]", True),
        ("n", "2", False),
        ("act", "'cos'", False),
        ("scale", "f32[]", True),
        ("shift", "f32[3]", True),
    ]

    def own(x, scale, shift):
        return OWN["powers"](x, 2, "cos", scale=scale, shift=shift)

    types = [S((4, 3), "float32"), S((), "float32"), S((4, 3), "float32")]
    assert text(made) == str(jax.make_jaxpr(jax.vmap(own, (0, None, 0)))(*types))


def labels(program):
    entry = program["jaxprs"][program["entry"]]
    return [entry["vars"][var]["label"] for var in entry["invars"]]


def test_arguments_have_the_parameters_names():
    source = (
        "import jax.numpy as jnp\ndef f(*xs, **more): return sum(xs) + more['a']\nx = jnp.ones(3)\n"
        "class Model:\n    def loss(self, x, y): return (x - y).sum()\nf(x, x, a=x)\nModel().loss(x, y=x)\n"
    )
    trace = traced(wish("vmap"), wish({"name": "jvp", "argnums": [0, 2]}), wish(X64), wish(GRAD, JIT, program="p1"), source=source)
    for program, names in zip(
        trace["programs"],
        [
            ["xs[0]", "xs[1]", "a"],
            ["xs[0]", "xs[1]", "a"],
            ["xs[0]", "xs[1]", "a", "xs[0]_dot", "a_dot"],
            ["xs[0]", "xs[1]", "a"],
            ["x", "y"],
            ["x", "y"],
        ],
        strict=True,
    ):
        assert [parameter["name"] for parameter in program["parameters"]] == names
        assert program["made_from"] is None or labels(program) == names


def test_the_function_is_left_as_it_was():
    names: dict = {}
    exec("def f(*xs): return xs[0]", names)
    made = Made(Call(names["f"], ("xs[0]",), (S((), "float32"),)), "f")
    for steps in ([X64], ["jvp"], ["vmap", X64]):
        after = made
        for step in wish(*steps)["steps"]:
            after = applied(after, {"argnums": None, "in_axes": None, "size": None, "has_aux": False, **step})
        assert (after.call.fun is names["f"]) == (steps == [X64])
    assert vars(names["f"]) == {}
    assert str(inspect.signature(names["f"])) == "(*xs)"


RECORDED = {
    "a call": ("y = fast(jnp.ones(3), jnp.float32(2))", [{"name": "vmap"}], lambda: jax.vmap(OWN["fast"]), [(8, 3), (8,)]),
    "a call with a Python number": ("y = vector(jnp.ones(3), 2.0)", [{"name": "vmap"}], lambda: jax.vmap(OWN["vector"]), [(8, 3), (8,)]),
    "make_jaxpr": ("jax.make_jaxpr(loss)(jnp.ones(3), jnp.ones((6, 3)))", [GRAD], lambda: jax.grad(LOSS_OF), [(3,), (6, 3)]),
    "lower": ("jax.jit(loss).lower(jnp.ones(3), jnp.ones((6, 3)))", [GRAD], lambda: jax.grad(jax.jit(LOSS_OF)), [(3,), (6, 3)]),
    "trace": ("jax.jit(loss).trace(jnp.ones(3), xs=jnp.ones((6, 3)))", [GRAD], lambda: jax.grad(jax.jit(LOSS_OF)), [(3,), (6, 3)]),
    "static": (
        "jax.jit(powers, static_argnums=(1,)).lower(jnp.ones(3), 2)",
        ["vmap"],
        lambda: jax.vmap(lambda x: jax.jit(OWN["powers"], static_argnums=(1,))(x, 2)),
        [(8, 3)],
    ),
}


@pytest.mark.parametrize("engine", ["held", "real"])
@pytest.mark.parametrize("case", RECORDED)
def test_what_a_paste_traces_can_be_transformed(case, engine):
    line, steps, fun, shapes = RECORDED[case]
    trace = trace_source(SOURCE + line + "\n", transforms=[wish(*steps)], levels=["jaxpr"], engine=engine)
    Trace.model_validate(trace)
    assert trace["diagnostics"] == []
    base, made = trace["programs"]
    assert base["made_from"] is None
    assert text(made) == str(jax.make_jaxpr(fun())(*(S(shape, "float32") for shape in shapes)))


def test_programs_of_a_paste_keep_their_ids_and_order():
    source = SOURCE + "jax.make_jaxpr(loss)(jnp.ones(3), jnp.ones((6, 3)))\njax.make_jaxpr(fast)(1., 2.)\n"
    trace = traced(wish("jit", program="p1"), wish(GRAD), wish(GRAD, program="p1"), source=source)
    assert [program["id"] for program in trace["programs"]] == ["p0", "p0.t1", "p1", "p1.t0", "p1.t2"]
    assert [program["name"] for program in trace["programs"]] == ["loss", "grad(loss)", "fast", "jit(fast)", "grad(fast)"]


def test_refs_go_through_as_they_are():
    source = (
        "import jax, jax.numpy as jnp\nr = jax.new_ref(jnp.ones(3))\ndef f(r, x):\n    return r[...].sum() + x\njax.make_jaxpr(f)(r, 1.)\n"
    )
    wishes = [wish("vmap"), wish({"name": "vmap", "in_axes": [0, None]}), wish({"name": "grad", "argnums": [1]}), wish(GRAD), wish(X64)]
    trace = traced(*wishes, source=source)
    assert [(program["id"], [p["text"] for p in program["parameters"]]) for program in trace["programs"]] == [
        ("p0", ["Ref{f32[3]}", "~f32[]"]),
        ("p0.t0", ["Ref{f32[3]}", "f32[8]"]),
        ("p0.t2", ["Ref{f32[3]}", "~f32[]"]),
        ("p0.t4", ["Ref{f32[3]}", "~f64[]"]),
    ]
    assert [found["message"] for found in trace["diagnostics"]] == [
        "vmap cannot add an axis to `r`, which is Ref{f32[3]}.",
        "grad differentiates by floating-point numbers, `r` is Ref{f32[3]}.",
    ]


WRONG = {
    "not scalar": (
        "vector",
        {"x": "f32[3]", "i": "f32[]"},
        [GRAD],
        "steps[0]",
        "grad needs a scalar result, vector gives f32[3].",
        "Reduce",
    ),
    "not scalar later": (
        "loss",
        LOSS["signature"],
        [JIT, GRAD, GRAD],
        "steps[2]",
        "grad needs a scalar result, grad(jit(loss)) gives f32[3].",
        "Reduce",
    ),
    "pair": ("pair", PAIR["signature"], ["value_and_grad"], "steps[0]", "value_and_grad needs a scalar result, pair gives", "has_aux"),
    "no pair": ("loss", LOSS["signature"], [{"name": "grad", "has_aux": True}], "steps[0]", "has_aux needs a pair (result, aux)", "Leave"),
    "whole result": ("whole", {"x": "f32[3]"}, [GRAD], "steps[0]", "grad needs a real result, whole gives i32[].", "astype"),
    "complex result": ("turn", {"x": "f32[]"}, [GRAD], "steps[0]", "grad needs a real result, turn gives c64[].", ".real"),
    "whole numbers": ("vector", {"x": "i32[]", "i": "f32[]"}, [GRAD], "steps[0]", "`x` is i32[]", "Choose among 1 (`i`)."),
    "static": ("powers", {"x": "f32[]", "n": "2"}, [{"name": "grad", "argnums": [1]}], "steps[0]", "`n` is 2", "Choose among 0 (`x`)."),
    "argnums": (
        "loss",
        LOSS["signature"],
        [{"name": "grad", "argnums": [2]}],
        "steps[0]",
        "loss has 2, counted from 0",
        "0 (`w`), 1 (`xs`)",
    ),
    "twice": ("loss", LOSS["signature"], [{"name": "grad", "argnums": [0, -2]}], "steps[0]", "one parameter twice", "Choose"),
    "no argnums": ("loss", LOSS["signature"], [{"name": "jvp", "argnums": []}], "steps[0]", "a parameter to differentiate by", "Choose"),
    "too many axes": (
        "loss",
        LOSS["signature"],
        [{"name": "vmap", "in_axes": [0]}],
        "steps[0]",
        "vmap was given 1 axes, loss has 2",
        "null",
    ),
    "far axis": (
        "loss",
        LOSS["signature"],
        [{"name": "vmap", "in_axes": [2, 0]}],
        "steps[0]",
        "cannot add axis 2 to `w`, which is f32[3].",
        "0 to 1",
    ),
    "no axis": ("loss", LOSS["signature"], [{"name": "vmap", "in_axes": [None, None]}], "steps[0]", "vmap needs an array", "Choose"),
    "size": ("loss", LOSS["signature"], [{"name": "vmap", "size": 0}], "steps[0]", "cannot have size 0", "1 or more"),
    "large size": ("loss", LOSS["signature"], [{"name": "vmap", "size": 10**400}], "steps[0]", "more than 2**48 elements", "smaller"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_step_that_does_not_fit_says_why_and_leaves_the_rest(case):
    fun, signature, steps, field, message, advice = WRONG[case]
    trace = traced(wish(*steps), wish("jit"), fun=fun, signature=signature)
    assert [program["id"] for program in trace["programs"]] == ["p0", "p0.t1"]
    (found,) = trace["diagnostics"]
    assert (found["code"], found["field"], found["stage"], found["span"]) == ("transform", f"transforms[0].{field}", "trace", None)
    assert message in found["message"]
    assert advice in found["advice"]


def test_a_program_that_is_not_there_or_not_known_is_said():
    source = SOURCE + "jax.make_jaxpr(loss)(jnp.ones(3), jnp.ones((6, 3)))\n"
    (found,) = traced(wish(GRAD, program="p3"), source=source)["diagnostics"]
    assert (found["field"], found["message"]) == ("transforms[0].program", "There is no program 'p3': the programs here are p0.")
    unknown = "import jax, jax.numpy as jnp\nx = jnp.ones(3)\nx * 2 + 1\n"
    trace = traced(wish(GRAD), source=unknown)
    assert [program["parameters"] for program in trace["programs"]] == [None]
    assert [found["field"] for found in trace["diagnostics"]] == ["transforms[0].program"]
    assert trace["diagnostics"][0]["message"] == "The function of program p0 is not known, so it cannot be transformed."


def test_an_error_inside_the_function_keeps_its_line_and_names_the_step():
    source = SOURCE + "def picky(x):\n    assert x.ndim == 1 and x.dtype == 'float32'\n    return x.sum()\n"
    trace = traced(wish(GRAD, X64), wish(GRAD), source=source, fun="picky", signature={"x": "f32[3]"})
    assert [program["id"] for program in trace["programs"]] == ["p0", "p0.t1"]
    (found,) = trace["diagnostics"]
    line = source.splitlines().index("def picky(x):") + 2
    assert (found["type"], found["field"], found["span"]["line"]) == ("AssertionError", "transforms[0].steps[1]", line)
    assert found["message"].startswith("x64(grad(picky)): ")


def test_a_transformed_program_that_cannot_be_lowered_names_its_wish():
    source = (
        "import jax\n@jax.custom_vjp\ndef g(x): return x * 2\ng.defvjp(lambda x: (g(x), None), lambda _, t: (t,))\n"
        "def f(x): return jax.checkpoint(g)(x)\n"
    )
    trace = traced(wish("jvp"), source=source, fun="f", signature={"x": "f32[]"}, levels=("jaxpr", "stablehlo"))
    assert [list(program["texts"]) for program in trace["programs"]] == [["jaxpr", "stablehlo"], ["jaxpr"]]
    (found,) = trace["diagnostics"]
    assert (found["code"], found["type"], found["field"]) == ("lowering-failed", "TypeError", "transforms[0]")


def test_two_wishes_with_the_same_fault_are_both_said():
    trace = traced(wish(GRAD), wish(GRAD), fun="vector", signature={"x": "f32[3]", "i": "f32[]"})
    assert [found["field"] for found in trace["diagnostics"]] == ["transforms[0].steps[0]", "transforms[1].steps[0]"]


def test_a_transformed_body_runs_unheard():
    source = "import jax.numpy as jnp\nseen = []\ndef f(x):\n    print('once')\n    seen.append(1)\n    return x * 2\n"
    trace = traced(wish(GRAD), wish("jvp"), source=source, fun="f", signature={"x": "f32[]"})
    assert len(trace["programs"]) == 3
    assert trace["output"]["text"] == "once\n"


@pytest.mark.parametrize(
    ("wishes", "said"), [([wish()], "at least 1 item"), ([wish(*[JIT] * 17)], "at most 16"), ([wish(JIT)] * 33, "at most 32")]
)
def test_how_many_there_may_be(wishes, said):
    with pytest.raises(ValidationError, match=said):
        TraceRequest.model_validate({"source": "", "transforms": wishes})


# ---------------------------------------------------------------- any chain, with JAX beside it
def by_jax(fun, types, step):
    """What JAX makes of a step: the function, and the types of its arguments."""
    name, argnums, axes, size = step["name"], step.get("argnums"), step.get("in_axes"), step.get("size") or 8
    if name in ("grad", "value_and_grad"):
        chosen = (0 if argnums is None else argnums[0] if len(argnums) == 1 else tuple(argnums),)
        return getattr(jax, name)(fun, *chosen), types
    if name == "jvp":
        chosen = tuple(range(len(types))) if argnums is None else tuple(argnums)

        def along(*given):
            def part(*some):
                whole = list(given[: len(types)])
                for index, value in zip(chosen, some, strict=True):
                    whole[index] = value
                return fun(*whole)

            return jax.jvp(part, tuple(given[index] for index in chosen), given[len(types) :])

        along.__name__ = "f"  # jax.jvp makes no function that would have a name of JAX's
        return along, (*types, *(types[index] for index in chosen))
    if name == "vmap":
        axes = tuple(axes or [0] * len(types))

        def wider(of, axis):
            return of if axis is None else S((*of.shape[:axis], size, *of.shape[axis:]), of.dtype)

        return jax.vmap(fun, axes), tuple(map(wider, types, axes))
    return getattr(jax, name)(fun), types


@st.composite
def chains(draw):
    steps, count = [], 2
    for _ in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(["grad", "value_and_grad", "jvp", "vmap", "jit", "checkpoint"]))
        step = {"name": name}
        if name in ("grad", "value_and_grad", "jvp"):
            step["argnums"] = draw(st.none() | st.lists(st.integers(0, count - 1), min_size=1, max_size=2, unique=True))
            count += (count if step["argnums"] is None else len(step["argnums"])) if name == "jvp" else 0
        elif name == "vmap":
            step["in_axes"] = draw(st.none() | st.lists(st.none() | st.just(0), min_size=count, max_size=count))
            step["size"] = draw(st.none() | st.integers(1, 4))
        steps.append(step)
    return steps


CHAIN = "import jax.numpy as jnp\ndef f(x, y):\n    return (jnp.sin(x) * y).sum()\n"
IN_CHAIN: dict = {}
exec(CHAIN, IN_CHAIN)


@settings(max_examples=40)
@given(chains())
def test_a_chain_is_what_jax_makes_or_says_why_not(steps):
    trace = traced(wish(*steps), source=CHAIN, fun="f", signature={"x": "f32[3]", "y": "f32[]"})
    fun, types = IN_CHAIN["f"], (S((3,), "float32"), S((), "float32"))
    try:
        for step in steps:
            fun, types = by_jax(fun, types, step)
        expected = str(jax.make_jaxpr(fun)(*types))
    except (TypeError, ValueError) as error:
        assert len(trace["programs"]) == 1
        (found,) = trace["diagnostics"]
        assert found["field"].startswith("transforms[0].steps["), error
        assert found["advice"]
    else:
        assert trace["diagnostics"] == []
        assert text(trace["programs"][1]) == expected
        assert [p["text"] for p in trace["programs"][1]["parameters"]] == [of.str_short(True) for of in map(jax.typeof, types)]
