"""Bodies that automatic differentiation's analysis cannot tell apart: the layers of a network each have their own, all of one form.

Promises: two bodies have one form only where they agree in all that the analysis reads: primitives, name stacks, which operand is which
variable, literals, roles, wiring, what is a float, what JAX was seen to do with each variable, and the same of the bodies within.
Must never: compare what the analysis does not read, or bodies deeper than it goes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from ._origins import MAX_DEPTH, Origins, Row

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
        jaxpr = self._origins.jaxprs[body]
        variables = jaxpr["vars"]
        place = {var: number for number, var in enumerate(variables)}
        extra = self._of_var
        return (
            len(jaxpr["constvars"]),
            len(jaxpr["invars"]),
            tuple([var["dtype"] for var in variables.values()]),
            tuple([extra(var) for var in variables]) if extra is not None else None,
            tuple([self._row(row, place) for row in self._origins.rows(body)]),
            tuple([place[atom["var"]] if "var" in atom else atom["literal"] for atom in jaxpr["outvars"]]),
        )

    def _row(self, row: Row, place: dict[str, int]) -> Hashable:
        eqn, primitive, operands, results, calls = row
        if None in operands:
            read: list[Any] = [place[var] if var is not None else _literal(eqn, i) for i, var in enumerate(operands)]
        else:
            read = [place[var] for var in operands]  # type: ignore[index]
        # What an equation makes are the next variables; name stacks and wirings that are equal are mostly one object.
        return (primitive, id(eqn["stack"]), *read, len(results), self._within(eqn) if calls else None)

    def _within(self, eqn: Dict) -> Hashable:
        return (
            self._of_eqn(eqn["id"]),
            eqn["trips"] is None,
            tuple([operand["role"] for operand in eqn["operands"]]),
            tuple([result["role"] for result in eqn["results"]]),
            tuple([(id(call["inputs"]), id(call["outputs"]), self.first(call["jaxpr"])) for call in eqn["nested"]]),
        )


def _literal(eqn: Dict, index: int) -> str:
    text: str = eqn["operands"][index]["atom"]["literal"]
    return text
