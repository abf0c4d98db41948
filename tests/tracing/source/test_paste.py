from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from visualizer.tracing.source._paste import Line, PasteSource, split_lines, utf16


def span(line, col, end_line, end_col):
    return {"line": line, "col": col, "end_line": end_line, "end_col": end_col}


def test_columns_go_from_utf8_bytes_to_utf16_units():
    source = PasteSource.of("θ = '𝔘' + x")
    # x: after θ (2 bytes), " = '" (4), 𝔘 (4 bytes, 2 units), "' + " (4).
    assert source.span(1, 14, 1, 15) == span(1, 11, 1, 12)


def test_lines_are_counted_as_editors_count_them():
    assert split_lines("a\r\nb\rc\nd") == ["a", "b", "c", "d"]
    assert split_lines("a\x0bb\x0cc\x85d\u2028e") == ["a\x0bb\x0cc\x85d\u2028e"]
    assert PasteSource.of("a\r\nb").text == "a\nb"


def test_a_place_that_is_not_there_is_none():
    source = PasteSource.of("x")
    assert source.span(0, 0, 0, 1) is None
    assert source.span(2, 0, 2, 1) is None
    assert source.span(1, 0, 9, 99) == span(1, 0, 1, 1)


def test_a_cut_prefix_shifts_columns():
    line = Line(">>> x = 1", ">>> x = 1").edited([(0, 4, "")])
    source = PasteSource.cleaned(line.seen, [line])
    assert source.text == "x = 1"
    assert source.span(1, 0, 1, 5) == span(1, 4, 1, 9)


def test_a_replacement_stands_for_all_that_it_replaced():
    line = Line("f(…)", "f(…)").edited([(2, 3, "...")])
    assert line.text == "f(...)"
    source = PasteSource.cleaned(line.seen, [line])
    assert source.span(1, 2, 1, 5) == span(1, 2, 1, 3)
    assert source.span(1, 3, 1, 4) == span(1, 2, 1, 3)
    assert source.span(1, 5, 1, 6) == span(1, 3, 1, 4)


def test_edits_add_up():
    line = Line("  >>> f(…)", "  >>> f(…)").edited([(0, 6, "")]).edited([(2, 3, "...")]).edited([(0, 1, "g")])
    source = PasteSource.cleaned(line.seen, [line])
    assert source.text == "g(...)"
    assert source.span(1, 0, 1, 1) == span(1, 6, 1, 7)
    assert source.span(1, 0, 1, 6) == span(1, 6, 1, 10)


def test_the_whole_line_is_without_its_indentation():
    assert PasteSource.of("    return x  ").whole_line(1) == span(1, 4, 1, 12)


def test_utf16_counts_astral_characters_twice():
    assert utf16("aé𝔘") == 4


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=3)), max_size=4), st.data())
def test_every_place_of_an_edited_line_is_in_the_line(seen, raw, data):
    seen = "".join(split_lines(seen))
    edits, at = [], 0
    for start, length, new in sorted(raw):
        start = min(max(start, at), len(seen))
        at = min(start + length, len(seen))
        edits.append((start, at, "".join(split_lines(new))))
    line = Line(seen, seen).edited(edits)
    start = data.draw(st.integers(0, len(line.text)))
    end = data.draw(st.integers(start, len(line.text)))
    first, last = line.place(start), line.place(end, end=True)
    assert 0 <= first <= len(seen)
    assert 0 <= last <= len(seen)
    if start < end:
        assert first <= last
