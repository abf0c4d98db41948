from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.tracing.modules._brackets import Brackets, without_locations
from visualizer.tracing.modules._locations import location_text
from visualizer.tracing.modules._sections import sections_of

pieces = st.lists(
    st.sampled_from(['"', "(", ")", "{", "}", "[", "]", "\n", "//", "loc(", " at ", "a.b", "^bb", "#x =", "\\", " ", "é"]), max_size=30
)


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("a.b loc(#loc1)\nc.d", "a.b           \nc.d"),
        ('a.b {x = loc("y")} loc("z(" at 3)', 'a.b {x = loc("y")}' + " " * 15),
        ("#loc = loc(unknown)\na.b loc(#loc)", "#loc = loc(unknown)\na.b          "),
        ("a.b loc(fused[#a,\n #b])", "a.b              \n     "),
        ('a.b {x = "loc(1)"} // loc(2)', 'a.b {x = "loc(1)"} // loc(2)'),
        ("a.b loc(#loc1", "a.b loc(#loc1"),
    ],
)
def test_locations_become_blanks(text, without):
    assert without_locations(text) == without


@given(pieces.map("".join))
def test_any_text_keeps_its_length_and_lines(text):
    bare = without_locations(text)
    assert len(bare) == len(text)
    assert bare.count("\n") == text.count("\n")


@given(pieces.map("".join), st.integers(0, 60), st.integers(0, 60))
def test_an_operation_ends_between_its_start_and_the_next(text, start, following):
    start, following = min(start, len(text)), min(following, len(text))
    if start <= following:
        assert start <= Brackets(text).end(start, following) <= following


@given(pieces.map("".join))
def test_any_location_is_words_or_none(text):
    said = location_text(f"loc({text})")
    assert said is None or 0 < len(said) <= 501


@given(st.lists(st.sampled_from(["// -----", "// ----- why", "a", "", " // -----", "// ---"]), min_size=1, max_size=12))
def test_sections_are_the_text(lines):
    text = "\n".join(lines)
    sections = list(sections_of(text))
    assert len(sections) == 1 + sum(line.startswith("// -----") for line in lines)
    for section in sections:
        for offset, line in enumerate(section.text.split("\n")):
            assert line in ("", lines[section.before + offset])
