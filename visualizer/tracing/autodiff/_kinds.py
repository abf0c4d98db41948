"""Which values are cotangents, tangents and residuals.

JAX's name stacks say which equations belong to a transposed side, and from there on identity decides: what a forward side makes and its
transposed side reads is a residual. Cotangents and tangents are either observed while JAX made them so (`_observed`), or, for a program
that nobody watched, a value that leaves a transposed side is a gradient, and the cotangent is followed back from it.

Where a value is a cotangent or tangent of several differentiations, the outermost, applied last, names it: the tangent of a cotangent
(hessian, forward over reverse) is a `tangent`, the cotangent of a tangent (reverse over forward) a `cotangent`. A value that one side
saves for the other is a `residual`, whatever else it is.

Promises: a kind is given only where it follows; a body reached in several ways keeps only the kinds that all agree on. Each kind is
linear in what its differentiation started with, unless the person's own rule is not.
Must never: guess. A product of two values that could both be the cotangent ends the search; where JAX was not watched, a backward pass that
was pushed forward has neither tangents nor cotangents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ._alike import Alike
from ._levels import Levels, is_transposed, saves
from ._linear import NAMES, TANGENT, UNKNOWN, State
from ._linear_flags import flags, forward_modes, sides
from ._origins import MAX_DEPTH, Instance, Layout, Origins
from ._solution import Inner, Solution

Dict = dict[str, Any]
End = tuple[int, str, int]
"""Number of an equation, `operands` or `results`, index."""
Marks = dict[End, str]
"""The kinds of a body's operands and results; those that are absent have none."""


_NOTHING: Marks = {}
# Nothing changes them: operands share them.
LINEAR = {value: {"value": value, "derived": True} for value in (False, True)}


@dataclass(eq=False, slots=True)
class _Way:
    """One way to reach all bodies of one form, and what follows for them; its results that are `saved` are residuals outside."""

    inner: Inner
    saved: tuple[bool, ...]
    marks: Marks = field(default_factory=dict)
    calls: list[tuple[int, Levels, list[_Way], list[bool] | None]] | None = None
    """Number of an equation with bodies, its levels, the way to each body, and for a scan which operands a transposed side made."""
    bodies: set[str] = field(default_factory=set)
    """Those that were reached so."""


