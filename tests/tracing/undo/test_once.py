from __future__ import annotations

import functools
import itertools
import os
import sqlite3
import types
from pathlib import Path
from typing import Any

import pytest

from visualizer.tracing.undo._once import Once, OnceError, is_once, with_again

ITERATORS = {
    "list": lambda: iter([1, 2, 3]),
    "count": lambda: itertools.count(3, 2),
    "cycle": lambda: itertools.cycle([1, 2]),
    "chain": lambda: itertools.chain([1], [2, 3]),
    "islice": lambda: itertools.islice(itertools.count(), 2, 9, 2),
    "zip": lambda: zip(itertools.count(), "abc", strict=False),
    "map": lambda: map(str, iter([1, 2, 3])),
    "enumerate": lambda: enumerate("abc", 1),
    "filter": lambda: filter(None, [0, 1, 0, 2, 3]),
    "takewhile": lambda: itertools.takewhile(bool, iter([1, 2, 3, 0])),
    "product": lambda: itertools.product("ab", "cd"),
}


@pytest.mark.parametrize("name", ITERATORS)
@pytest.mark.parametrize("taken", [0, 1, 2])
def test_a_copy_goes_on_from_where_it_was_each_time(name, taken):
    made = ITERATORS[name]()
    for _ in range(taken):
        next(made)
    once = Once()
    assert once.keeps(made)
    runs = []
    for _ in range(2):
        once.begin()
        again = once.of(made)
        assert once.of(made) is again  # the same wherever it is met
        runs.append([*itertools.islice(again, 3)])
    assert runs[0] == runs[1] == [*itertools.islice(made, 3)]
    assert not once.asked


def test_what_cannot_be_copied_notes_that_it_was_asked():
    once = Once()
    numbers = (n for n in range(3) if n >= 0 for _ in "a")
    assert next(numbers) == 0
    made = zip(numbers, [1, 2], strict=False)
    once.keeps(made)
    with pytest.raises(OnceError):
        next(once.of(made))
    assert once.asked
    assert next(made) == (1, 1)


def test_two_over_one_go_through_one():
    once, numbers = Once(), iter([1, 2, 3, 4, 5, 6])
    pairs = zip(numbers, numbers, strict=False)
    assert once.keeps(pairs)
    assert once.keeps(numbers)
    for _ in range(2):
        once.begin()
        assert next(once.of(pairs)) == (1, 2)
        assert next(once.of(numbers)) == 3
    assert list(pairs) == [(1, 2), (3, 4), (5, 6)]


def test_a_generator_that_a_run_leaves_ends_with_it():
    ended = []

    def made():
        try:
            yield 1
        finally:
            ended.append(True)

    once, given = Once(), made()
    once.keeps(given)
    once.begin()
    assert next(once.of(given)) == 1
    assert ended == []
    once.end()
    assert ended == [True]
    assert next(given) == 1


@pytest.mark.parametrize("made", [lambda file: sqlite3.connect(":memory:").execute, lambda file: os.read, lambda file: file.readline])
def test_what_is_outside_of_the_process_is_not_asked(made):
    with Path(__file__).open() as file:
        value, once = made(file), Once()
        once.keeps(value)
        with pytest.raises(OnceError):
            once.of(value)("select 1")
        assert once.asked


def test_an_argument_is_what_it_was_each_time_it_is_called():
    once, numbers = Once(), iter([1, 2, 3])
    once.keeps(numbers)
    total = with_again(lambda given, more: sum(given["n"]) + more, once)
    assert sum(numbers) == 6
    once.begin()
    assert total({"n": numbers}, 1) == 7
    assert total({"n": numbers}, 1) == 1  # one run goes through it once
    once.end()
    assert [total({"n": numbers}, 1), total({"n": numbers}, 1)] == [7, 7]


def test_what_holds_one_is_made_again():
    @functools.lru_cache(None)
    def scale(n: int) -> Any:
        return [n]

    class Model:
        scaled = scale

    model = Model()
    held = [(scale, 1), functools.partial(scale, 2), model.scaled, staticmethod(scale), property(scale), scale.cache_info]
    once = Once()
    assert [*map(once.keeps, held)] == [True] * len(held)
    pair, part, method, static, prop, info = map(once.of, held)
    assert pair[0] is static.__func__ is prop.fget is part.func is method.__func__ is once.of(scale) is not scale
    assert method.__self__ is model
    part()
    assert (info().misses, scale.cache_info().misses) == (1, 0)


def test_what_needs_none_is_itself():
    once = Once()
    for value in ((1, [2]), functools.partial(len), types.SimpleNamespace(), len, [].append, print):
        assert not once.keeps(value)
        assert once.of(value) is value
    assert not is_once([1])
