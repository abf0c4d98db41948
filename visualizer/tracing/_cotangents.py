"""Which values are cotangents, and which are residuals.

JAX's name stacks say which equations belong to a transposed side, not which of their values carry the cotangent. Gradients do: a value of
a transposed side that is read outside of it is one. From there the cotangent is followed back through linear primitives to where it came
in, and forward through every equation that reads one.

Promises: a kind is given only where it follows; a body reached in two ways keeps only the kinds that both agree on.
Must never: guess. A product of two values that could both be the cotangent ends the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ._levels import Levels, is_transposed, leaves, saves
from ._linear import NONLINEAR, rule
from ._origins import MAX_DEPTH, Instance, Origins, is_transparent

Dict = dict[str, Any]
# What is known of a value, the likeliest first: it is a cotangent; it may be one; it came from outside and may be one; it is none.
State = int
YES, MAYBE, OUTSIDE, NO = range(4)
Kinds = list[str | None]
MAX_ROUNDS = 4
# `grad` starts from 1; a sum over no cotangents is 0.
SEEDS = frozenset({"1.0", "0.0", "(1+0j)", "0j"})


class Row(NamedTuple):
    """An equation laid out for the analysis: variables of its operands (None for a literal), states of its literals, variables it makes.

    `literals` is empty where no operand is one.
    """

    eqn: Dict
    operands: tuple[str | None, ...]
    literals: tuple[State, ...]
    results: tuple[str, ...]
    passes: bool
    """Whether it has bodies that take its operands and give its results: a plain call, a cond."""


class Cotangents:
    """The analysis of one program. `scans` are known to be transposes of a forward scan: each carry of theirs is a cotangent."""

    def __init__(self, origins: Origins, scans: Iterable[str]) -> None:
        self.origins = origins
        self.scans = frozenset(scans)
        self._solved: dict[tuple[Any, ...], _Solution] = {}
        self._recorded: set[tuple[Any, ...]] = set()
        self._kinds: dict[str, Kinds] = {}
        self._depth = 0
        self._touched: dict[str, bool] = {}
        self._rows: dict[str, list[Row]] = {}

    def mark(self, entry: str) -> None:
        """Set `kind` on the operands and results of the program."""
        binders = (None,) * len(self.origins.jaxprs[entry]["invars"])
        outs = (False,) * len(self.origins.jaxprs[entry]["outvars"])
        self._record(Instance(entry, "", binders), (OUTSIDE,) * len(binders), outs, outs)
        for body, kinds in self._kinds.items():
            ends = [end for eqn in self.origins.jaxprs[body]["eqns"] for end in (*eqn["operands"], *eqn["results"])]
            for end, kind in zip(ends, kinds, strict=True):
                end["kind"] = kind

    def rows(self, body: str) -> list[Row]:
        """The equations of a body, laid out once."""
        known = self._rows.get(body)
        if known is None:
            known = self._rows[body] = [_row(eqn) for eqn in self.origins.jaxprs[body]["eqns"]]
        return known

    def is_float(self, body: str, var: str) -> bool:
        """Whether a variable can carry a cotangent at all."""
        return str(self.origins.jaxprs[body]["vars"][var]["dtype"]).startswith(("float", "bfloat", "complex"))

    def solve(self, instance: Instance, states: tuple[State, ...], demand: tuple[bool, ...]) -> _Solution:
        """The states of every value of an instance, given those of its binders and which of its results are cotangents."""
        key = (instance, states, demand)
        known = self._solved.get(key)
        if known is None:
            known = self._solved[key] = _Solution(self, instance, states)
            if self._depth < MAX_DEPTH:
                self._depth += 1
                known.run(demand)
                self._depth -= 1
        return known

    def _record(self, instance: Instance, states: tuple[State, ...], demand: tuple[bool, ...], saved: tuple[bool, ...]) -> None:
        key = (instance, states, demand, saved)
        if key in self._recorded or self._depth >= MAX_DEPTH:
            return
        self._recorded.add(key)
        if not (self._touches(instance.body) or instance.around or any(saved)):
            self._merge(instance.body, None)
            return
        solution = self.solve(instance, states, demand)
        residuals = solution.residuals(saved)
        self._merge(instance.body, solution.kinds(residuals))
        self._depth += 1
        for row, own in solution.rows:
            if row.eqn["nested"]:
                for call, inner in solution.calls(row, own):
                    self._record(*inner, solution.saved_outs(row.eqn, call, residuals))
        self._depth -= 1

    def _touches(self, body: str) -> bool:
        """Whether any equation in the body, at any depth, belongs to a differentiation."""
        known = self._touched.get(body)
        if known is None:
            self._touched[body] = False
            eqns = self.origins.jaxprs[body]["eqns"]
            known = any(self.origins.levels(eqn, "") for eqn in eqns) or any(
                self._touches(call["jaxpr"]) for eqn in eqns if eqn["nested"] for call in eqn["nested"]
            )
            self._touched[body] = known
        return known

    def _merge(self, body: str, kinds: Kinds | None) -> None:
        eqns = self.origins.jaxprs[body]["eqns"]
        if kinds is None:
            if body in self._kinds:
                self._kinds[body] = [None] * len(self._kinds[body])
            else:
                self._kinds[body] = [None] * sum(len(eqn["operands"]) + len(eqn["results"]) for eqn in eqns)
            for eqn in eqns:
                for call in eqn["nested"]:
                    self._merge(call["jaxpr"], None)
        elif body in self._kinds:
            self._kinds[body] = [a if a == b else None for a, b in zip(self._kinds[body], kinds, strict=True)]
        else:
            self._kinds[body] = kinds


class _Solution:
    """The states of one instance's values."""

    def __init__(self, whole: Cotangents, instance: Instance, states: Sequence[State]) -> None:
        self.whole = whole
        self.instance = instance
        self.jaxpr = whole.origins.jaxprs[instance.body]
        self.made = whole.origins.made(instance)
        self.states: dict[str, State] = dict(zip(self.jaxpr["invars"], states, strict=True))
        self.marks: set[tuple[str, int]] = set()
        self.found = 0
        self._inner: dict[str, list[Instance]] = {}
        around, levels = instance.around, whole.origins.levels
        self.rows = [(row, levels(row.eqn, around) if row.eqn["stack"] else around) for row in whole.rows(instance.body)]
        # Operands that were made on another side than the equation's: (equation, operand, variable, made, levels of the equation).
        made = self.made.get
        self.foreign = [
            (number, index, var, at, own)
            for number, (row, own) in enumerate(self.rows)
            for index, var in enumerate(row.operands)
            if (at := made(var, own)) != own  # type: ignore[arg-type]
        ]

    def run(self, demand: Sequence[bool]) -> None:
        """Settle the states: forward and back until nothing more is found."""
        transposed = [(row, own) for row, own in self.rows if is_transposed(own)]
        self._gradients(demand)
        for turn in range(MAX_ROUNDS):
            before = self.found
            for row, own in transposed:
                self._forward(row, own)
            if turn and self.found == before:
                break
            before = self.found
            for row, own in reversed(transposed):
                self._backward(row, own)
            if self.found == before:
                break

    def binders(self) -> list[State]:
        """The states of the binders."""
        return [self.states[var] for var in self.jaxpr["invars"]]

    def outs(self) -> list[State]:
        """The states of the results."""
        return [self.states.get(atom["var"], OUTSIDE) if "var" in atom else _literal(atom) for atom in self.jaxpr["outvars"]]

    def _cotangent(self, var: str) -> None:
        if self.states.get(var) != YES and self.whole.is_float(self.instance.body, var):
            self.states[var] = YES
            self.found += 1

    def _gradients(self, demand: Sequence[bool]) -> None:
        for _, _, var, at, own in self.foreign:
            if is_transposed(at) and leaves(at, own):
                self._cotangent(var)  # type: ignore[arg-type]
        for atom, wanted in zip(self.jaxpr["outvars"], demand, strict=True):
            if "var" in atom:
                made = self.made.get(atom["var"])
                leaving = made is not None and is_transposed(made) and leaves(made, self.instance.around)
                if leaving or (wanted and (made is None or is_transposed(made))):
                    self._cotangent(atom["var"])

    def _states(self, row: Row, own: Levels) -> list[State]:
        """The states of an equation's operands."""
        made, state = self.made.get, self.states.get
        found = []
        for index, var in enumerate(row.operands):
            if var is None:
                found.append(row.literals[index])
                continue
            at = made(var)
            found.append(NO if at is not None and at != own and _is_primal(at, own) else state(var, OUTSIDE))
        return found

    def _forward(self, row: Row, own: Levels) -> None:
        states: Sequence[State]
        if row.eqn["nested"]:
            states = self._through(row, own)[1]
        elif len(row.results) == 1 and self.states.get(row.results[0]) == YES:
            return
        else:
            states = (_combine(row.eqn["primitive"], self._states(row, own)),) * len(row.results)
        for var, state in zip(row.results, states, strict=True):
            if state == YES:
                self._cotangent(var)
                self.states.setdefault(var, NO)  # no number: not one
            elif self.states.get(var) != YES:
                self.states[var] = state

    def _backward(self, row: Row, own: Levels) -> None:
        for var in row.results:
            if self.states.get(var) == YES:
                break
        else:
            return
        if row.eqn["nested"]:
            for index in self._through(row, own)[0]:
                self._mark(row, index, own)
            return
        which = rule(row.eqn["primitive"], len(row.operands))
        if which == "one":
            which = self._factor(row, own)
        for index in which or ():
            self._mark(row, index, own)

    def _mark(self, row: Row, index: int, own: Levels) -> None:
        var = row.operands[index]
        if var is None:
            self.marks.add((row.eqn["id"], index))
            return
        made = self.made.get(var)
        if made is not None and is_transposed(made):
            self._cotangent(var)
        elif made is not None and not own.startswith(made):
            return  # of a forward side: never a cotangent
        elif var in self.states and is_transposed(self.instance.around):
            self._cotangent(var)
        elif self.whole.is_float(self.instance.body, var):
            self.marks.add((row.eqn["id"], index))  # from outside: it is one here, elsewhere it may be anything

    def _factor(self, row: Row, own: Levels) -> tuple[int, ...]:
        """Which factor of a product is the cotangent; nothing when two could be."""
        states = self._states(row, own)
        if YES in states:
            return (states.index(YES),)
        likely = [i for i, state in enumerate(states) if state == MAYBE and row.operands[i] is not None]
        seeds = [i for i, state in enumerate(states) if state == MAYBE and row.operands[i] is None]
        outside = [i for i, state in enumerate(states) if state == OUTSIDE]
        candidates = likely or seeds or outside
        return tuple(candidates) if len(candidates) == 1 else ()

    def calls(self, row: Row, own: Levels) -> list[tuple[Dict, tuple[Instance, tuple[State, ...], tuple[bool, ...]]]]:
        """Each body of an equation: the instance, the states of its binders and which of its results are cotangents."""
        eqn = row.eqn
        found = self._states(row, own)
        results = [self.states.get(var) == YES for var in row.results]
        if eqn["id"] in self.whole.scans:
            found = [YES if self._enters_transposed_scan(operand) else state for operand, state in zip(eqn["operands"], found, strict=True)]
            results = [result["role"] == "carry" or _is_pure(own) for result in eqn["results"]]
        elif not row.passes:
            found, results = [OUTSIDE] * len(found), [False] * len(results)
        calls = []
        inner = self._inner.get(eqn["id"])
        if inner is None:
            inner = self._inner[eqn["id"]] = self.whole.origins.nested(eqn, own, self.made)
        for call, instance in zip(eqn["nested"], inner, strict=True):
            states = tuple(found[wire["index"]] if wire["from"] == "operand" else OUTSIDE for wire in call["inputs"])
            demand = tuple(any(end["to"] == "result" and results[end["index"]] for end in ends) for ends in call["outputs"])
            calls.append((call, (instance, states, demand)))
        return calls

    def _enters_transposed_scan(self, operand: Dict) -> bool:
        """JAX's transposed scan takes residuals, carried cotangents, cotangents of the ys, then more residuals."""
        if operand["role"] == "carry":
            return True
        made = self.made.get(operand["atom"].get("var", ""))
        return operand["role"] == "xs" and made is not None and is_transposed(made)

    def _through(self, row: Row, own: Levels) -> tuple[list[int], list[State]]:
        """Which operands of an equation with bodies are cotangents, and the states of its results."""
        eqn = row.eqn
        if eqn["id"] in self.whole.scans:
            entering = [i for i, operand in enumerate(eqn["operands"]) if self._enters_transposed_scan(operand)]
            for i in entering:
                self._mark(row, i, own)
            return entering, [YES if result["role"] == "carry" or _is_pure(own) else MAYBE for result in eqn["results"]]
        if not row.passes:
            return [], [MAYBE] * len(row.results)
        states = self._states(row, own)
        if YES not in states and not any(self.states.get(var) == YES for var in row.results):
            return [], [NO if all(state == NO for state in states) else MAYBE] * len(row.results)
        operands: set[int] = set()
        results = [NO] * len(row.results)
        for call, inner in self.calls(row, own):
            solution = self.whole.solve(*inner)
            operands.update(
                wire["index"]
                for wire, state in zip(call["inputs"], solution.binders(), strict=True)
                if state == YES and wire["from"] == "operand"
            )
            for ends, state in zip(call["outputs"], solution.outs(), strict=True):
                for end in ends:
                    results[end["index"]] = min(results[end["index"]], state)
        return sorted(operands), results

    def residuals(self, saved: Sequence[bool]) -> set[str]:
        """The variables of the body that a forward side saves for its transposed side; `saved` says which results are saved outside."""
        found = {atom["var"] for atom, is_saved in zip(self.jaxpr["outvars"], saved, strict=True) if is_saved and "var" in atom}
        found.update(var for _, _, var, at, own in self.foreign if var is not None and saves(at, own))
        return found

    def saved_outs(self, eqn: Dict, call: Dict, residuals: set[str]) -> tuple[bool, ...]:
        """Which results of a body are saved: those of which the equation's result is, step by step or as it is (not a last carry)."""
        return tuple(
            any(end["to"] == "result" and eqn["results"][end["index"]]["var"] in residuals for end in ends)
            and all(end["to"] != "next" for end in ends)
            for ends in call["outputs"]
        )

    def kinds(self, residuals: set[str]) -> Kinds:
        """The kind of every operand and result, equation by equation."""
        kinds: Kinds = []
        starts: list[int] = []
        cotangents: set[str | None] = {var for var, state in self.states.items() if state == YES}
        marked = {eqn for eqn, _ in self.marks}
        for row, _ in self.rows:
            starts.append(len(kinds))
            kinds.extend(["cotangent" if var in cotangents else None for var in row.operands])
            if row.eqn["id"] in marked:
                for index in range(len(row.operands)):
                    if (row.eqn["id"], index) in self.marks:
                        kinds[starts[-1] + index] = "cotangent"
            for var in row.results:
                kinds.append("residual" if var in residuals and var in self.made else "cotangent" if var in cotangents else None)
        for number, index, _, at, own in self.foreign:
            if saves(at, own):
                kinds[starts[number] + index] = "residual"
        return kinds


@lru_cache(4096)
def _is_primal(made: Levels, own: Levels) -> bool:
    """Whether a value of these levels was made by a forward side, as seen from a transposed side of the levels `own`."""
    return not is_transposed(made) and not own.startswith(made)


def _is_pure(own: Levels) -> bool:
    """Whether the transposed side was not differentiated further: else its scans also give what that needs."""
    return "F" not in own[: own.rindex("T")]


def _row(eqn: Dict) -> Row:
    operands = tuple([operand["atom"].get("var") for operand in eqn["operands"]])
    literals = [NO if "var" in operand["atom"] else _literal(operand["atom"]) for operand in eqn["operands"]] if None in operands else ()
    results = eqn["results"]
    return Row(
        eqn,
        operands,
        tuple(literals),
        (results[0]["var"],) if len(results) == 1 else tuple([result["var"] for result in results]),
        bool(eqn["nested"]) and (eqn["primitive"] == "cond" or is_transparent(eqn)),
    )


def _literal(atom: Dict) -> State:
    return MAYBE if atom["literal"] in SEEDS else NO


def _combine(primitive: str, states: Sequence[State]) -> State:
    if YES in states:
        return YES
    if primitive in NONLINEAR or not states:
        return NO
    return min(states)
