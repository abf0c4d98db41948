"""The forms a print can have: what stands around it, before its lines and at their ends; references; what old versions print."""

from __future__ import annotations

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.text.parse.agreement import differences, said, truth
from visualizer.model import Program
from visualizer.text import jaxpr_text
from visualizer.text.parse import holds_jaxpr, parse_jaxpr, read

Dict = dict[str, Any]
ONE = "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }"
X = np.ones(4, np.float32)


def rnn(w: Any, xs: Any) -> Any:
    return jax.lax.scan(lambda h, x: ((h := jnp.tanh(h * w + x)), h), 0.5, xs)[1].sum()


GRADIENT = jax.make_jaxpr(jax.grad(rnn))(2.0, X)


def same(text: str) -> None:
    assert differences(said(text), truth(GRADIENT)) == []


@pytest.mark.parametrize("mark", ["# ", "> ", "| ", "// ", "    ", "\t", "  # ", "│ ", ">> "])
def test_marks_before_every_line(mark: str) -> None:
    same("\n".join(mark + line for line in str(GRADIENT).split("\n")))


def test_the_colours_of_a_terminal() -> None:
    text = GRADIENT.jaxpr.pretty_print(use_color=True)
    assert "\x1b" in text
    assert holds_jaxpr(text)
    same(text)
    span = read(text).programs[0]["jaxprs"]["j0"]["eqns"][0]["span"]
    line = text.split("\n")[span["line"] - 1]
    assert line[span["col"] :].startswith(("_", "\x1b"))


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_of_other_systems(end: str) -> None:
    same(str(GRADIENT).replace("\n", end))


def test_lines_that_lost_their_indentation() -> None:
    same("\n".join(line.strip() for line in str(GRADIENT).split("\n")))


def test_operands_over_several_lines() -> None:
    def many(*xs: Any) -> Any:
        return jax.jit(lambda *xs: sum(xs))(*xs)

    closed = jax.make_jaxpr(many)(*[1.0] * 60)
    assert "\n      " in str(closed).rpartition("]")[2]
    for text in (str(closed), "\n".join(line.strip() for line in str(closed).split("\n"))):
        assert differences(said(text), truth(closed)) == []


def test_source_places_and_name_stacks() -> None:
    text = GRADIENT.jaxpr.pretty_print(source_info=True, name_stack=True, print_effects=True, use_color=False)
    program = said(text)
    assert differences(program, truth(GRADIENT)) == []
    eqns = program["jaxprs"][program["entry"]]["eqns"]
    assert [entry["name"] for entry in eqns[-1]["stack"]] == ["transpose", "jvp"]
    assert re.fullmatch(r"\S*test_forms.py:\d+:\d+ \(rnn\)", eqns[-1]["where"])
    assert "#" not in program["texts"]["jaxpr"]["text"]
    assert jaxpr_text(Program.model_validate(program)) == str(GRADIENT)


def test_a_log_with_several_prints() -> None:
    text = f"step 1 begins {{ here }}\nINFO: {ONE}\nand then\n\n{GRADIENT}\ndone: {{ lambda x: x }}\n  {ONE}\n"
    reading = read(text)
    assert reading.problems == []
    assert reading.skipped
    lines = len(str(GRADIENT).split("\n"))
    assert reading.lines == [(2, 2), (5, 4 + lines), (6 + lines, 6 + lines)]
    assert [program["jaxprs"]["j0"]["eqns"][0]["span"]["line"] for program in reading.programs] == [2, 6, 6 + lines]
    assert reading.programs[0]["jaxprs"]["j0"]["eqns"][0]["span"]["col"] == len("INFO: { lambda ; a:f32[3]. let ")


def test_spans_are_those_of_tracing() -> None:
    mine, theirs = said(str(GRADIENT))["texts"]["jaxpr"], truth(GRADIENT)["texts"]["jaxpr"]
    assert mine["text"] == theirs["text"]
    assert sorted(mine["spans"].values()) == sorted(theirs["spans"].values())