class Kinds:
    """The analysis of one program. `scans` are known to be transposes of a forward scan: each carry of theirs is a cotangent.

    `observed` has the variables that JAX was seen to make cotangents or tangents; None where nobody watched. Of them those that were also
    values to differentiate at are `doubtful`, where no differentiation made them; those that were nothing but values are `valued`.
    """

    def __init__(
        self,
        origins: Origins,
        scans: Iterable[str],
        observed: Mapping[str, State] | None = None,
        doubtful: Set[str] = frozenset(),
        valued: Set[str] = frozenset(),
    ) -> None:
        self.origins = origins
        origins.alike = Alike(origins, self._known_scan, self._seen if observed is not None else None).first
        self.scans = frozenset(scans)
        self.watched = observed is not None
        self.observed: Mapping[str, State] = observed or {}
        self.doubtful = doubtful
        self.valued = valued
        self.forward_mode = TANGENT in self.observed.values()
        self.depth = 0
        self._solved: dict[tuple[Any, ...], Solution] = {}
        self._ways: dict[tuple[Any, ...], _Way] = {}
        self._marks: dict[str, Marks] = {}
        self._touched: dict[str, bool] = {}
        self._scans: dict[str, tuple[Dict, list[tuple[Levels, tuple[State, ...], list[bool]]]]] = {}

    def mark(self, entry: str) -> None:
        """Set `kind` on the operands and results of the program."""
        jaxpr = self.origins.jaxprs[entry]
        instance = Instance(entry, "", (None,) * len(jaxpr["invars"]))
        nothing = (False,) * len(jaxpr["outvars"])
        states = [self.observed.get(var, UNKNOWN) if var not in self.doubtful else UNKNOWN for var in jaxpr["invars"]]
        self._record(entry, self._way((instance, tuple(states), nothing), nothing))
        if not self.watched:
            self._drop_doubtful()
        for body, marks in self._marks.items():
            eqns = self.origins.jaxprs[body]["eqns"]
            for (number, side, index), kind in marks.items():
                eqns[number][side][index]["kind"] = kind
        self._mark_linear()

    def _drop_doubtful(self) -> None:
        """Where a backward pass was pushed forward (a hessian) and nobody watched, a cotangent and its tangent cannot be told apart."""
        levels = self.origins.all_levels()
        transposed = sides(levels)
        doubtful = {own for own in levels if is_transposed(own) and forward_modes(own, transposed)}
        for way in self._ways.values() if doubtful else ():
            layout = self.solve(*way.inner).layout
            read = {(number, "operands", index) for number, index, _, at, _ in layout.foreign if at in doubtful}
            numbers = {number for number, own in enumerate(layout.owns) if own in doubtful}
            for body in way.bodies if numbers or read else ():
                marks = self._marks.get(body, _NOTHING)
                kept = {end for end, kind in marks.items() if kind == "residual" or not (end[0] in numbers or end in read)}
                self._marks[body] = {end: kind for end, kind in marks.items() if end in kept}

    def _known_scan(self, eqn: str) -> bool:
        return eqn in self.scans

    def _seen(self, var: str) -> tuple[State | None, bool]:
        return self.observed.get(var), var in self.doubtful or var in self.valued

    def _mark_linear(self) -> None:
        transposed = sides(self.origins.all_levels())
        for eqn, ways in self._scans.values():
            found: set[tuple[bool | None, ...]] = set()
            for own, states, inside in ways:
                outer, known = forward_modes(own, transposed), eqn["id"] in self.scans
                found.add(tuple(flags(eqn, own, states, outer, watched=self.watched, known=known, inside=inside)))
            for operand, values in zip(eqn["operands"], zip(*found, strict=True), strict=True):
                same = values[0] is not None and len(set(values)) == 1
                operand["linear"] = LINEAR[values[0]] if same else None

    def is_float(self, body: str, var: str) -> bool:
        """Whether a variable can carry a cotangent at all."""
        return _is_float(self.origins.jaxprs[body]["vars"][var]["dtype"])

    def solve(self, instance: Instance, states: tuple[State, ...], demand: tuple[bool, ...]) -> Solution:
        """The states of every value of an instance, given those of its binders and which of its results are cotangents."""
        key = (instance, states, demand)
        known = self._solved.get(key)
        if known is None:
            known = self._solved[key] = Solution(self, instance, states)
            if self.depth < MAX_DEPTH and (instance.around or self._touches(instance.body)):
                self.depth += 1
                known.run(demand)
                self.depth -= 1
        return known

    def _record(self, body: str, way: _Way) -> None:
        """Note what is what in a body that is reached in one way."""
        if body in way.bodies or self.depth >= MAX_DEPTH:
            return
        way.bodies.add(body)
        instance = way.inner[0]
        if not (instance.around or True in way.saved or self._touches(instance.body)):
            self._untouched(body)
            return
        calls = self._follow(way) if way.calls is None else way.calls
        self._merge(body, way.marks)
        rows = self.origins.rows(body)
        self.depth += 1
        for number, own, ways, inside in calls:
            eqn = rows[number].eqn
            for call, within in zip(eqn["nested"], ways, strict=True):
                self._record(call["jaxpr"], within)
            if inside is not None:
                self._scans.setdefault(eqn["id"], (eqn, []))[1].append((own, ways[0].inner[1], inside))
        self.depth -= 1

    def _way(self, inner: Inner, saved: tuple[bool, ...]) -> _Way:
        key = (inner, saved)
        known = self._ways.get(key)
        if known is None:
            known = self._ways[key] = _Way(inner, saved)
        return known

    def _follow(self, way: _Way) -> list[tuple[int, Levels, list[_Way], list[bool] | None]]:
        """What is what in all bodies that are reached in one way."""
        found = way.calls = []
        solution = self.solve(*way.inner)
        layout, residuals = solution.layout, solution.residuals(way.saved)
        way.marks = marks(layout, solution.states, residuals, solution.marked)
        for number in self.origins.calls(way.inner[0].body) if layout.owns else ():
            row, own = layout.rows[number], layout.owns[number]
            ways = [self._way(inner, solution.saved_outs(row, ends, residuals)) for ends, inner in solution.calls(row, own)]
            inside = None
            if row.eqn["trips"] is not None and len(ways) == 1:
                inside = [is_transposed(layout.made.get(var, "")) for var in row.operands]  # type: ignore[arg-type]
            found.append((number, own, ways, inside))
        return found

    def _touches(self, body: str) -> bool:
        """Whether any equation in the body, at any depth, belongs to a differentiation."""
        known = self._touched.get(body)
        if known is None:
            self._touched[body] = False
            rows = self.origins.rows(body)
            known = any(row.stack and self.origins.levels(row.stack, "") for row in rows) or any(
                self._touches(call["jaxpr"]) for number in self.origins.calls(body) for call in rows[number].eqn["nested"]
            )
            self._touched[body] = known
        return known

    def _merge(self, body: str, found: Marks) -> None:
        known = self._marks.get(body)
        if known is None:
            self._marks[body] = found
        elif known:
            self._marks[body] = {key: kind for key, kind in known.items() if found.get(key) == kind}

    def _untouched(self, body: str) -> None:
        """Nothing in the body, or below, has a kind, as it is reached in a way that no differentiation touched."""
        if self._marks.get(body) is not _NOTHING:
            self._marks[body] = _NOTHING
            for number in self.origins.calls(body):
                row = self.origins.rows(body)[number]
                if row.eqn["trips"] is not None:
                    nothing = [False] * len(row.operands)
                    self._scans.setdefault(row.eqn["id"], (row.eqn, []))[1].append(("", (UNKNOWN,) * len(row.operands), nothing))
                for call in row.eqn["nested"]:
                    self._untouched(call["jaxpr"])


@lru_cache(256)
def _is_float(dtype: str) -> bool:
    return dtype.startswith(("float", "bfloat", "complex"))


def marks(layout: Layout, states: Mapping[str, State], residuals: set[str], marked: Mapping[tuple[int, int], State]) -> Marks:
    """The kinds of the operands and results of one body. `marked` has those of operands alone: {(equation, index): state}."""
    found: Marks = {}
    rows = layout.rows
    named = {var: NAMES[state] for var, state in states.items() if state in NAMES}
    if named:
        numbers = range(len(layout.owns)) if TANGENT in states.values() else layout.transposed
        for number in numbers:
            _, _, operands, results, *_ = rows[number]
            if layout.owns[number]:
                for index, var in enumerate(operands):
                    if var in named:
                        found[number, "operands", index] = named[var]
                for index, var in enumerate(results):
                    if var in named:
                        found[number, "results", index] = named[var]
    if residuals:
        for number, row in enumerate(rows):
            for index, var in enumerate(row.results):
                if var in residuals and var in layout.made:
                    found[number, "results", index] = "residual"
    for (number, index), state in marked.items():
        found[number, "operands", index] = NAMES[state]
    for number, index, var, at, own in layout.foreign:
        kind = "residual" if var in residuals and saves(at, own) else named.get(var)
        if kind is not None:
            found[number, "operands", index] = kind
    return found
