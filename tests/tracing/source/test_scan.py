from __future__ import annotations

import io
import tokenize

from hypothesis import given, settings
from hypothesis import strategies as st

from visualizer.tracing.source._scan import scan


def code(text: str) -> list[str]:
    lines = text.split("\n")
    return ["".join(line[start:end] for start, end in state.code) for line, state in zip(lines, scan(lines), strict=True)]


def test_strings_and_comments_are_no_code():
    assert code("x = 'a # b' + y # c") == ["x =  + y "]
    assert code('a("""b\nc " d\n""") + e') == ["a(", "", ") + e"]
    assert code("'it\\'s' + x") == [" + x"]


def test_brackets_and_backslashes_continue_a_statement():
    states = scan(["f(1,", "2)", "x = \\", "3", "y"])
    assert [state.starts_statement for state in states] == [True, False, True, False, True]


def test_an_open_string_ends_with_its_line():
    states = scan(["x = 'open", "y"])
    assert states[1].starts_statement


def test_typographic_quotes_open_and_close():
    assert code("d[“w”] + ‘x’") == ["d[] + "]
    # An ASCII string may hold typographic quotes; only without an ASCII one do they close it.
    assert code('"it’s “so”" + x') == [" + x"]
    assert code('"w” + x') == [" + x"]


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.sampled_from(["x", " + ", "'a'", '"b"', '"""c\nd"""', "(", ")", "# e\n", "\n", "1", "\\\n", "r'\\'"]), max_size=20).map(
        "".join
    )
)
def test_it_agrees_with_pythons_tokenizer(text):
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        compile(text, "", "exec")
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return
    lines = text.split("\n")
    states = scan(lines)
    for token in tokens:
        if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER):
            line, col = token.start
            assert any(start <= col < end for start, end in states[line - 1].code)
