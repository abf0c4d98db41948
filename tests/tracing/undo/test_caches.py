from __future__ import annotations

import functools
from typing import Any

import pytest

from visualizer.tracing.undo._caches import Cache


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("maxsize", [None, 2, 5])
def test_a_stand_in_is_what_its_wrapper_was(maxsize, typed):
    calls: list[Any] = []

    @functools.lru_cache(maxsize, typed)
    def made(*args, **kwargs):
        calls.append((args, kwargs))
        return [args, kwargs]

    made.mine = 1
    for args, kwargs in [
        ((1,), {}),
        ((1.0,), {}),
        (("a",), {}),
        (((1, 2),), {}),
        ((1, 2), {"k": 3}),
        ((), {"k": 1, "z": 2}),
        ((), {}),
        ((1,), {}),
    ]:
        made(*args, **kwargs)
    before, count = made.cache_info(), len(calls)
    again = Cache(made).again()
    assert len(calls) == count  # nothing was asked of the function
    assert (type(again), again.cache_info(), again.mine) == (type(made), before, 1)
    assert Cache(again).entries == Cache(made).entries
    assert again(1) is made(1)
    made_info = made.cache_info()
    assert made_info == again.cache_info()
    again("new")
    again.cache_clear()
    assert again.cache_info()[:2] == (0, 0)
    assert made.cache_info() == made_info


def test_what_is_thrown_out_first_is_the_oldest():
    made = functools.lru_cache(2)(lambda n: [n])
    made(1), made(2), made(1)
    again = Cache(made).again()
    again(3)
    assert [key for key, _ in Cache(again).entries] == [1, 3]
    assert [key for key, _ in Cache(made).entries] == [2, 1]
