"""The benchmarks' table and pastes: ratios, verdicts, and that what is measured can be run."""

from __future__ import annotations

import ast

import pytest

from bench._programs import pastes
from bench._table import Row, milliseconds, print_table


@pytest.mark.parametrize(
    ("row", "ratio", "verdict"),
    [
        (Row("a", 20.0, 10.0, 2.0), 2.0, "ok"),
        (Row("a", 21.0, 10.0, 2.0), 2.1, "OVER"),
        (Row("a", 10.0, 50.0, 5.0, at_least=True), 5.0, "ok"),
        (Row("a", 10.0, 49.0, 5.0, at_least=True), 4.9, "OVER"),
        (Row("a", 10.0, 5.0), 2.0, ""),
    ],
)
def test_ratios_and_verdicts(row: Row, ratio: float, verdict: str):
    assert row.ratio == pytest.approx(ratio)
    assert row.verdict == verdict


def test_the_table_has_a_line_for_each_row(capsys: pytest.CaptureFixture[str]):
    print_table("Title", [Row("first", 20.0, 10.0, 2.0), Row("second, longer", 10.0, 49.0, 5.0, at_least=True)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "Title"
    assert lines[3].split() == ["first", "20.0", "ms", "10.0", "ms", "2.00", "≤", "2", "ok"]
    assert lines[4].endswith("4.90     ≥ 5  OVER")


def test_the_clock_counts_milliseconds():
    assert 0 <= milliseconds(lambda: None) < 1_000


def test_every_paste_names_what_it_traces():
    for paste in pastes():
        ast.parse(paste.source)
        ast.parse(paste.fun, mode="eval")
        ast.parse(paste.args, mode="eval")
    assert len({paste.name for paste in pastes()}) == len(pastes())


@pytest.mark.parametrize("paste", pastes(), ids=lambda paste: paste.name)
def test_the_entry_of_each_paste_is_in_its_names(paste) -> None:
    known = {node.id for node in ast.walk(ast.parse(paste.source)) if isinstance(node, ast.Name)}
    defined = {node.name for node in ast.walk(ast.parse(paste.source)) if isinstance(node, ast.FunctionDef)}
    asked = {node.id for text in (paste.fun, paste.args) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    assert asked <= known | defined | {"jax", "jnp"}
