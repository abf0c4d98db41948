"""Whole answers, level by level."""

from __future__ import annotations

import pytest

from visualizer.model import LevelMessage, Trace
from visualizer.tracing import trace_source
from visualizer.tracing._request import trace_request

SCAN = """
import jax
import jax.numpy as jnp

def train(w, xs, lr):
    return jax.lax.scan(lambda w, x: (w - lr * x, w.sum()), w, xs)
"""
ARGS = "jnp.zeros(3), jnp.ones((6, 3)), jnp.float32(0.1)"


def programs(source: str, **request):
    trace = trace_source(source, levels=["jaxpr"], **request)
    Trace.model_validate(trace)
    return trace["programs"]


def names(source: str, **request):
    return [(p["name"], p["origin"], p["count"]) for p in programs(source, **request)]


def text(source: str, span: dict) -> str:
    line = source.split("\n")[span["line"] - 1]
    assert span["line"] == span["end_line"]
    return line[span["col"] : span["end_col"]]


@pytest.mark.parametrize(
    ("call", "name", "origin"),
    [
        (f"print(jax.make_jaxpr(train)({ARGS}))", "train", "make_jaxpr"),
        (f"j = jax.make_jaxpr(train)\nj({ARGS})", "train", "make_jaxpr"),
        (f"t = jax.jit(train).trace({ARGS})", "train", "trace"),
        (f"t = jax.jit(train).lower({ARGS}).as_text()", "train", "lower"),
        (f"g = jax.jit(train)\ng.lower({ARGS})", "g", "lower"),
        (f"from jax import export\nexport.export(jax.jit(train))({ARGS})", "jax.jit(train)", "export"),
        (f"j, shapes = jax.make_jaxpr(train, return_shape=True)({ARGS})", "train", "make_jaxpr"),
        (f"jax.eval_shape(train, {ARGS})", "train", "trace"),
        (f"train({ARGS})", "train", "call"),
        (f"jax.jit(train)({ARGS})", "jax.jit(train)", "call"),
    ],
)
def test_a_program_is_found_however_it_is_asked_for(call, name, origin):
    source = SCAN + call
    (program,) = programs(source)
    assert (program["name"], program["origin"], program["count"]) == (name, origin, 1)
    entry = program["jaxprs"][program["entry"]]
    assert [entry["vars"][v]["aval"] for v in entry["invars"]] == ["f32[3]", "f32[6,3]", "f32[]"]
    assert text(source, program["span"]).endswith(f"({ARGS})") or f"(train, {ARGS})" in source


def test_explicit_requests_come_before_calls():
    source = SCAN + f"train({ARGS})\njax.make_jaxpr(jax.vmap(jnp.sin))(jnp.ones(2))"
    assert names(source) == [("jax.vmap(jnp.sin)", "make_jaxpr", 1)]


def test_a_request_as_the_last_expression_is_one_program():
    assert names(SCAN + f"jax.make_jaxpr(train)({ARGS})") == [("train", "make_jaxpr", 1)]


def test_the_same_call_again_is_counted():
    source = SCAN + f"for i in range(3):\n    train({ARGS})\ntrain({ARGS})"
    assert names(source) == [("train", "call", 3), ("train", "call", 1)]


def test_programs_that_differ_in_a_param_are_three():
    source = """
import jax, jax.numpy as jnp
xs = jnp.arange(8.)
for u in (1, 4, 8):
    jp = jax.make_jaxpr(lambda xs: jax.lax.scan(lambda c, x: (c + x, None), 0.0, xs, unroll=u))(xs)
    eqn = jp.jaxpr.eqns[0]
    print(u, eqn.params["length"], eqn.params["unroll"], len(eqn.params["jaxpr"].jaxpr.eqns))
"""
    trace = trace_source(source, levels=["jaxpr"])
    unroll = [
        [p["text"] for p in program["jaxprs"][program["entry"]]["eqns"][0]["params"] if p["name"] == "unroll"]
        for program in trace["programs"]
    ]
    assert unroll == [["1"], ["4"], ["8"]]
    assert trace["output"]["text"] == "1 8 1 2\n4 8 4 2\n8 8 8 2\n"


