"""The way up the frames."""

from __future__ import annotations

from visualizer.tracing.running._frames import MAX_FRAMES, nearest


def ask(name):
    found = nearest(lambda frame: frame.f_code.co_name == name)
    return None if found is None else found.f_locals.get("depth")


def deep(depth, name):
    return ask(name) if depth == 0 else deep(depth - 1, name)


def outermost(depth, name):
    return deep(depth, name)


def test_the_innermost_that_is_wanted():
    assert outermost(3, "deep") == 0
    assert outermost(3, "outermost") == 3
    assert outermost(3, "no such function") is None


def test_one_that_is_too_far_is_not_found():
    assert outermost(MAX_FRAMES - 2, "outermost") == MAX_FRAMES - 2
    assert outermost(MAX_FRAMES, "outermost") is None
