"""One body, reached in one way: what each of its values is in the differentiations around it.

Forward through every equation: a linear primitive makes of a cotangent a cotangent. In a program that was not watched, also back: what a
cotangent is made of linearly is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ._levels import Levels, is_transposed, leaves, saves
from ._linear import ADD, BILINEAR, COTANGENT, INJECTIVE, MIXED, NAMES, NEITHER, TANGENT, UNKNOWN, ZERO, State, joined, passed_on, result_of
from ._origins import Ends, Instance, Row

if TYPE_CHECKING:
    from ._kinds import Kinds

Dict = dict[str, Any]
Inner = tuple[Instance, tuple[State, ...], tuple[bool, ...]]
MAX_ROUNDS = 4


@dataclass(slots=True)
class _Crossing:
    """An equation with bodies, given what its operands are and which results are wanted as cotangents."""

    found: list[State]
    wanted: list[bool]
    instances: list[Instance]
    calls: list[tuple[Ends, Inner]]
    through: tuple[list[tuple[int, State]], list[State]] | None = None
    settled: int = -1
    """As of which change of the states it was looked at last."""


class Solution:
    """The states of one instance's values. Those that are absent are unknown."""

    def __init__(self, whole: Kinds, instance: Instance, states: Sequence[State]) -> None:
        self.whole = whole
        self.instance = instance
        self.jaxpr = whole.origins.jaxprs[instance.body]
        self.layout = whole.origins.layout(instance)
        self.states: dict[str, State] = dict(zip(self.jaxpr["invars"], states, strict=True))
        self.marked: dict[tuple[int, int], State] = {}
        self._found = False
        self._fresh: set[str | None] = set()
        """Variables that are known, or known better, since the last pass forward."""
        self._crossings: dict[str, _Crossing] = {}
        self._changes = 0
        """How often a state was changed that an earlier look may have read: never where JAX was watched, which goes through once."""
        self._shared: set[str | None] | None = None

    def run(self, demand: Sequence[bool]) -> None:
        """Settle the states."""
        if self.whole.watched:
            observed = self.whole.observed
            for var in self.jaxpr["invars"] if self.instance.around else ():
                if var in observed and self.states[var] < COTANGENT:
                    self.states[var] = observed[var]
            numbers = range(len(self.layout.owns)) if self.whole.forward_mode else self.layout.transposed
            self._forward(numbers)
            self._back_from_sums(numbers)
            return
        self._gradients(demand)
        for turn in range(MAX_ROUNDS if self.layout.transposed else 0):
            self._found = False
            self._forward(self.layout.transposed, again=turn > 0)
            if turn and not self._found:
                break
            self._found = False
            self._backward()
            if not self._found:
                break

    def outs(self) -> list[State]:
        """The states of the results."""
        return [self.states.get(atom["var"], UNKNOWN) if "var" in atom else literal_state(atom) for atom in self.jaxpr["outvars"]]

    # ------------------------------------------------------------------ forward
    def _forward(self, numbers: Iterable[int], *, again: bool = False) -> None:
        """What each equation makes of its operands; `again` only where one of them is newly known."""
        states, rows, owns = self.states, self.layout.rows, self.layout.owns
        fresh, self._fresh = self._fresh, set()
        watched = self.whole.watched
        for number in numbers:
            row = rows[number]
            _, primitive, operands, results, calls, _, _ = row
            if again and fresh.isdisjoint(operands):
                continue
            own = owns[number]
            if not own or not results:
                continue
            if calls:
                entering, outs = self._through(row, own)
                if watched:
                    self._mark_zeros(number, row, entering)
            else:
                if len(results) == 1 and states.get(results[0]) == COTANGENT:
                    continue
                state = result_of(primitive, self._operands(row, own))
                if state >= COTANGENT and not self.whole.is_float(self.instance.body, results[0]):
                    state = MIXED
                outs = [state] * len(results)
            if watched:
                observed = self.whole.observed.get
                for var, state in zip(results, outs, strict=True):
                    states[var] = observed(var, state)
                continue
            for var, state in zip(results, outs, strict=True):
                if state == COTANGENT:
                    self._cotangent(var)
                elif (known := states.get(var)) != COTANGENT and known != state:
                    states[var] = state
                    self._changes += 1
                    self._fresh.add(var)
                    fresh.add(var)

    def _operands(self, row: Row, own: Levels) -> list[State]:
        """The states of an equation's operands, as that equation sees them: what its forward side made is neither."""
        made, states, outside = self.layout.made, self.states, self._outside
        found = []
        for index, var in enumerate(row.operands):
            if var is None:
                found.append(literal_state(row.eqn["operands"][index]["atom"]))
                continue
            known, at = states.get(var), made.get(var)
            if at is None:
                found.append(outside(var) if known is None or known == UNKNOWN else known)
            elif at == own:
                found.append(UNKNOWN if known is None else known)
            else:
                found.append(_as_seen(UNKNOWN if known is None else known, at, own))
        return found

    def _outside(self, var: str) -> State:
        """What a value is that came from outside every differentiation: data, if a forward side reads it, too."""
        if self.whole.watched:
            if var not in self.whole.observed or var in self.whole.doubtful:
                return UNKNOWN
            known = self.states[var] = self.whole.observed[var]
            return known
        return NEITHER if var in self._read_forward() else UNKNOWN

    def _read_forward(self) -> set[str | None]:
        if self._shared is None:
            layout = self.layout
            taking = [row for row, own in zip(layout.rows, layout.owns, strict=False) if _takes(own)]
            self._shared = {var for row in taking for var in row.operands if var not in layout.made}
        return self._shared

    def _mark_zeros(self, number: int, row: Row, entering: Sequence[tuple[int, State]]) -> None:
        """A loop carries a cotangent that starts from zero: that zero is one, here."""
        for index, state in entering:
            var = row.operands[index]
            if var is None or self.states.get(var, UNKNOWN) == ZERO:
                self.marked[number, index] = state

    def _through(self, row: Row, own: Levels) -> tuple[list[tuple[int, State]], list[State]]:
        """What the bodies of an equation make of its operands: (operand, state) of those that enter as cotangents, and the results."""
        crossing = self._crossing(row, own)
        if crossing.through is None:
            crossing.through = self._passed(row, crossing)
        return crossing.through

    def _passed(self, row: Row, crossing: _Crossing) -> tuple[list[tuple[int, State]], list[State]]:
        results: list[State | None] = [None] * len(row.results)
        entering: dict[int, State] = {}
        for ends, inner in crossing.calls:
            solution = self.whole.solve(*inner)
            for index, var in zip(ends.sources, solution.jaxpr["invars"], strict=True):
                state = solution.states[var]
                if index >= 0 and state in NAMES:
                    entering[index] = state
            for into, state in zip(ends.results, solution.outs(), strict=True):
                for index in into:
                    known = results[index]
                    results[index] = state if known is None else joined(known, state)
        rest = MIXED if max(crossing.found, default=ZERO) >= COTANGENT else UNKNOWN
        return list(entering.items()), [rest if state is None else state for state in results]

    def calls(self, row: Row, own: Levels) -> list[tuple[Ends, Inner]]:
        """Each body of an equation: how it is wired, the instance, the states of its binders and which of its results are cotangents."""
        return self._crossing(row, own).calls

    def _crossing(self, row: Row, own: Levels) -> _Crossing:
        eqn, watched, state = row.eqn, self.whole.watched, self.states.get
        if not watched and not is_transposed(own):
            return self._crossing_forward(row, own)
        known = self._crossings.get(eqn["id"])
        if known is not None and known.settled == self._changes:
            return known
        found = self._operands(row, own)
        wanted = [False] * len(row.results) if watched else [state(var) == COTANGENT for var in row.results]
        scan = not watched and eqn["id"] in self.whole.scans
        if scan:
            pure = _is_pure(own)
            for index, operand in enumerate(eqn["operands"]):
                if operand["role"] == "carry" and found[index] != TANGENT:
                    found[index] = COTANGENT
            if not watched:
                wanted = [want or pure or result["role"] == "carry" for want, result in zip(wanted, eqn["results"], strict=True)]
        if known is not None and known.found == found and known.wanted == wanted:
            known.settled = self._changes
            return known
        instances = known.instances if known is not None else self.whole.origins.nested(row, own, self.layout.made)
        calls = []
        for call, instance in zip(eqn["nested"], instances, strict=True):
            ends = self.whole.origins.ends(call)
            states = [found[index] if index >= 0 else UNKNOWN for index in ends.sources]
            demand = _marked(ends.results, wanted)
            if not scan and ends.fed:
                self._carry(ends.fed, instance, states, demand)
            calls.append((ends, (instance, tuple(states), demand)))
        made = self._crossings[eqn["id"]] = _Crossing(found, wanted, instances, calls, settled=self._changes)
        return made

    def _crossing_forward(self, row: Row, own: Levels) -> _Crossing:
        """The same of a forward side in a program that was not watched: what goes in and comes out is no cotangent, as far as is known."""
        known = self._crossings.get(row.eqn["id"])
        if known is None:
            instances = self.whole.origins.nested(row, own, self.layout.made)
            wired = map(self.whole.origins.ends, row.eqn["nested"])
            calls = [
                (ends, (instance, (UNKNOWN,) * len(ends.sources), (False,) * len(ends.results)))
                for ends, instance in zip(wired, instances, strict=True)
            ]
            known = self._crossings[row.eqn["id"]] = _Crossing([], [], instances, calls)
        return known

    def _carry(self, fed: Sequence[tuple[int, int]], instance: Instance, states: list[State], demand: tuple[bool, ...]) -> None:
        """Settle what a loop carries: what comes in at first and what each step hands on."""
        if max(states) < COTANGENT and not self.whole.watched:
            return
        for _ in range(2 * len(fed) + 1):
            outs = self.whole.solve(instance, tuple(states), demand).outs()
            after = [(binder, joined(states[binder], outs[out])) for out, binder in fed]
            if all(states[binder] == state for binder, state in after):
                return
            for binder, state in after:
                states[binder] = state

    # ------------------------------------------------------------------ back, where JAX was watched
    def _back_from_sums(self, numbers: Sequence[int]) -> None:
        """What was added up to a cotangent or tangent, or is one in another shape: products of two, which forward are neither."""
        states, rows, valued, body = self.states, self.layout.rows, self.whole.valued, self.instance.body
        for number in reversed(numbers):
            _, primitive, operands, results, _, _, _ = rows[number]
            sums = primitive == ADD
            if not sums and primitive not in INJECTIVE:
                continue
            state = states.get(results[0], UNKNOWN)
            for var in (operands if sums else operands[:1]) if state in NAMES else ():
                known = ZERO if var is None else states.get(var, UNKNOWN)
                # Only differentiation makes an `add_any`; of the rest, a value that is differentiated at may be used as a tangent.
                may = ZERO < known < COTANGENT or known == MIXED if sums else known == MIXED and var not in valued
                if var is not None and may and self.whole.is_float(body, var):
                    states[var] = state

    # ------------------------------------------------------------------ back, where nobody watched
    def _cotangent(self, var: str) -> None:
        known = self.states.get(var)
        if known != COTANGENT and known != MIXED and self.whole.is_float(self.instance.body, var):
            self.states[var] = COTANGENT
            self._changes += 1
            self._fresh.add(var)
            self._found = True

    def _gradients(self, demand: Sequence[bool]) -> None:
        made, around = self.layout.made, self.instance.around
        for _, _, var, at, own in self.layout.foreign:
            if at is not None and is_transposed(at) and leaves(at, own):
                self._cotangent(var)
        for atom, wanted in zip(self.jaxpr["outvars"], demand, strict=True):
            if "var" in atom:
                at = made.get(atom["var"])
                if (at is not None and is_transposed(at) and leaves(at, around)) or (wanted and (at is None or is_transposed(at))):
                    self._cotangent(atom["var"])

    def _backward(self) -> None:
        states, rows, owns = self.states, self.layout.rows, self.layout.owns
        for number in reversed(self.layout.transposed):
            row = rows[number]
            for var in row.results:
                if states.get(var) == COTANGENT:
                    break
            else:
                continue
            own = owns[number]
            if row.calls:
                for index, _ in self._through(row, own)[0]:
                    self._enter(number, index, own)
            elif row.primitive in BILINEAR:
                seen = self._operands(row, own)
                candidates = [0, 1] if seen.count(COTANGENT) != 1 else [seen.index(COTANGENT)]
                candidates = [index for index in candidates if seen[index] in (UNKNOWN, COTANGENT)]
                if len(candidates) == 1 and MIXED not in seen:
                    self._enter(number, candidates[0], own)
            else:
                for index in passed_on(row.primitive, len(row.operands)):
                    self._enter(number, index, own)

    def _enter(self, number: int, index: int, own: Levels) -> None:
        """An operand is a cotangent."""
        var = self.layout.rows[number].operands[index]
        if var is None:
            self.marked[number, index] = COTANGENT
            return
        if self.states.get(var, UNKNOWN) not in (UNKNOWN, ZERO):
            return
        at = self.layout.made.get(var)
        if at is not None and is_transposed(at):
            self._cotangent(var)
        elif at is not None and not own.startswith(at):
            return  # of a forward side: never a cotangent
        elif var in self.states and is_transposed(self.instance.around):
            self._cotangent(var)
        elif var not in self._read_forward() and self.whole.is_float(self.instance.body, var):
            self.marked[number, index] = COTANGENT  # from outside: it is one here, elsewhere it may be anything

    # ------------------------------------------------------------------ residuals
    def residuals(self, saved: Sequence[bool]) -> set[str]:
        """The variables of the body that a forward side saves for its transposed side; `saved` says which results are saved outside."""
        pushed = self.whole.observed
        # The tangent of the only differentiation that made it is no value of that one's, whoever pulls it back (`pull(push(v))`).
        found = {var for _, _, var, at, own in self.layout.foreign if saves(at, own) and not (pushed.get(var) == TANGENT and _is_alone(at))}
        if True in saved:
            found.update(atom["var"] for atom, is_saved in zip(self.jaxpr["outvars"], saved, strict=True) if is_saved and "var" in atom)
        return found

    def saved_outs(self, row: Row, ends: Ends, residuals: set[str]) -> tuple[bool, ...]:
        """Which results of a body are saved: those of which the equation's result is, step by step or as it is (not a last carry)."""
        found = _marked(ends.results, [var in residuals for var in row.results])
        if not ends.fed or True not in found:
            return found
        carried = {number for number, _ in ends.fed}
        return tuple([saved and number not in carried for number, saved in enumerate(found)])


