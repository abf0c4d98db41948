"""Prints of JAX 0.4.13 to 0.10.2, made by those versions (`old.py`), against what those versions say is in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.text.parse.old import FOLDER
from tests.text.tokens import first_difference
from visualizer.model import Program
from visualizer.text import jaxpr_text
from visualizer.text.parse import read

Dict = dict[str, Any]
PRINTS = sorted(FOLDER.glob("*.json"))
CASES = [pytest.param(path, name, id=f"{path.stem}-{name}") for path in PRINTS for name in json.loads(path.read_text("utf-8"))]


def case(path: Path, name: str) -> tuple[str, list[Any], Dict]:
    made = json.loads(path.read_text("utf-8"))[name]
    text = "\n".join(made["text"])
    reading = read(text)
    assert [found.message for found in reading.problems] == []
    return text, made["structure"], reading.programs[0]


@pytest.mark.parametrize(("path", "name"), CASES)
def test_the_structure_is_what_that_version_says(path: Path, name: str) -> None:
    _, structure, program = case(path, name)
    agree(shape(program, program["entry"]), structure)


@pytest.mark.parametrize(("path", "name"), CASES)
def test_it_is_written_back_as_that_version_printed_it(path: Path, name: str) -> None:
    text, _, program = case(path, name)
    without_results = re.compile(r"(?<=\n) += (?=debug_callback)")  # ` = debug_callback[…]` up to 0.4.13
    assert first_difference(jaxpr_text(Program.model_validate(program)), without_results.sub("", text)) is None


def agree(mine: list[Any], theirs: list[Any]) -> None:
    """Everything is the same, but for params that are not printed."""
    assert mine[:2] == theirs[:2]
    assert [eqn[:3] for eqn in mine[2]] == [eqn[:3] for eqn in theirs[2]]
    assert mine[3] == theirs[3]
    for x, y in zip(mine[2], theirs[2], strict=True):
        assert x[3].items() <= y[3].items()
        assert len(x[4]) == len(y[4])
        for inner, their in zip(x[4], y[4], strict=True):
            agree(inner, their)


def shape(program: Dict, key: str) -> list[Any]:
    """A body as `old.structure` has it: literals, types, places, nested bodies in the order of the params."""
    jaxpr = program["jaxprs"][key]
    place = {var: index for index, var in enumerate(jaxpr["vars"])}
    eqns = []
    for eqn in jaxpr["eqns"]:
        operands = [place.get(operand["atom"].get("var"), "literal") for operand in eqn["operands"]]
        types = [result["aval"] for result in eqn["results"]]
        texts = [(param["name"], param["text"].lower()) for param in eqn["params"]]
        plain = {name: json.loads(text) for name, text in texts if text in ("true", "false") or text.isdigit()}
        eqns.append([eqn["primitive"], operands, types, plain, [shape(program, call["jaxpr"]) for call in eqn["nested"]]])
    types = [[jaxpr["vars"][var]["aval"] for var in jaxpr[group]] for group in ("constvars", "invars")]
    return [*types, eqns, [place.get(atom.get("var"), "literal") for atom in jaxpr["outvars"]]]
