"""A stranger's text in the data block and in the head: whatever it is, it comes out as it went in, and ends nothing."""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from visualizer.web.shared._page import TEMPLATES
from visualizer.web.shared._words import data_block, line, seen

texts = st.text() | st.lists(
    st.sampled_from(
        [
            "</script>",
            "<!--",
            "-->",
            "<script>",
            "]]>",
            "\u2028",
            "\u202e",
            "\u2066",
            "&lt;",
            '"',
            "'",
            "\\",
            "\x00",
            "\ud800",
            "</title",
            ">",
            "x",
        ]
    )
).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=12
)


@given(values)
def test_a_data_block_is_what_it_was_and_ends_nothing(value):
    block = str(data_block(value))
    assert json.loads(block) == value
    assert block.isascii()
    assert not set(block) & set("<>&")


@given(texts)
def test_what_is_seen_turns_nothing(text):
    shown = seen(text)
    bad = {char for char in shown if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}} - {"\n", "\t"}
    assert not bad
    assert not [
        char for char in shown if unicodedata.bidirectional(char) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    ]
    plain = re.sub(r"\r\n?", "\n", text)
    if seen(plain) == plain:
        assert shown == plain


@given(texts, st.integers(1, 60))
def test_a_line_is_one_line_of_that_length(text, most):
    found = line(text, most)
    assert len(found) <= most
    assert not set(found) & set("\n\t\r")


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, attrs))

    def handle_data(self, data):
        if self.found[-1][0] == "title":
            self.title += data


def head(**values: str) -> str:
    plain = {"title": "", "description": "", "alt": "", "url": "u", "card": "c", "oembed": "o", "data": data_block({})}
    return TEMPLATES.get_template("head.html").render({**plain, **values})


@given(texts)
def test_the_head_has_the_same_elements_whatever_it_says(text):
    said = line(text, 300)
    found = _Tags(head(title=said, description=said, alt=said, data=data_block({"state": text})))
    assert [tag for tag, _ in found.found] == [tag for tag, _ in _Tags(head()).found]
    assert [[name for name, _ in attrs] for _, attrs in found.found] == [[name for name, _ in attrs] for _, attrs in _Tags(head()).found]
    contents = {dict(attrs).get("property"): dict(attrs).get("content") for _, attrs in found.found}
    assert contents["og:title"] == contents["og:description"] == said
