"""Where each value of a program was made, as far as automatic differentiation is concerned.

Promises: follows values through the bodies of calls and through binders, for each way a body is reached, once per distinct way.
Must never: give a place to a value that came into the program from outside (an argument, a constant, a literal, an equation that no
differentiation touched): those are None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ._levels import Levels, is_transposed, levels

Dict = dict[str, Any]
Made = Levels | None
# Bodies nested deeper than this are not analysed: what is in them keeps no kind.
MAX_DEPTH = 100


class Instance(NamedTuple):
    """A body as it is reached in one way: the levels around it, and where each of its binders was made."""

    body: str
    around: Levels
    binders: tuple[Made, ...]


class Row(NamedTuple):
    """An equation laid out for the analysis: the variables of its operands (None for a literal), and those it makes."""

    eqn: Dict
    primitive: str
    operands: tuple[str | None, ...]
    results: tuple[str, ...]
    calls: bool
    """Whether it has bodies."""


class Layout:
    """One instance: the levels of each equation, where each variable was made, and what was made elsewhere than it is read."""

    __slots__ = ("foreign", "made", "owns", "rows", "transposed")

    def __init__(self, rows: list[Row], made: dict[str, Levels]) -> None:
        self.rows = rows
        self.made = made
        self.owns: list[Levels] = []
        self.foreign: list[tuple[int, int, str, Made, Levels]] = []
        """Number of the equation, index of the operand, its variable, where that was made, and where it is read."""
        self.transposed: list[int] = []
        """Numbers of the equations on a transposed side."""


class Origins:
    """Where values are made, instance by instance."""

    def __init__(
        self, jaxprs: dict[str, Dict], rows: dict[str, list[Row]] | None = None, calls: dict[str, list[int]] | None = None
    ) -> None:
        """`rows` has the equations of each body laid out, `calls` the numbers of those with bodies; both are made where there are none."""
        self.jaxprs = jaxprs
        self.alike: Callable[[str], str] = str  # of all bodies that are alike, the one that is looked at
        self._rows = {body: [_row(eqn) for eqn in jaxpr["eqns"]] for body, jaxpr in jaxprs.items()} if rows is None else rows
        self._calls = (
            {body: [number for number, row in enumerate(rows) if row.calls] for body, rows in self._rows.items()}
            if calls is None
            else calls
        )
        self._levels: dict[Levels, dict[int, Levels]] = {}
        self._layouts: dict[Instance, Layout] = {}
        self._plain: dict[str, bool] = {}
        self._depth = 0

    def levels(self, eqn: Dict, around: Levels) -> Levels:
        """The levels of an equation in a body that is reached at the levels `around`. Name stacks are interned, so their ids do."""
        stack = eqn["stack"]
        if not stack:
            return around
        cache = self._levels.setdefault(around, {})
        known = cache.get(id(stack))
        if known is None:
            known = cache[id(stack)] = levels(stack, around)
        return known

    def all_levels(self) -> set[Levels]:
        """All levels that have been met so far."""
        return {own for known in self._levels.values() for own in known.values()}

    def rows(self, body: str) -> list[Row]:
        """The equations of a body, laid out."""
        return self._rows[body]

    def calls(self, body: str) -> list[int]:
        """The numbers of the equations of a body that have bodies themselves."""
        return self._calls[body]

    def callers(self, body: str) -> list[Dict]:
        """Those equations."""
        rows = self._rows[body]
        return [rows[number].eqn for number in self._calls[body]]

    def is_plain(self, eqn: Dict) -> bool:
        """`is_transparent`, looked at once."""
        known = self._plain.get(eqn["id"])
        if known is None:
            known = self._plain[eqn["id"]] = is_transparent(eqn)
        return known

    def layout(self, instance: Instance) -> Layout:
        """Where the variables of an instance's body were made; those from outside are absent from `made`."""
        known = self._layouts.get(instance)
        if known is not None:
            return known
        body, around, binders = instance
        made = {var: at for var, at in zip(self.jaxprs[body]["invars"], binders, strict=True) if at is not None}
        layout = self._layouts[instance] = Layout(self.rows(body), made)
        if self._depth < MAX_DEPTH:
            self._depth += 1
            self._lay(layout, around)
            self._depth -= 1
        return layout

    def nested(self, eqn: Dict, own: Levels, made: dict[str, Levels]) -> list[Instance]:
        """The instances of an equation's bodies."""
        ends = [own or None if operand["role"] == "carry" else made.get(operand["atom"].get("var")) for operand in eqn["operands"]]
        return [Instance(self.alike(call["jaxpr"]), own, self._binders(call["inputs"], ends, own)) for call in eqn["nested"]]

    def _lay(self, layout: Layout, around: Levels) -> None:
        made, foreign, transposed = layout.made, layout.foreign, layout.transposed
        known, place = self._levels.setdefault(around, {}), made.get
        for number, (eqn, _, operands, results, calls) in enumerate(layout.rows):
            stack = eqn["stack"]
            own = (known.get(id(stack)) or self.levels(eqn, around)) if stack else around
            layout.owns.append(own)
            if own:
                if is_transposed(own):
                    transposed.append(number)
                for index, var in enumerate(operands):
                    if (at := place(var, own)) != own:  # type: ignore[arg-type]
                        foreign.append((number, index, var, at, own))  # type: ignore[arg-type]
            elif made:
                for index, var in enumerate(operands):
                    if var in made:
                        foreign.append((number, index, var, made[var], own))
            if calls and self.is_plain(eqn):
                self._call(eqn, own, made)
            elif own:
                for result in results:
                    made[result] = own

    def _call(self, eqn: Dict, own: Levels, made: dict[str, Levels]) -> None:
        (inner,) = self.nested(eqn, own, made)
        inside = self.layout(inner).made
        for result, atom in zip(eqn["results"], self.jaxprs[inner.body]["outvars"], strict=True):
            at = inside.get(atom["var"]) if "var" in atom else None
            if at:
                made[result["var"]] = at

    def _binders(self, wires: list[Dict], ends: list[Made], own: Levels) -> tuple[Made, ...]:
        """Where the binders of a body were made, given it of the operands. Those of a carry are also fed by the step before."""
        return tuple([ends[wire["index"]] if wire["from"] == "operand" else own or None for wire in wires])


def _row(eqn: Dict) -> Row:
    operands = tuple([operand["atom"].get("var") for operand in eqn["operands"]])
    results = eqn["results"]
    return Row(
        eqn,
        eqn["primitive"],
        operands,
        (results[0]["var"],) if len(results) == 1 else tuple([result["var"] for result in results]),
        bool(eqn["nested"]),
    )


def is_transparent(eqn: Dict) -> bool:
    """Whether the equation is a plain call: one body that takes its operands and gives its results, one to one, once."""
    nested = eqn["nested"]
    if len(nested) != 1 or eqn["trips"] is not None:
        return False
    call = nested[0]
    return len(call["outputs"]) == len(eqn["results"]) and _straight(call["outputs"]) and _operands_only(call["inputs"], eqn)


def _straight(outputs: Sequence[Sequence[Dict]]) -> bool:
    for i, ends in enumerate(outputs):  # noqa: SIM110 - a generator costs more, and this runs for every equation with a body
        if len(ends) != 1 or ends[0]["to"] != "result" or ends[0]["index"] != i:
            return False
    return True


def _operands_only(inputs: Sequence[Dict], eqn: Dict) -> bool:
    if len(inputs) != len(eqn["operands"]):
        return False
    for i, wire in enumerate(inputs):  # noqa: SIM110
        if wire["from"] != "operand" or wire["index"] != i:
            return False
    return True