def _marked(ends: Sequence[Sequence[int]], results: Sequence[bool]) -> tuple[bool, ...]:
    """Which results of a body are one of the equation's that are marked."""
    if True not in results:
        return (False,) * len(ends)
    return tuple([results[into[0]] if len(into) == 1 else any(results[index] for index in into) for into in ends])


@lru_cache(4096)
def _takes(own: Levels) -> bool:
    """Whether an equation is of a forward side: a value from outside that it reads is differentiated, or is data."""
    return "F" in own and not is_transposed(own)


@lru_cache(4096)
def _as_seen(known: State, made: Levels, own: Levels) -> State:
    """What a value made elsewhere is for an equation: neither, if a forward side saved it; only the tangent of an outer jvp stays one."""
    if saves(made, own) or (not is_transposed(made) and not own.startswith(made)):
        shared = next((k for k, (a, b) in enumerate(zip(made, own, strict=False)) if a != b), min(len(made), len(own)))
        return known if known in (TANGENT, MIXED) and "F" in own[:shared] else NEITHER
    return known


def _is_alone(made: Levels | None) -> bool:
    return made is not None and made.count("F") == 1


@lru_cache(4096)
def _is_pure(own: Levels) -> bool:
    """Whether the transposed side was not differentiated further: else its scans also give what that needs."""
    return "F" not in own[: own.rindex("T")]


def literal_state(atom: Dict) -> State:
    """What a literal is: `0.0` is the zero cotangent as well as the number; any other may be what a backward pass starts from."""
    return ZERO if atom["literal"] in ("0.0", "-0.0", "0j") else UNKNOWN
