"""The gate for answers in parts: what is packed is asked the same questions as what is not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.model.test_parts import answer, body, cut, patch, program
from visualizer.model.parts import numbers_of
from visualizer.model.parts._rows import pack_numbers
from visualizer.sandbox._errors import BadResult
from visualizer.sandbox._gate import Gate
from visualizer.sandbox._limits import Limits

COUNT = 12_000


def messages() -> list[dict[str, Any]]:
    """An answer with bodies, a text and a module left out."""
    inner = [body(f"j{k + 1}", range(1000 + 6000 * k, 7000 + 6000 * k)) for k in range(2)]
    entry = body("j0", range(1000), {0: ["j1"], 1: ["j2"]})
    lowered = patch(COUNT)
    return cut(answer(program(entry, *inner)), lowered)


@pytest.fixture(scope="module")
def whole() -> list[dict[str, Any]]:
    return messages()


def passed(lines: list[dict[str, Any]]) -> str:
    """What the gate says against them, or ""."""
    gate = Gate(Limits())
    try:
        for line in lines:
            again = json.loads(gate.check(json.dumps(line).encode()))
            assert (again["part"] is None) == (line.get("part") is None)
    except BadResult as problem:
        return str(problem)
    return ""


def test_an_answer_in_parts_passes(whole):
    assert [line["part"]["name"] for line in whole if line.get("part")] == ["p0.0.jaxpr", "p0.1.jaxpr", "p0.0.stablehlo", "p0.1.stablehlo"]
    assert passed(whole) == ""


def entry(line: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = line["trace"]["programs"][0]["jaxprs"]["j0"]
    return found


def with_numbers(text: str, change: Callable[[list[int]], None]) -> str:
    numbers = list(numbers_of(text))
    change(numbers)
    return pack_numbers(numbers)


def repeated_equation(lines: list[dict[str, Any]]) -> None:
    packed = entry(lines[0])["packed"]
    packed["eqns"] = with_numbers(packed["eqns"], lambda numbers: numbers.extend(numbers[-3:]))


def unknown_variable(lines: list[dict[str, Any]]) -> None:
    packed = entry(lines[0])["packed"]
    packed["eqns"] = with_numbers(packed["eqns"], lambda numbers: numbers.__setitem__(-1, 999_999))


def unknown_template(lines: list[dict[str, Any]]) -> None:
    packed = entry(lines[0])["packed"]
    packed["eqns"] = with_numbers(packed["eqns"], lambda numbers: numbers.__setitem__(0, 77))


def wrong_count(lines: list[dict[str, Any]]) -> None:
    entry(lines[0])["packed"]["count"] += 1


def names_missing(lines: list[dict[str, Any]]) -> None:
    entry(lines[0])["packed"]["names"] = "a b"


def not_the_model(lines: list[dict[str, Any]]) -> None:
    templates = lines[0]["trace"]["programs"][0]["templates"]
    templates[:] = [text.replace('"operands":[]', '"operands":7') for text in templates]


def no_number(lines: list[dict[str, Any]]) -> None:
    """An id that is the same in every row; the number of its hole goes elsewhere."""
    made = lines[0]["trace"]["programs"][0]
    made["templates"] = [text.replace('"id":"e#"', '"id":"same"').replace('"sin"', '"e#"') for text in made["templates"]]


def another_body(lines: list[dict[str, Any]]) -> None:
    lines[2]["part"]["jaxprs"]["j2"]["invars"] = ["v7000"]


def not_left_out(lines: list[dict[str, Any]]) -> None:
    lines[2]["part"]["name"] = "p0.9.jaxpr"


def twice(lines: list[dict[str, Any]]) -> None:
    lines.insert(3, copy.deepcopy(lines[2]))


def first(lines: list[dict[str, Any]]) -> None:
    lines.insert(0, lines[1])


def span_beyond_the_text(lines: list[dict[str, Any]]) -> None:
    packed = lines[1]["part"]["texts"]["jaxpr"]["packed"]
    packed["rows"] = with_numbers(packed["rows"], lambda numbers: numbers.__setitem__(2, 999))


def link_to_nothing(lines: list[dict[str, Any]]) -> None:
    packed = lines[-1]["part"]["modules"]["stablehlo"]["packed"]
    packed["links"] = with_numbers(packed["links"], lambda numbers: numbers.__setitem__(-1, 999_999))


def op_without_value(lines: list[dict[str, Any]]) -> None:
    packed = lines[-1]["part"]["modules"]["stablehlo"]["packed"]
    packed["values"] = with_numbers(packed["values"], lambda numbers: numbers.__delitem__(slice(-2 if len(numbers) % 3 else -3, None)))


SAYS = {
    repeated_equation: "two equations with one id",
    unknown_variable: "an operand or result that is not there",
    unknown_template: "rows that do not fit their templates",
    wrong_count: "a count that is not that of the equations",
    names_missing: "variables that are not one each",
    not_the_model: "a template that does not fit the model",
    no_number: "a packed id that is not a number",
    another_body: "a body that is another one",
    not_left_out: "a part that was not left out",
    twice: "a part that was not left out",
    first: "a part of nothing",
    span_beyond_the_text: "a text span out of range",
    link_to_nothing: "a link's op that is not there",
    op_without_value: "an op's operand or result that is not there",
}


@pytest.mark.parametrize("break_it", list(SAYS), ids=lambda change: change.__name__)
def test_a_packed_answer_that_is_not_true_to_itself_is_refused(whole, break_it):
    lines = copy.deepcopy(whole)
    break_it(lines)
    assert passed(lines) == SAYS[break_it]
