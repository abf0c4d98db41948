"""The writer reads the structure and nothing else; what it cannot write it says."""

from __future__ import annotations

import json
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.text.programs import ours, structure
from tests.text.tokens import first_difference
from tests.tracing.transformer import transformer
from visualizer.model import Jaxpr, Program
from visualizer.text import jaxpr_text
from visualizer.tracing._serialize import serialize
from visualizer.tracing.eqns._params import BUDGET

X = np.ones(4, np.float32)


def loss(w: Any, x: Any) -> Any:
    ref = jax.new_ref(x)
    ref[0] = w
    return jax.lax.scan(lambda c, y: (jnp.tanh(c * y), c), w, ref[...])[1].sum()


def plain(closed: Any) -> dict[str, Any]:
    return json.loads(structure(closed).model_dump_json())


def test_the_texts_of_a_program_are_not_read() -> None:
    closed = jax.make_jaxpr(jax.grad(lambda w, x: loss(w, x)))(1.0, X)
    program = Program.model_validate(serialize(closed).program)
    told = program.model_copy(update={"texts": {"jaxpr": program.texts["jaxpr"].model_copy(update={"text": "a lie"})}})
    assert jaxpr_text(told) == jaxpr_text(program) == jaxpr_text(structure(closed)) == str(closed)


def _entry(program: dict[str, Any]) -> dict[str, Any]:
    return program["jaxprs"][program["entry"]]


def test_every_letter_is_that_of_a_variable() -> None:
    closed = jax.make_jaxpr(loss)(1.0, X)
    program = plain(closed)
    for jaxpr in program["jaxprs"].values():
        for var in jaxpr["vars"].values():
            var["name"] = var["id"].upper()
    assert jaxpr_text(Program.model_validate(program)).splitlines()[:8] == [
        "{ lambda ; V0:f32[] V1:f32[4]. let",
        "    V2:Ref{f32[4]} = new_ref[kind=None memory_space=None] V1",
        "    V3:f32[] = convert_element_type[new_dtype=float32 weak_type=False] V0",
        "    V2[0] <- V3",
        "    V5:f32[4] <- V2[...]",
        "    V6:f32[] V7:f32[4] = scan[",
        "      jaxpr={ lambda ; V10:f32[] V11:f32[]. let",
        "          V12:f32[] = convert_element_type[new_dtype=float32 weak_type=False] V10",
    ]


@pytest.mark.parametrize(
    ("change", "new"),
    [
        (lambda p: p["jaxprs"]["j0"]["eqns"][0].update(primitive="made_up"), "made_up[kind=None"),
        (lambda p: p["jaxprs"]["j0"]["vars"]["v0"].update(aval="f64[]"), "a:f64[]"),
        (lambda p: p["jaxprs"]["j0"]["eqns"][4]["params"][2].update(text="17"), "num_carry=17"),
        (lambda p: p["jaxprs"]["j0"]["outvars"].append({"literal": "7", "aval": "i32[]"}), ", 7:i32[])"),
        (lambda p: p["jaxprs"]["j0"]["eqns"].pop(0), "{ lambda ; a:f32[] b:f32[4]. let\n    d:f32[] ="),
        (lambda p: p["hoisted"].append({"name": "body", "jaxprs": ["j1"]}), "jaxpr=body"),
    ],
)
def test_what_changes_in_the_structure_changes_in_the_text(change: Any, new: str) -> None:
    program = plain(jax.make_jaxpr(loss)(1.0, X))
    assert new not in jaxpr_text(Program.model_validate(program))
    change(program)
    assert new in jaxpr_text(Program.model_validate(program))


def test_a_module_without_a_jaxpr() -> None:
    program = structure(jax.make_jaxpr(jnp.sin)(1.0)).model_copy(update={"entry": None})
    with pytest.raises(ValueError, match="module"):
        jaxpr_text(program)


def test_an_id_that_names_nothing() -> None:
    program = plain(jax.make_jaxpr(loss)(1.0, X))
    _entry(program)["eqns"][0]["operands"][0]["atom"]["var"] = "v99"
    with pytest.raises(ValueError, match="v99, which it does not hold"):
        jaxpr_text(Program.model_validate(program))


@pytest.mark.parametrize("where", ["j0", "j1"])
def test_a_jaxpr_that_contains_itself(where: str) -> None:
    program = plain(jax.make_jaxpr(lambda x: jax.lax.scan(lambda c, y: jax.jit(lambda c: (c, y))(c), x, X))(1.0))
    assert set(program["jaxprs"]) == {"j0", "j1", "j2"}
    for eqn in program["jaxprs"]["j1"]["eqns"]:
        for call in eqn["nested"]:
            call["jaxpr"] = where
    with pytest.raises(ValueError, match="contains itself"):
        jaxpr_text(Program.model_validate(program))


def test_two_hundred_levels() -> None:
    from jax.extend.core import ClosedJaxpr, Jaxpr

    nested = jax.make_jaxpr(jnp.sin)(1.0)
    info, var = nested.jaxpr.debug_info, nested.jaxpr.invars[0]
    call = jax.make_jaxpr(jax.jit(lambda x: x))(1.0).jaxpr.eqns[0]
    for _ in range(200):
        var, out = type(var)(var.aval), type(var)(var.aval)
        outer = call.replace(invars=[var], outvars=[out], params={**call.params, "jaxpr": nested})
        nested = ClosedJaxpr(Jaxpr([], [var], [out], [outer], debug_info=info), [])
    program = structure(nested)
    assert len(program.jaxprs) == 201
    text = Program.model_validate(serialize(nested).program).texts["jaxpr"].text
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(min(before, _depth() + 60))  # JAX's own printer needs thousands of frames for it
    try:
        ours = jaxpr_text(program)
    finally:
        sys.setrecursionlimit(before)
    assert ours == text


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1  # type: ignore[assignment]
    return depth


