"""Bodies that automatic differentiation's analysis cannot tell apart: the layers of a network each have their own, all of one form.

Promises: two bodies have one form only where they agree in all that the analysis reads: primitives, name stacks, which operand is which
variable, literals, roles, wiring, what is a float, what JAX was seen to do with each variable, and the same of the bodies within.
Must never: compare what the analysis does not read, or bodies deeper than it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from ._origins import LOOPS, MAX_DEPTH, Origins, Row

Dict = dict[str, Any]


class Alike:
    """The forms of a program's bodies. `of_eqn` and `of_var` say what is known beside the jaxprs of equations with bodies and variables."""

    def __init__(self, origins: Origins, of_eqn: Callable[[str], Hashable], of_var: Callable[[str], Hashable] | None) -> None:
        self._origins = origins
        self._of_eqn = of_eqn
        self._of_var = of_var
        self._first: dict[Hashable, str] = {}
        self._known: dict[str, str] = {}
        self._depth = 0

    def first(self, body: str) -> str:
        """The first body met that has the form of this one."""
        known = self._known.get(body)
        if known is None:
            if self._depth >= MAX_DEPTH:
                return body
            self._depth += 1
            known = self._known[body] = self._first.setdefault(self._form(body), body)
            self._depth -= 1
        return known

    def _form(self, body: str) -> Hashable:
        jaxpr, rows, extra = self._origins.jaxprs[body], self._origins.rows(body), self._of_var
        return (
            self._origins.frame(body),
            tuple([extra(var) for var in jaxpr["vars"]]) if extra is not None else None,
            # What an equation makes are the next variables; name stacks and wirings that are equal are mostly one object.
            tuple([row.form for row in rows]),
            tuple([self._within(rows[number]) for number in self._origins.calls(body)]),
        )

    def _within(self, row: Row) -> Hashable:
        eqn = row.eqn
        roles = tuple([end["role"] for side in ("operands", "results") for end in eqn[side]]) if row.primitive in LOOPS else None
        return (
            self._of_eqn(eqn["id"]),
            eqn["trips"] is None,
            roles,
            tuple([(id(call["inputs"]), id(call["outputs"]), self.first(call["jaxpr"])) for call in eqn["nested"]]),
        )