def test_main_is_looked_through():
    source = "import jax.numpy as jnp\ndef f(x): return jnp.sin(x)\ndef main():\n    f(jnp.ones(2))\nif __name__ == '__main__':\n    main()"
    assert names(source) == [("f", "call", 1)]


def test_the_value_of_a_last_expression_is_a_program():
    source = "import jax.numpy as jnp\nx = jnp.linspace(0, 1, 5)\nloss = (jnp.tanh(x) ** 2).mean()\nloss"
    (program,) = programs(source)
    assert (program["name"], program["origin"]) == ("loss", "expression")
    assert text(source, program["span"]) == "loss"
    eqns = program["jaxprs"][program["entry"]]["eqns"]
    assert "tanh" in {eqn["primitive"] for j in program["jaxprs"].values() for eqn in j["eqns"]}
    assert {eqn["span"]["line"] for eqn in eqns if eqn["span"]} <= {2, 3}


def test_without_functions_the_module_is_the_program():
    assert names("import jax.numpy as jnp\nx = jnp.ones(3)\ny = jnp.sin(x) * 2") == [("module", "module", 1)]


def test_a_jaxpr_that_is_shown_is_the_program():
    source = "import jax\nfrom jax.extend import core\nj = eval('jax.make_jaxpr(lambda x: x + 1)(1.)')\nj"
    assert names(source) == [("j", "expression", 1)]


def test_numbers_may_be_held_static():
    source = SCAN + "train(jnp.zeros(3), jnp.ones((6, 3)), 0.1)"
    for static, inputs, consts in ((False, 3, "1"), (True, 2, "0")):
        (program,) = programs(source, static_numbers=static)
        entry = program["jaxprs"][program["entry"]]
        assert len(entry["invars"]) == inputs
        scan = next(eqn for eqn in entry["eqns"] if eqn["primitive"] == "scan")
        assert [p["text"] for p in scan["params"] if p["name"] == "num_consts"] == [consts]


LESSON = """
import functools
import jax
import jax.numpy as jnp

def train(w, batches, lr):
    def step(w, batch):
        x, y = batch
        loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
        return w - lr * grad, loss
    return jax.lax.scan(step, w, batches)

w, batches = jnp.zeros(3), (jnp.ones((6, 4, 3)), jnp.ones((6, 4)))
"""


@pytest.mark.parametrize(
    ("request_text", "inputs"),
    [
        ("jax.make_jaxpr(train)(w, batches, 0.1)", 4),
        ("jax.make_jaxpr(train, return_shape=True)(w, batches, lr=0.1)", 4),
        ("jax.jit(train).trace(w, batches, 0.1)", 4),
        ("jax.jit(train).lower(w, batches, lr=0.1)", 4),
        ("from jax import export\nexport.export(jax.jit(train))(w, batches, 0.1)", 4),
        ("jax.eval_shape(train, w, batches, 0.1)", 4),
        ("jax.make_jaxpr(train, static_argnums=2)(w, batches, 0.1)", 3),
        ("jax.make_jaxpr(functools.partial(train, lr=0.1))(w, batches)", 3),
        ("jax.jit(functools.partial(train, lr=0.1)).trace(w, batches)", 3),
    ],
)
def test_numbers_of_an_explicit_request_may_be_held_static(request_text, inputs):
    for static in (False, True):
        (program,) = programs(LESSON + request_text, static_numbers=static)
        entry = program["jaxprs"][program["entry"]]
        assert len(entry["invars"]) == (3 if static else inputs)
        assert entry["vars"][entry["invars"][1]]["label"] == "batches[0]"
        literal = inputs == 3 or static
        scan = next(eqn for j in program["jaxprs"].values() for eqn in j["eqns"] if eqn["primitive"] == "scan")
        assert [p["text"] for p in scan["params"] if p["name"] == "num_consts"] == ["0" if literal else "1"]
        body = program["jaxprs"][scan["nested"][0]["jaxpr"]]
        literals = [o["atom"]["literal"] for eqn in body["eqns"] for o in eqn["operands"] if "literal" in o["atom"]]
        assert ("0.10000000149011612" in literals) is literal  # as JAX prints it


