"""A paste with printed jaxprs in it: what the reader answers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings

from tests.text.parse.test_errors import mutated
from visualizer.model import LevelMessage
from visualizer.tracing._request import trace_request
from visualizer.tracing._serialize import serialize

Dict = dict[str, Any]


def rnn(w: Any, xs: Any) -> Any:
    return jax.lax.scan(lambda h, x: ((h := jnp.tanh(h * w + x)), h), 0.5, xs)[1].sum()


GRADIENT = jax.make_jaxpr(jax.grad(rnn))(2.0, np.ones(4, np.float32))


UNLOWERED = "A printed jaxpr cannot be lowered: for its StableHLO, paste the program that it was printed from."


def answer(source: str, **asked: Any) -> Dict:
    said: list[Dict] = []
    trace_request({"source": source, **asked}, said.append)
    (message,) = said  # there is no level after the jaxpr
    LevelMessage.model_validate(message)
    trace: Dict = message["trace"]
    return trace


def test_a_print_is_a_program_at_the_lines_of_the_paste() -> None:
    trace = answer(str(GRADIENT))
    assert trace["input"] == "jaxpr"
    (program,) = trace["programs"]
    assert program["origin"] == "expression"
    assert trace["diagnostics"] == []
    assert trace["notes"] == [UNLOWERED]
    lines = str(GRADIENT).split("\n")
    for eqn in program["jaxprs"]["j0"]["eqns"]:
        span = eqn["span"]
        assert lines[span["line"] - 1][span["col"] :].startswith(program["jaxprs"]["j0"]["vars"][eqn["results"][0]["var"]]["name"] + ":")
    assert len(program["twins"]) == 1


def test_fences_and_comments() -> None:
    commented = "\n".join(f"# {line}" for line in str(GRADIENT).split("\n"))
    for text in (f"```\n{GRADIENT}\n```", commented, f"Here it is:\n\n```text\n{GRADIENT}\n```\nand so on."):
        trace = answer(text)
        assert trace["input"] == "jaxpr", text[:40]
        (program,) = trace["programs"]
        first = program["jaxprs"]["j0"]["eqns"][0]["span"]
        assert text.split("\n")[first["line"] - 1][first["col"] :].startswith("_:f32[]")


def test_a_log_says_which_lines_were_read() -> None:
    trace = answer(f"INFO start of the run\n{GRADIENT}\nINFO loss = 3 [ok]\n{{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }}\n")
    lines = len(str(GRADIENT).split("\n"))
    passed = f"Lines 2 to {lines + 1}, {lines + 3} were read as printed jaxprs; the text around them was passed over."
    assert trace["notes"] == [passed, UNLOWERED]
    assert [program["name"] for program in trace["programs"]] == ["jaxpr, line 2", f"jaxpr, line {lines + 3}"]


def test_a_program_with_a_print_in_a_comment_is_a_program() -> None:
    trace = answer(
        "import jax, jax.numpy as jnp\nprint(jax.make_jaxpr(jnp.sin)(1.0))\n# { lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n",
        levels=["jaxpr"],
    )
    assert trace["input"] == "python"
    broken = answer("import jax\njax.make_jaxpr(\n# { lambda ; a:f32[]. let b:f32[] = sin a in (b,) }\n")
    assert broken["input"] == "python"
    assert [found["type"] for found in broken["diagnostics"]] == ["SyntaxError"]


def test_problems_name_their_line_and_keep_what_was_read() -> None:
    trace = answer("{ lambda ; a:f32[]. let\n    b:f32[] = sin a\n    c:f32[] = cos q\n  in (c,) }")
    (found,) = trace["diagnostics"]
    assert found["code"] == "jaxpr-syntax"
    assert found["span"] == {"line": 3, "col": 18, "end_line": 3, "end_col": 19}
    assert found["message"] == "q is used before it is defined. Expected a variable that is bound before."
    assert [eqn["primitive"] for eqn in trace["programs"][0]["jaxprs"]["j0"]["eqns"]] == ["sin"]


def test_what_is_said_to_be_a_print_and_is_none() -> None:
    trace = answer("f = 3", input="jaxpr")
    assert trace["programs"] == []
    assert [found["code"] for found in trace["diagnostics"]] == ["jaxpr-syntax"]


def test_printed_name_stacks_say_what_differentiation_made() -> None:
    text = GRADIENT.jaxpr.pretty_print(name_stack=True, use_color=False)
    (mine,), theirs = answer(text)["programs"], serialize(GRADIENT).program
    assert mine["twins"] == theirs["twins"]
    for ours, their in zip(mine["jaxprs"].values(), theirs["jaxprs"].values(), strict=True):
        for x, y in zip(ours["eqns"], their["eqns"], strict=True):
            known = [(o["kind"], k["kind"]) for side in ("operands", "results") for o, k in zip(x[side], y[side], strict=True)]
            assert all(kind in (None, their_kind) for kind, their_kind in known)
            assert [r["kind"] for r in x["results"]].count("residual") == [r["kind"] for r in y["results"]].count("residual")


@pytest.mark.parametrize("broken", ["\ufeff", "\r\n"])
def test_what_no_print_has_is_cleaned(broken: str) -> None:
    text = broken + str(GRADIENT) if broken == "\ufeff" else str(GRADIENT).replace("\n", broken)
    trace = answer(text)
    assert len(trace["programs"]) == 1
    assert trace["programs"][0]["span"]["col"] == (1 if broken == "\ufeff" else 0)


@settings(max_examples=40, deadline=None)
@given(mutated())
def test_any_print_has_an_answer_with_its_line(text: str) -> None:
    trace = answer(text, input="jaxpr")
    lines = len(re.split(r"\r\n|\r|\n", text))
    assert trace["programs"] or trace["diagnostics"]
    assert all(1 <= found["span"]["line"] <= lines for found in trace["diagnostics"])


def test_the_example() -> None:
    trace = answer((Path(__file__).parents[3] / "visualizer" / "examples" / "11_a_printed_jaxpr.txt").read_text("utf-8"))
    assert trace["diagnostics"] == []
    (program,) = trace["programs"]
    (twin,) = program["twins"]
    (back,) = (eqn for eqn in program["jaxprs"]["j0"]["eqns"] if eqn["id"] == twin["backward"])
    linear = [(operand["role"], operand["linear"]) for operand in back["operands"]]
    assert {flag["value"] for role, flag in linear if role == "carry"} == {True}
    assert {flag["derived"] for _, flag in linear} == {False}


def test_a_text_that_is_wrong_everywhere_is_told_of_a_hundred_times():
    messages: list[Dict] = []
    trace_request({"source": "{ lambda ; " * 5000, "input": "jaxpr"}, messages.append)
    assert len(messages[0]["trace"]["diagnostics"]) == 100
    assert messages[0]["trace"]["notes"][-1] == "4,900 more problems are not listed."
