"""What counts as a difference between two printed jaxprs."""

from __future__ import annotations

import pytest

from tests.text.tokens import first_difference, tokens

FLAT = "{ lambda a:f32[3] ; b:f32[]. let c:f32[3] = mul[out_dtype=None] a b; d:f32[3] = sin c in (d,) }"
BROKEN = """{ lambda a:f32[3] ; b:f32[]. let
    c:f32[3] = mul[
      out_dtype=None
    ] a b
    d:f32[3] = sin c
  in (d,) }"""


def test_line_breaks_are_no_difference() -> None:
    assert FLAT != BROKEN
    assert first_difference(FLAT, BROKEN) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("c:f32[3]", "e:f32[3]"),
        ("f32[3] = sin", "f32[4] = sin"),
        ("sin c", "cos c"),
        ("sin c", "sin b"),
        ("a b", "b a"),
        ("a b", "ab"),
        ("None", "1"),
        ("[out_dtype=None]", ""),
        ("(d,)", "(d)"),
        ("(d,)", "(d, d)"),
        ("a:f32[3] ; b:f32[]", "; a:f32[3] b:f32[]"),
        (" = sin c", "= sin c"),
        ("; d:f32[3] = sin c", ""),
        ("f32[3] =", "f32 [3] ="),
        ("mul[", "mul ["),
        ("[out", "[ out"),
        ("None]", "None ]"),
        ("let", "lett"),
    ],
)
def test_all_else_is_a_difference(old: str, new: str) -> None:
    assert old in FLAT
    assert first_difference(FLAT.replace(old, new), BROKEN) is not None


def test_white_space_in_strings_counts() -> None:
    assert first_difference("f[name='a  b']", "f[name='a b']") is not None
    assert first_difference("f[name='a b' c=1]", "f[name='a b'\n  c=1]") is None
    assert tokens("f[name='a ; b' d=\"it's\"]") == ["f", "[", "name=", "'a ; b'", " ", "d=", '"it\'s"', "]"]


def test_a_single_quote_begins_no_string() -> None:
    assert tokens("it's a") == ["it", "'", "s", " ", "a"]
    assert first_difference("it's a", "it's b") is not None