def test_a_held_request_is_named_and_counted_like_any():
    source = SCAN + "j = jax.make_jaxpr(train)\nfor lr in (0.1, 0.1, 0.2):\n    j(jnp.zeros(3), jnp.ones((6, 3)), lr)"
    assert names(source, static_numbers=True) == [("train", "make_jaxpr", 2), ("train", "make_jaxpr", 1)]
    assert names(source) == [("train", "make_jaxpr", 3)]


def test_where_numbers_cannot_be_held_the_request_is_shown_as_it_is():
    source = "import jax\ndef f(x): return x.astype('int32') + 1\njax.make_jaxpr(f)(2)"
    for static in (False, True):
        (program,) = programs(source, static_numbers=static)
        assert len(program["jaxprs"][program["entry"]]["invars"]) == 1


def test_functions_that_nobody_calls_are_offered():
    source = "import jax.numpy as jnp\ndef f(q, k, mask=None, *, scale: float = 1.0):\n    return q @ k * scale\n"
    trace = trace_source(source)
    assert trace["programs"] == []
    assert trace["offers"] == [
        {
            "fun": "f",
            "args": [
                {"name": "q", "annotation": None, "default": None, "suggestion": None},
                {"name": "k", "annotation": None, "default": None, "suggestion": None},
                {"name": "mask", "annotation": None, "default": "None", "suggestion": "None"},
                {"name": "scale", "annotation": "float", "default": "1.0", "suggestion": "1.0"},
            ],
            "span": {"line": 2, "col": 0, "end_line": 3, "end_col": 24},
        }
    ]


def test_what_holds_no_program_is_said():
    (found,) = trace_source("print('hello')")["diagnostics"]
    assert (found["code"], found["severity"]) == ("nothing-to-trace", "info")


def test_the_jaxpr_comes_first_and_stablehlo_after_it():
    messages: list[dict] = []
    trace_request({"source": SCAN + f"train({ARGS})"}, messages.append)
    first, second = (LevelMessage.model_validate(message) for message in messages)
    assert (first.level, second.level) == ("jaxpr", "stablehlo")
    assert first.trace is not None
    assert first.trace.timings.keys() == {"run", "trace", "serialize"}
    assert second.patch is not None
    assert second.patch.timings.keys() == {"lower"}
    assert "stablehlo.while" in second.patch.programs["p0"].modules["stablehlo"].text


def test_a_lowering_that_fails_leaves_the_jaxpr():
    source = """
import jax
from jax.extend.core import Primitive
p = Primitive("nobody_lowers_this")
p.def_abstract_eval(lambda x: x)
print(jax.make_jaxpr(lambda x: p.bind(x))(1.))
"""
    trace = trace_source(source)
    Trace.model_validate(trace)
    assert [program["modules"] for program in trace["programs"]] == [{}]
    assert [(d["stage"], d["type"]) for d in trace["diagnostics"]] == [("lower", "NotImplementedError")]


def test_a_call_that_cannot_be_traced_is_said_and_what_it_calls_is_shown():
    source = """
import jax, jax.numpy as jnp
@jax.jit
def inner(x): return jnp.sin(x)
def outer(x):
    return inner(x) if float(x.sum()) > 0 else x
outer(jnp.ones(3))
"""
    trace = trace_source(source, levels=["jaxpr"])
    assert [p["name"] for p in trace["programs"]] == ["inner"]
    (found,) = trace["diagnostics"]
    assert (found["code"], found["severity"], found["type"]) == ("untraceable-call", "warning", "ConcretizationTypeError")
    assert found["span"]["line"] == 6


