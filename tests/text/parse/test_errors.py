"""What goes wrong with a print is said at its line, and what was read before it is kept. Whatever is pasted, there is an answer."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.text.parse.old import FOLDER
from tests.text.parse.test_forms import GRADIENT, ONE
from visualizer.model import Program, VarAtom
from visualizer.text.parse import JaxprError, parse_jaxpr, read

PRINTS = ["\n".join(made["text"]) for path in sorted(FOLDER.glob("*.json")) for made in json.loads(path.read_text("utf-8")).values()]
MARKS = [*"\n }][()'\"=:;🙂", "", "", "{ lambda ", "in (", "let ", "...", "\x1b[3m", " # x", "<- "]
TWO = """{ lambda ; a:f32[]. let
    b:f32[] = sin a
    c:f32[] = cos q
  in (c,) }"""


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "expected", "advice"),
    [
        (TWO, 3, 18, "q is used before it is defined", "a variable that is bound before", "from its first equation on"),
        (TWO.replace("cos q", "€ a"), 3, 14, "", "", ""),
        (TWO.replace("cos q", ""), 4, 2, "", "", ""),
        (TWO[: TWO.index("cos")], 3, 13, "no primitive", "the name of a primitive", "as a whole"),
        (TWO.replace("cos q", "cos[x=1 a"), 4, 11, "", "`]`", ""),
        (TWO.replace("cos q", "cos a").replace("(c,) }", "(c,)"), 4, 9, "not closed", "`}`", "as a whole"),
        (TWO.replace("c:f32[] = cos q", "c:f32[]"), 4, 2, "bound to nothing", "`=`", ""),
        ("{ lambda ; a:f32[] let b:f32[] = sin a in (b,) }", 1, 19, "head", "`. let`", ""),
        ("{ lambda ; a:f32[]. let b:f32[] = sin a in (b c) }", 1, 46, "results", "`)`", ""),
    ],
)
def test_each_problem_has_its_place(text: str, line: int, column: int, message: str, expected: str, advice: str) -> None:
    if "€" in text:
        (program,) = parse_jaxpr(text)  # a primitive may have any name
        assert program.jaxprs["j0"].eqns[1].primitive == "€"
        return
    with pytest.raises(JaxprError) as raised:
        parse_jaxpr(text)
    error = raised.value
    assert (error.line, error.column) == (line, column)
    assert message in error.message
    assert expected in error.expected
    assert advice in error.advice
    assert str(error).startswith(f"line {line}, column {column + 1}: ")


def test_what_stands_before_a_problem_is_a_program() -> None:
    with pytest.raises(JaxprError) as raised:
        parse_jaxpr(TWO)
    (program,) = raised.value.programs
    assert [eqn.primitive for eqn in program.jaxprs["j0"].eqns] == ["sin"]


def test_a_print_that_breaks_off_within_a_body() -> None:
    text = str(GRADIENT)
    cut = text[: text.index("tanh")].rpartition("\n")[0]
    reading = read(cut)
    (found,) = reading.problems
    assert found.span["line"] == cut.count("\n") + 1
    program = Program.model_validate(reading.programs[0])
    (scan,) = program.jaxprs["j0"].eqns
    assert scan.primitive == "scan"
    assert scan.operands == ()
    assert [eqn.primitive for eqn in program.jaxprs[scan.nested[0].jaxpr].eqns] == ["mul", "convert_element_type", "add"]
    assert {role for result in scan.results for role in [result.role]} == {"result"}


def test_equations_that_are_left_out() -> None:
    text = TWO.replace("    b:f32[] = sin a\n", "    b:f32[] = sin a\n\n    ... 16 more equations: the loss ...\n\n")
    reading = read(text)
    (found,) = reading.problems
    assert found.warning
    assert found.span["line"] == 4
    (program,) = parse_jaxpr(text)
    sin, left, cos = program.jaxprs["j0"].eqns
    assert left.primitive == "..."
    assert [program.jaxprs["j0"].vars[result.var].name for result in left.results] == ["q"]
    assert cos.operands[0].atom == VarAtom(var=left.results[0].var)
    assert sin.results[0].used is False


def test_one_bad_print_takes_nothing_with_it() -> None:
    reading = read(f"{ONE}\n{TWO}\n{ONE}\n")
    assert [len(program["jaxprs"]["j0"]["eqns"]) for program in reading.programs] == [1, 1, 1]
    assert [found.span["line"] for found in reading.problems] == [4]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(PRINTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 1, 2, 7, 60])))
        put = draw(st.sampled_from(MARKS))
        text = text[:start] + put + text[end:]
    return text


@settings(max_examples=300, deadline=None)
@given(mutated())
def test_any_text_has_an_answer(text: str) -> None:
    started = time.process_time()
    reading = read(text)
    assert time.process_time() - started < 2
    assert reading.programs or reading.problems
    lines = len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    for found in reading.problems:
        assert 1 <= found.span["line"] <= found.span["end_line"] <= lines
        assert found.message
        assert found.advice
    for program in reading.programs:
        Program.model_validate(program)


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("{ lambda;:.let=in()[]}ab\n'\"<->+#f32"), max_size=200).map(lambda text: "{ lambda ; a:f32[]. let " + text))
def test_any_text_behind_a_head_has_an_answer(text: str) -> None:
    reading = read(text)
    assert reading.programs or reading.problems
    for program in reading.programs:
        Program.model_validate(program)