def test_an_indented_print_is_shown_at_the_margin() -> None:
    text = "\n".join("      " + line for line in str(GRADIENT).split("\n"))
    level = said(text)["texts"]["jaxpr"]
    assert level["text"] == str(GRADIENT)
    assert sorted(level["spans"].values()) == sorted(truth(GRADIENT)["texts"]["jaxpr"]["spans"].values())


def test_characters_of_two_units() -> None:
    text = "𝛼𝛽 " + ONE.replace("sin a", "f[name=𝛼] a")
    program = read(text).programs[0]
    assert program["span"]["col"] == 5
    (eqn,) = program["jaxprs"]["j0"]["eqns"]
    assert eqn["span"]["end_col"] - eqn["span"]["col"] == len("b:f32[3] = f[name=𝛼] a") + 1
    start, end = program["texts"]["jaxpr"]["spans"]["e0"]
    assert program["texts"]["jaxpr"]["text"].encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") == "b:f32[3] = f[name=𝛼] a"


LINEAR = """
{ lambda ; a:f32[] b:f32[4]. let
    c:f32[] d:f32[4] = scan[
      jaxpr={ lambda ; e:f32[] f:f32[] g:f32[]. let
          h:f32[] = mul e f
          i:f32[] = add_any h g
        in (i, h) }
      length=4
      linear=(False, True, True)
      num_carry=1
      num_consts=1
      reverse=True
      unroll=1
    ] a 1.0 b
  in (c, d) }
"""


def test_linear_flags_are_those_of_the_operands_they_name() -> None:
    (program,) = parse_jaxpr(LINEAR)
    (eqn,) = program.jaxprs["j0"].eqns
    flags = [(o.role, o.linear.value, o.linear.derived) for o in eqn.operands if o.linear is not None]
    assert flags == [("const", False, False), ("carry", True, False), ("xs", True, False)]
    assert eqn.trips == 4
    assert jaxpr_text(program) == LINEAR.strip()


def test_variables_named_as_the_words_of_the_language() -> None:
    text = "{ lambda ; in:f32[] nan:f32[]. let let:f32[] = neg in; inf:f32[] = add nan inf:f32[] in (let, inf, nan:f32[]) }"
    program = said(text)
    jaxpr = program["jaxprs"]["j0"]
    assert [eqn["primitive"] for eqn in jaxpr["eqns"]] == ["neg", "add"]
    assert [operand["atom"] for operand in jaxpr["eqns"][1]["operands"]] == [{"var": "v1"}, {"literal": "inf", "aval": "f32[]"}]
    assert jaxpr["outvars"] == [{"var": "v2"}, {"var": "v3"}, {"literal": "nan", "aval": "f32[]"}]


def test_a_string_that_looks_like_params() -> None:
    text = """{ lambda ; a:f32[]. let
    debug_print[
      fmt=loss={} ]) [[ '( x=3
      ordered=True
    ] a
    b:f32[] = sin a
  in (b,) }"""
    eqns = said(text)["jaxprs"]["j0"]["eqns"]
    assert {param["name"]: param["text"] for param in eqns[0]["params"]} == {"fmt": "loss={} ]) [[ '( x=3", "ordered": "True"}
    assert [eqn["primitive"] for eqn in eqns] == ["debug_print", "sin"]


@pytest.mark.parametrize("text", ["x = {lambda: 3}", "a { lambda } b", "f = lambda x: {x: 1}", ""])
def test_what_is_no_print(text: str) -> None:
    assert not holds_jaxpr(text)
    reading = read(text)
    assert reading.programs == []
    (found,) = reading.problems
    assert "No printed jaxpr" in found.message


def test_depth_is_no_matter() -> None:
    depth = 3000
    text = "{ lambda ; a:f32[]. let b:f32[] = jit[name=f jaxpr=" * depth + ONE + "] a in (b,) }" * depth
    assert len(said(text)["jaxprs"]) == depth + 1


def test_a_type_without_a_short_form() -> None:
    from jax._src.state.primitives import pin, unpin

    closed = jax.make_jaxpr(lambda x: unpin(pin(x)))(X)
    assert "AbstractLinVal(inner_aval=ShapedArray(float32[4])" in str(closed)
    assert differences(said(str(closed)), truth(closed)) == []