def test_whole_numbers_are_held_static_where_tracing_them_fails():
    source = "import jax.numpy as jnp\ndef f(n, x): return jnp.ones(n) * x\nf(3, 2.0)"
    trace = trace_source(source, levels=["jaxpr"])
    assert len(trace["programs"]) == 1
    assert trace["notes"] == ["f was traced with its whole numbers held static: with them traced it fails."]


def test_arguments_that_jit_holds_static_need_no_note():
    source = "import jax, jax.numpy as jnp\nf = jax.jit(lambda n, x: jnp.ones(n) * x, static_argnums=0)\nf(3, 2.0)"
    trace = trace_source(source, levels=["jaxpr"])
    assert [(p["name"], p["count"]) for p in trace["programs"]] == [("f", 1)]
    assert trace["notes"] == []


def test_jax_flags_of_the_environment_are_honoured_and_end_with_the_paste():
    source = "import os\nos.environ['JAX_ENABLE_X64'] = '1'\nimport jax, jax.numpy as jnp\ndef f(x): return x / 3\nf(jnp.arange(3.))"
    (program,) = programs(source)
    assert next(v["aval"] for v in program["jaxprs"][program["entry"]]["vars"].values()) == "f64[3]"
    (program,) = programs("import jax, jax.numpy as jnp\ndef f(x): return x / 3\nf(jnp.arange(3.))")
    assert next(v["aval"] for v in program["jaxprs"][program["entry"]]["vars"].values()) == "f32[3]"


def emitted(source: str, **request) -> list[dict]:
    messages: list[dict] = []
    trace_request({"source": source, "levels": ["jaxpr"], **request}, messages.append)
    return messages


def test_a_held_run_that_fails_is_done_again_for_real():
    source = "import jax.numpy as jnp\njnp.ones(2) @ jnp.ones(3)"
    request = {"source": source, "levels": ["jaxpr"]}
    assert emitted(source) == [{"again": {**request, "engine": "real"}}]
    (message,) = emitted(source, engine="real")
    assert [d["type"] for d in message["trace"]["diagnostics"]] == ["TypeError"]


@pytest.mark.parametrize("source", ["y = undefined", "import no_such_module", "x = (", "raise SystemExit(2)", "input()"])
def test_errors_that_no_array_can_cause_are_final(source):
    (message,) = emitted(source)
    assert message["trace"]["diagnostics"]


def test_a_swallowed_refusal_still_ends_the_held_run():
    source = """
import jax, jax.numpy as jnp
f = jax.jit(lambda x: x + 1, donate_argnums=0)
x = jnp.ones(3)
f(x)
try: x + 1
except: pass
"""
    assert "again" in emitted(source)[0]


def test_a_jax_that_cannot_be_held_runs_for_real(monkeypatch):
    monkeypatch.setattr("visualizer.tracing._request.fits", lambda: "another JAX")
    (message,) = emitted(SCAN + f"train({ARGS})")
    assert [p["name"] for p in message["trace"]["programs"]] == ["train"]


@pytest.mark.parametrize("source", ["print('ran')", "hello", "def f(:\n", "plain words of a log\nand more"])
def test_what_is_opened_is_not_run(source):
    trace = trace_source(source, engine="none")
    assert (trace["programs"], trace["output"]["text"]) == ([], "")
    assert [found["code"] for found in trace["diagnostics"]] == ["not-opened"]


def test_what_is_opened_is_read_by_what_it_is():
    trace = trace_source("module { func.func @main() { return } }", engine="none", levels=["stablehlo"])
    assert [program["name"] for program in trace["programs"]] == ["@main"]
    assert trace_source("", engine="none")["diagnostics"][0]["code"] == "empty-paste"
