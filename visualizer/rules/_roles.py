"""The role of every operand and result of an equation, from its primitive and its params alone.

Promises: the names frozen in the wire model (`const`, `carry`, `xs`, `ys`, ...); one role per operand and per result.
Must never: trust a primitive's name: one that calls itself `scan` without a scan's params is an ordinary primitive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Roles = tuple[Sequence[str], Sequence[str]]
ROLES_OF = ("scan", "while", "cond")


def roles(primitive: str, params: Mapping[str, Any], operands: int, results: int) -> Roles:
    """The roles of `operands` operands and `results` results of an equation of `primitive`."""
    if primitive == "scan":
        counts = _counts(params, "num_consts", "num_carry")
        if counts and sum(counts) <= operands and counts[1] <= results:
            consts, carry = counts
            return (
                ["const"] * consts + ["carry"] * carry + ["xs"] * (operands - consts - carry),
                ["carry"] * carry + ["ys"] * (results - carry),
            )
    elif primitive == "while":
        counts = _counts(params, "cond_nconsts", "body_nconsts")
        if counts and sum(counts) + results == operands:
            return ["cond_const"] * counts[0] + ["body_const"] * counts[1] + ["carry"] * results, ["carry"] * results
    elif primitive == "cond" and operands and isinstance(params.get("branches"), tuple):
        return ["index"] + ["operand"] * (operands - 1), ["result"] * results
    return ["arg"] * operands, ["result"] * results


_UNCOUNTABLE = 2**53


def trips(primitive: str, params: Mapping[str, Any]) -> int | None:
    """How often the bodies of the equation run per call, where JAX knows it: the length of a scan."""
    length = params.get("length") if primitive == "scan" else None
    # JAX traces any length; what no reader of JSON could count stays in the param alone.
    return length if type(length) is int and 0 <= length < _UNCOUNTABLE else None


def _counts(params: Mapping[str, Any], *names: str) -> tuple[int, ...] | None:
    values = tuple(params.get(name) for name in names)
    return values if all(type(value) is int and value >= 0 for value in values) else None  # type: ignore[return-value]
