"""The role of every operand and result, from JAX's definitions of scan, while and cond; a name alone gives none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.rules import roles, trips

ARG, RESULT = ["arg"], ["result"]


@pytest.mark.parametrize(
    ("primitive", "params", "operands", "results"),
    [
        ("scan", {"num_consts": 1, "num_carry": 2}, ["const", "carry", "carry", "xs"], ["carry", "carry", "ys", "ys"]),
        ("scan", {"num_consts": 0, "num_carry": 0}, ["xs"], ["ys"]),
        ("scan", {"num_consts": 0, "num_carry": 1}, ["carry"], ["carry"]),
        ("scan", {"num_consts": 0, "num_carry": 0}, [], []),
        ("while", {"cond_nconsts": 1, "body_nconsts": 2}, ["cond_const", "body_const", "body_const", "carry"], ["carry"]),
        ("while", {"cond_nconsts": 0, "body_nconsts": 0}, ["carry"] * 3, ["carry"] * 3),
        ("cond", {"branches": (None, None)}, ["index", "operand", "operand"], ["result"]),
        ("cond", {"branches": (None,) * 5}, ["index"], ["result"] * 2),
        ("jit", {"jaxpr": None}, ARG * 3, RESULT * 2),
        ("add", {}, ARG * 2, RESULT),
    ],
)
def test_roles_by_definition(primitive: str, params: dict[str, Any], operands: list[str], results: list[str]) -> None:
    assert tuple(map(list, roles(primitive, params, len(operands), len(results)))) == (operands, results)


@pytest.mark.parametrize(
    ("primitive", "params", "operands", "results"),
    [
        ("scan", {}, 3, 2),
        ("scan", {"num_consts": 1}, 3, 2),
        ("scan", {"num_consts": 2, "num_carry": 2}, 3, 2),  # more than there are operands
        ("scan", {"num_consts": 0, "num_carry": 3}, 3, 2),  # more than there are results
        ("scan", {"num_consts": -1, "num_carry": 1}, 3, 2),
        ("scan", {"num_consts": True, "num_carry": 1}, 3, 2),
        ("scan", {"num_consts": "1", "num_carry": 1}, 3, 2),
        ("while", {"cond_nconsts": 1, "body_nconsts": 1}, 3, 2),  # the carry is not what is left
        ("while", {"cond_nconsts": 1}, 3, 2),
        ("cond", {}, 3, 2),
        ("cond", {"branches": [None, None]}, 3, 2),
        ("cond", {"branches": (None, None)}, 0, 2),  # nothing to choose by
    ],
)
def test_a_name_without_its_params_gives_no_role(primitive: str, params: dict[str, Any], operands: int, results: int) -> None:
    assert tuple(map(list, roles(primitive, params, operands, results))) == (ARG * operands, RESULT * results)


@given(
    primitive=st.sampled_from(["scan", "while", "cond", "jit"]),
    params=st.dictionaries(
        st.sampled_from(["num_consts", "num_carry", "cond_nconsts", "body_nconsts", "branches"]), st.integers(-1, 5) | st.just((0, 1))
    ),
    operands=st.integers(0, 8),
    results=st.integers(0, 8),
)
def test_one_role_for_each_whatever_the_params_say(primitive: str, params: dict[str, Any], operands: int, results: int) -> None:
    taken, given_ = roles(primitive, params, operands, results)
    assert (len(taken), len(given_)) == (operands, results)


@pytest.mark.parametrize(
    ("primitive", "params", "count"),
    [
        ("scan", {"length": 6}, 6),
        ("scan", {"length": 0}, 0),
        ("scan", {"length": 2**53}, None),
        ("scan", {"length": "b"}, None),
        ("scan", {"length": True}, None),
        ("scan", {"length": -1}, None),
        ("while", {"length": 6}, None),
    ],
)
def test_trips_where_jax_knows_them(primitive: str, params: dict[str, Any], count: int | None) -> None:
    assert trips(primitive, params) == count
