"""Types as an author writes them, and what is refused before it is read."""

from __future__ import annotations

import jax
import pytest

from visualizer.integrations._inline import inline_svg
from visualizer.integrations._types import read_args, typed
from visualizer.integrations._wanted import NotDrawn


def shapes(found):
    return [str(leaf.dtype) + str(list(leaf.shape)) if hasattr(leaf, "shape") else leaf for leaf in jax.tree.leaves(found)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("f32[4,8], i32[]", ["float32[4, 8]", "int32[]"]),
        ("{'w': f32[3], 'b': f32[ ]}, (bf16[2], u8[1,1])", ["float32[]", "float32[3]", "bfloat16[2]", "uint8[1, 1]"]),
        ("f32[2], 3, 'a,b', True,", ["float32[2]", 3, "a,b", True]),
        ("key<fry>[2]", ["key<fry>[2]"]),
        ("", []),
    ],
)
def test_a_text_is_the_types_that_it_says(text, found):
    assert shapes(read_args(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "open('x')",
        "[x for x in f32[2]]",
        "f32[2].shape",
        "(lambda: 1)()",
        "f32[__import__('os').getpid()]",
        "f32[2",
        "f'{1}'",
        "nothing[3]",
        "x",
    ],
)
def test_what_is_no_type_is_refused(text):
    with pytest.raises(NotDrawn, match=r"no list of types|cannot be read|is no type"):
        read_args(text)


def test_a_dtype_with_a_shape_is_a_type_in_code():
    assert shapes([typed("f32")[4, 8], typed("i32")[()], typed("bf16")[3]]) == ["float32[4, 8]", "int32[]", "bfloat16[3]"]


def test_an_inline_picture_has_both_colours_of_each_class():
    light = '<svg role="img"><rect class="jv-op" fill="#fff" stroke="#ccc"/><path class="jv-wire" stroke="#111"/></svg>'
    auto = light.replace(
        "<rect",
        "<style>@media (prefers-color-scheme:dark){.jv-op{fill:#000;stroke:#333}.jv-wire{stroke:#eee}.jv-no{fill:#1}}</style><rect",
        1,
    )
    found = inline_svg(light, auto)
    assert ".jaxpr-diagram .jv-op{fill:light-dark(#fff,#000);stroke:light-dark(#ccc,#333)}" in found
    assert ".jaxpr-diagram .jv-wire{stroke:light-dark(#111,#eee)}" in found
    assert "jv-no" not in found
    assert "prefers-color-scheme" not in found
