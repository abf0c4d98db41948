"""Equations with bodies that are alternatives: of what they make a `select_n` takes one or the other.

Under `vmap` the branches of a cond are computed one after the other and chosen from. Its transpose computes them in the same order, not
backwards, so the order of two such says nothing of which belongs to which. What says it is the index: JAX gives branch `i` its operands as
`select_n (eq index i) (stop_gradient x) x`, or, where the chosen is transposed, its cotangents as `select_n (eq index i) 0 ct`.

Must never: take what a person chooses for a branch. What the forward side of a branch makes must be chosen by that very index.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ._origins import Row
from ._twin_sites import Body, Site

Branch = tuple[str, str]
"""The variable that is the index of a cond, and the number of the branch, as it is written."""
_ZEROS = frozenset({"0.0", "-0.0"})


def alternatives(sites: Sequence[Site]) -> bool:
    """Whether a `select_n` chooses between what comes of two of them, which stand in one body."""
    return any(len(set(filter(None, cases))) > 1 for _, cases in _choices(sites))


def branches(sites: Sequence[Site], *, forward: bool) -> dict[Site, Branch]:
    """The branches of conds under `vmap` that sites of one body are known to stand in; `forward` says on which side."""
    masks = _Masks(sites[0].body)
    taken: dict[tuple[int, str], set[str]] = defaultdict(set)
    for index, cases in _choices(sites):
        for number_of_case, numbers in enumerate(cases):
            for number in numbers:
                taken[number, index].add(str(number_of_case))
    found = {}
    for number, site in enumerate(sites):
        known = masks.of(site)
        if known is not None:
            index, case = known
            given = taken[number, index]
            if given == {case} or not (given or forward):
                found[site] = known
    return found


def _choices(sites: Sequence[Site]) -> list[tuple[str, list[frozenset[int]]]]:
    """Each choice from what comes of sites: by which variable, and what sites (their numbers) each case comes of."""
    found = []
    come_of: dict[str, frozenset[int]] = {}
    made = {result: number for number, site in enumerate(sites) for result in site.row.results}
    nothing: frozenset[int] = frozenset()
    for row in sites[0].body.rows:
        fed = [come_of.get(var, nothing) if var is not None else nothing for var in row.operands]
        if row.primitive == "select_n" and any(fed[1:]) and row.operands[0] is not None:
            found.append((row.operands[0], fed[1:]))
        passed = nothing.union(*fed)
        for result in row.results:
            own = made.get(result)
            if own is not None or passed:
                come_of[result] = passed if own is None else passed | {own}
    return found


class _Masks:
    """Of which branches the values of a body are, by the masks that they came through last."""

    def __init__(self, body: Body) -> None:
        self._of: dict[str, frozenset[Branch]] = {}
        self._equal: dict[str, Branch] = {}
        self._stopped: dict[str, str | None] = {}
        self._zeros: set[str] = set()
        for row in body.rows:
            found = self._passed(row)
            if found:
                self._of.update(dict.fromkeys(row.results, found))

    def of(self, site: Site) -> Branch | None:
        """The one branch that all operands of a site are of, but those that are of none."""
        found = self._union(site.row)
        return next(iter(found)) if len(found) == 1 else None

    def _union(self, row: Row) -> frozenset[Branch]:
        return frozenset().union(*[self._of[var] for var in row.operands if var is not None and var in self._of])

    def _passed(self, row: Row) -> frozenset[Branch]:
        primitive, operands = row.primitive, row.operands
        if primitive == "eq" and operands[0] is not None and operands[1] is None:
            self._equal[row.results[0]] = operands[0], row.eqn["operands"][1]["atom"]["literal"]
        elif primitive == "stop_gradient":
            self._stopped[row.results[0]] = operands[0]
        elif primitive == "broadcast_in_dim" and self._is_zero(row, 0):
            self._zeros.add(row.results[0])
        found = self._union(row)
        if primitive != "select_n":
            return found
        branch = self._equal.get(operands[0]) if operands[0] is not None else None
        if branch is not None and len(operands) == 3 and operands[2] is not None:
            other = operands[1]
            if other is not None and self._stopped.get(other) == operands[2]:
                return frozenset({branch})
            if any(entry["name"] == "transpose" for entry in row.stack) and self._is_zero(row, 1):
                return frozenset({branch})
        return frozenset(each for each in found if each[0] != operands[0])  # one of them was chosen

    def _is_zero(self, row: Row, index: int) -> bool:
        var = row.operands[index]
        return var in self._zeros if var is not None else row.eqn["operands"][index]["atom"]["literal"] in _ZEROS
