"""What is said of a parameter that takes a text."""

from __future__ import annotations

import pytest

from visualizer.tracing.arguments._signature import ArgumentError, arguments


def layer(x, act: str, how: str | None, n: int): ...


@pytest.mark.parametrize(
    ("texts", "advice"),
    [
        ({}, "Write its type, like f32[3], or a value."),
        ({"x": "f32[3]"}, "It takes a text: write it in quotes, like 'sum'."),
        ({"x": "f32[3]", "act": "relu"}, "It takes a text: write it in quotes, like 'sum'."),
        ({"x": "f32[3]", "act": "'relu'", "how": "same"}, "It takes a text: write it in quotes, like 'sum'."),
        ({"x": "f32[3]", "act": "'relu'", "how": "'same'"}, "Write its type, like f32[3], or a value."),
        ({"x": "nothing"}, "Types are written as JAX prints them: f32[3], i32[], key<fry>[]."),
    ],
)
def test_a_text_is_asked_for_where_one_is_taken(texts, advice):
    with pytest.raises(ArgumentError) as caught:
        arguments(layer, texts, {})
    assert caught.value.advice == advice