def test_a_program_that_was_not_printed_is_still_written() -> None:
    # Its letters are in the order of the walk then, and what is used twice has a name of ours.
    g = jax.jit(lambda x: jnp.sin(x) * 2.0)
    closed = jax.make_jaxpr(lambda x: g(g(x)) + jax.lax.cond(True, g, g, x))(1.0)
    program = Program.model_validate(serialize(closed, text=False).program)
    text = jaxpr_text(program)
    assert text.count(" = sin ") == str(closed).count(" = sin ") == 1
    assert text.startswith("let lambda = { lambda ; ")


def test_sharing_without_end_is_short() -> None:
    # Each body calls the one below twice: written out, that would be 2^60 equations.
    program = plain(jax.make_jaxpr(jax.jit(lambda x: jnp.sin(x)))(1.0))
    eqn = _entry(program)["eqns"][0]
    jaxprs = {"j0": program["jaxprs"]["j0"]}
    for level in range(1, 61):
        below = {**eqn, "nested": [{**eqn["nested"][0], "jaxpr": f"j{level + 1}"}]}
        jaxprs[f"j{level}"] = {**program["jaxprs"]["j0"], "id": f"j{level}", "eqns": [below, below]}
    jaxprs["j61"] = program["jaxprs"]["j1"]
    text = jaxpr_text(Program.model_validate({**program, "jaxprs": jaxprs}))
    assert text.count("jit[") == 121


def strange(**params: Any) -> Any:
    from jax.extend.core import Primitive

    primitive = Primitive("strange")
    primitive.def_abstract_eval(lambda x, **_: x)
    return jax.make_jaxpr(lambda x: primitive.bind(x, **params))(X)


def test_a_long_param_is_whole() -> None:
    closed = strange(numbers=tuple(range(40_000)))
    assert len(str(closed)) > 200_000
    assert ours(closed) == str(closed)


def test_a_param_beyond_the_budget_is_cut_and_says_so() -> None:
    length = BUDGET + 1
    closed = strange(long="x" * length, short="y" * 20_000)
    text = ours(closed)
    assert len(text) < 31_000
    assert f"… ({length:,} characters in all)" in text
    assert "y" * 20_000 in text


def test_the_budget_is_one_for_all_equations() -> None:
    from jax.extend.core import Primitive

    primitive = Primitive("strange")
    primitive.def_abstract_eval(lambda x, **_: x)
    long = "x" * (BUDGET // 4)

    def run(x: Any) -> Any:
        for _ in range(6):
            x = primitive.bind(x, long=long)
        return x

    text = ours(jax.make_jaxpr(run)(X))
    assert text.count("characters in all") == 2
    assert text.count(long) == 4


class Refusal(BaseException):
    pass


@pytest.mark.parametrize("error", [Refusal, ValueError, RecursionError])
def test_a_printing_rule_that_raises_is_done_without(error: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    from jax._src import core
    from jax.extend.core import Primitive

    primitive = Primitive("strange")
    primitive.def_abstract_eval(lambda x, **_: x)

    def rule(*_: Any) -> Any:
        raise error

    monkeypatch.setitem(core.pp_eqn_rules, primitive, rule)
    closed = jax.make_jaxpr(lambda x: primitive.bind(x, a=1))(X)
    with pytest.raises(error):
        str(closed)
    assert ours(closed) == "{ lambda ; a:f32[4]. let b:f32[4] = strange[a=1] a in (b,) }"
    assert core._pp_eqn.__module__ == "jax._src.core"


def test_a_printing_rule_of_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    from jax._src import core
    from jax.extend.core import Primitive

    primitive = Primitive("strange")
    primitive.def_abstract_eval(lambda x, **_: x)

    def rule(eqn: Any, context: Any, settings: Any) -> Any:
        common = core._pp_eqn(eqn, context, settings, params=["a"])
        return core.pp.concat(
            [core.pp.text("<"), common, core.pp.text("> "), core.pp_kv_pair("body", eqn.params["body"], context, settings)]
        )

    monkeypatch.setitem(core.pp_eqn_rules, primitive, rule)
    body = jax.make_jaxpr(jnp.sin)(X)
    closed = jax.make_jaxpr(lambda x: primitive.bind(x, a=1, b=2, body=body))(X)
    assert "<b:f32[4] = strange[a=1] a> body={ lambda ; " in str(closed)
    assert first_difference(ours(closed), str(closed)) is None


def test_a_training_step_of_a_transformer() -> None:
    step, args = transformer(3)
    closed = jax.make_jaxpr(step)(*args)
    assert ours(closed) == str(closed)


def test_every_field_of_printing_is_on_the_wire_by_default() -> None:
    # A Trace of before has neither: it reads as printed the common way.
    program = plain(jax.make_jaxpr(jnp.sin)(1.0))
    del program["hoisted"]
    for jaxpr in program["jaxprs"].values():
        for eqn in jaxpr["eqns"]:
            del eqn["printed"]
    read = Program.model_validate(program)
    assert read.hoisted == () and isinstance(read.jaxprs["j0"], Jaxpr)
    assert jaxpr_text(read) == "{ lambda ; a:f32[]. let b:f32[] = sin[accuracy=None] a in (b,) }"
