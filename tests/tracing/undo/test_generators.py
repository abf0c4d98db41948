"""A generator that was not begun is made again; another only where nothing of it is needed to go on."""

from __future__ import annotations

from typing import Any

import pytest

from visualizer.tracing.undo._generators import generator_again


def numbers(a: int, /, b: int = 2, *rest: int, c: int, **more: int) -> Any:
    k = 10

    def scaled(n: int) -> int:
        return n * k + b

    a += 1
    yield from map(scaled, (a, b, *rest, c, *more.values()))


def same(part: Any) -> Any:
    return part


def test_one_that_was_not_begun_has_its_arguments_again():
    made = numbers(1, 2, 3, 4, c=5, d=6)
    again = [generator_again(made, same) for _ in range(2)]
    assert [list(one) for one in again] == [list(made)] * 2 == [[22, 22, 32, 42, 52, 62]] * 2


def test_its_arguments_are_what_they_are_said_to_be():
    given = iter([1, 2, 3])
    made = (n * 2 for n in given)
    again = generator_again(made, lambda part: iter([7]) if part is given else part)
    assert (list(again), list(made)) == ([14], [2, 4, 6])


def test_one_loop_goes_on_from_where_its_iterator_is():
    made = (n * 2 for n in [1, 2, 3])
    next(made)
    assert list(generator_again(made, lambda part: iter([2, 3]))) == [4, 6]
    nested = (n * m for n in [1, 2] for m in [3, 4])
    next(nested)
    assert generator_again(nested, same) is None


def test_one_in_the_middle_of_its_body_is_not_made_again():
    made = numbers(1, c=5)
    next(made)
    assert generator_again(made, same) is None
    made.close()
    assert generator_again(made, same) is made
    with pytest.raises(StopIteration):
        next(made)
