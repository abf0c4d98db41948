"""Reading what a link holds: every old address, nothing that is none, and one form for what means the same."""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.links import BadLink, read
from visualizer.links._content import MOST_BYTES, MOST_LETTERS, from_text

from .contents import address, content, packed

ADDRESSES = json.loads((Path(__file__).parents[2] / "frontend" / "test" / "links" / "addresses.json").read_text("utf-8"))
STEP = {"name": "grad", "argnums": None, "in_axes": None, "size": None, "has_aux": False}


def bad(text: str) -> BadLink:
    with pytest.raises(BadLink) as found:
        read(text)
    assert str(found.value).endswith(".")
    assert found.value.advice.endswith(".")
    return found.value


@pytest.mark.parametrize("entry", ADDRESSES, ids=lambda entry: entry["fragment"][:24])
def test_every_address_that_was_in_use_is_read(entry):
    found = read(entry["fragment"])
    assert found.state.source == entry["linked"]["source"]
    assert found.state.static == entry["linked"]["staticNumbers"]
    assert found.state.view == entry["linked"]["spot"]["view"]
    assert read(found.address) == found


@pytest.mark.parametrize(
    "other",
    [
        {"source": "s", "static": False, "compile": False, "jax": None, "asked": None, "wishes": [], "program": None, "view": "jaxpr"},
        {"open": None, "alone": None, "selection": None, "levels": None, "source": "s"},
        {"levels": ["auto", None], "source": "s"},
    ],
)
def test_what_goes_without_saying_makes_no_other_link(other):
    assert read(address(other)) == read(address({"source": "s"}, level=1)) == content("s")


def test_the_order_of_fields_makes_no_other_link_but_that_of_parameters_does():
    one = {"source": "s", "asked": {"fun": "f", "signature": {"b": "1", "a": "2"}}, "program": ["p0", "f", ""]}
    other = {"program": ["p0", "f"], "asked": {"signature": {"b": "1", "a": "2"}, "args": None, "fun": "f"}, "source": "s"}
    assert read(address(one)) == read(address(other))
    swapped = {**one, "asked": {"fun": "f", "signature": {"a": "2", "b": "1"}}}
    assert read(address(one)) != read(address(swapped))
    assert list(read(address(one)).state.asked.signature) == ["b", "a"]


def test_fields_of_a_newer_page_survive():
    newer = {"source": "s", "panes": {"b": [1, {"z": 1, "a": 2}], "a": None}, "view": "wiring", "levels": ["layers", 3]}
    newer |= {"asked": {"fun": "f", "mesh": "2x2"}, "wishes": [{"id": "p0", "name": "f", "steps": [{**STEP, "axis": "i"}], "note": "n"}]}
    kept = json.loads(read(address(newer)).text)
    assert kept == newer
    # What it does not know it does not put in order.
    assert list(kept["panes"]) == ["b", "a"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("source", None),
        ("source", 7),
        ("static", 1),
        ("static", "true"),
        ("jax", "../../etc"),
        ("asked", {"signature": {}}),
        ("asked", {"fun": "f", "signature": {"x": 1}}),
        ("wishes", [{"id": "p0", "name": "f"}]),
        ("wishes", {"id": "p0"}),
        ("program", ["p0"]),
        ("program", ["p0", "f", "", ""]),
        ("open", "e0"),
        ("open", [1]),
        ("open", ["x" * 2001]),
        ("selection", ["eqn"]),
        ("levels", ["auto", 1.5]),
        ("view", ""),
    ],
)
def test_a_known_field_of_another_kind_is_named(field, value):
    found = bad(address({"source": "s", field: value}))
    assert found.code == "bad-state"
    assert f"'{field}" in str(found)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-link"),
        ("import jax", "bad-link"),
        ("v2:" + content().address[3:], "newer-link"),
        ("v1:", "bad-link"),
        ("v1:" + "é" * 8, "bad-link"),
        (content().address + " ", "bad-link"),
        (content().address[:-4], "bad-link"),
        ("v1:A", "bad-link"),
        (packed(b"[]"), "bad-link"),
        (packed(b'{"source": "s"'), "bad-link"),
        (packed(b'{"source": "s", "x": NaN}'), "bad-link"),
        (packed(b'{"source": "\xff"}'), "bad-link"),
        (packed(b"{}"), "bad-state"),
        (packed(b"[" * 100_000), "bad-link"),
        (packed(b'{"source": "s", "x": ' + b"[" * 9000 + b"]" * 9000 + b"}"), "bad-link"),
        (packed(b'{"source": "s", "x": ' + b"9" * 5000 + b"}"), "bad-link"),
        ("v1:" + "A" * (MOST_LETTERS + 1), "too-large"),
        (packed(b'{"source": "' + b"x" * MOST_BYTES + b'"}', 9), "too-large"),
    ],
)
def test_what_is_no_link_says_why(text, code):
    assert bad(text).code == code


def test_what_follows_the_content_is_refused():
    twice = zlib.compress(b'{"source": "s"}') + b"more"
    assert bad("v1:" + base64.urlsafe_b64encode(twice).rstrip(b"=").decode()).code == "bad-link"


def test_a_bomb_is_not_unpacked():
    bomb = packed(b" " * 60_000_000, 9)
    assert len(bomb) < MOST_LETTERS
    assert bad(bomb).code == "too-large"


def test_half_a_character_is_one_that_can_be_stored():
    halves = packed(b'{"source": "a\\ud83c b \\ud83c\\udf9b"}')
    assert read(halves).state.source == "a\N{REPLACEMENT CHARACTER} b \N{CONTROL KNOBS}"


def test_what_is_longer_when_it_is_packed_again_is_refused_and_not_cut():
    # Incompressible, and just short enough as its sender wrote it.
    import random

    text = random.Random(1).randbytes(70_000).hex()
    assert bad(address({"source": text + text[::-1]}, 9)).code == "too-large"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["source", "view", "open", "asked", "wishes", "levels", "program", "other"]), values),
    st.binary(max_size=60),
)
def test_whatever_comes_is_a_link_or_a_reason(state, noise):
    for text in (address(state), packed(noise), "v1:" + base64.urlsafe_b64encode(noise).decode()):
        try:
            found = read(text)
        except BadLink:
            continue
        assert read(found.address) == found == from_text(found.text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"source":"x","new":1e999}',
        b'{"source":"x","new":[-1e999]}',
        b'{"source":"x","new":' + b"[" * 500 + b"]" * 500 + b"}",
        b'{"source":"x","new":[' + b"{}," * 200_000 + b"{}]}",
    ],
)
def test_what_others_could_not_read_again_is_refused(text):
    with pytest.raises(BadLink):
        from_text(text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"source":"x","new":{"\\ud800":1,"\\ud801":2}}',
        b'{"source":"x","\\ud800":1,"\\ud801":2}',
        '{"source":"x","\\ud800":1,"\ue000":2}'.encode(),
        b'{"source":"x\\ud83d\\ude00","new":"\\ude00"}',
    ],
)
def test_halves_of_characters_are_mended_before_anything_else(text):
    found = from_text(text)
    assert from_text(found.text) == found == read(found.address)
