"""Forward equations with bodies, and the backward ones that are their transposes.

Promises: a pair stands on the same line of the person's program (the very same instruction), in the same differentiation, one on its
forward and one on its transposed side; two scans have one length and opposite directions. Where several pairs would do, the values that
the one saves and the other reads decide, then what is around them, which must be a pair, too, then the order of the program (the
transposed side runs backwards).
Must never: pair what could be paired otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from ._choices import alternatives, branches
from ._levels import as_at_first, transposition
from ._origins import Origins
from ._trails import Trail, trails
from ._twin_sites import Body, Site, Survey, around, is_checkpoint, param

__all__ = ["find_twins", "is_checkpoint"]
Dict = dict[str, Any]
# How often pairs that the order gave may lead to more that values give.
MAX_ROUNDS = 4


def find_twins(origins: Origins, entry: str, place_of: Callable[[str], Any], tangents: Collection[str] = ()) -> list[Dict]:
    """The twins of a program, in the order of the backward equations. `place_of` gives the instruction that an equation was traced from.

    `tangents` are the variables that are known to be some: what a differentiation pushes forward it does not save.
    """
    sites = Survey(origins, place_of).sites(entry)
    groups: dict[Any, list[Site]] = defaultdict(list)
    for site in sites:
        if site.own:
            groups[_likeness(site)].append(site)
    matching = _Matching([_Group(group) for group in groups.values() if len(group) > 1], sites, tangents)
    return matching.twins()


def _likeness(site: Site) -> tuple[Any, ...]:
    eqn = site.eqn
    return site.row.primitive, site.place, eqn["trips"], len(eqn["nested"]), param(site, "name")


class _Group:
    """Sites that differ in nothing but their levels and directions."""

    def __init__(self, sites: list[Site]) -> None:
        self.forwards = [site for site in sites if "F" in site.own and not site.own.endswith("R")]
        self.backwards = [site for site in sites if "T" in site.own and not site.own.endswith("R")]
        self.again = [site for site in sites if "R" in site.own]
        self.known = set(self.forwards)
        self._within: dict[Body, list[int]] | None = None

    def inside(self, home: set[Body] | None) -> list[Site]:
        """The forward sites that stand in one of some bodies, in order; all of them where it is not known in which."""
        if home is None:
            return self.forwards
        if self._within is None:  # to ask every site for every transpose would take the square of their number
            self._within = defaultdict(list)
            for number, site in enumerate(self.forwards):
                for body in around(site):
                    self._within[body].append(number)
        return [self.forwards[number] for number in sorted({number for body in home for number in self._within.get(body, ())})]


class _Matching:
    """The pairs of a program, as far as they are known. What is outside is paired first: what is inside follows it."""

    def __init__(self, groups: Sequence[_Group], sites: Iterable[Site], tangents: Collection[str]) -> None:
        self._tangents = tangents
        self._groups = [group for group in groups if group.backwards]
        self._of = {back: group for group in self._groups for back in group.backwards}
        self._backwards = [site for site in sites if site in self._of]
        self._taken: dict[Site, Site] = {}
        self._copies: dict[Site, Site] = {}
        self._trails: dict[Site, list[Trail]] = {}
        self._waiting = set(self._backwards)

    def twins(self) -> list[Dict]:
        """Pair all that can be, and say what came of it."""
        for _ in range(MAX_ROUNDS):
            self._by_values()
            if not sum(self._by_order(group) for group in self._groups) or not any(map(self._may_change, self._backwards)):
                break
        return [twin for back in self._backwards if (twin := self._twin(back)) is not None]

    def _twin(self, back: Site) -> Dict | None:
        forward, copy = self._taken.get(back), self._copies.get(back)
        saver = copy or forward
        if saver is None:
            return None
        return {
            "forward": (forward or saver).path,
            "backward": back.path,
            "recomputed": copy.path if copy is not None and forward is not None else None,
            "residuals": [{"result": result, "operand": index} for index, site, result in self._trails[back] if site is saver],
        }

    def _partners(self, back: Site) -> list[Site]:
        return [site for site in (self._taken.get(back), self._copies.get(back)) if site is not None]

    def _known(self, back: Site) -> tuple[list[Site], bool]:
        group = self._of.get(back)
        more = group is not None and (back not in self._taken or (bool(group.again) and back not in self._copies))
        return self._partners(back), more

    def _may_change(self, back: Site) -> bool:
        return back in self._waiting or self._known(back)[1]

    def _by_values(self) -> None:
        """Pair what values lead from one to the other."""
        for back in filter(self._may_change, self._backwards):
            group = self._of[back]
            if back in self._waiting:
                found, waits = trails(back, self._known)
                self._trails[back] = [each for each in found if not self._is_pushed(*each[1:])] if self._tangents else found
                if not waits:
                    self._waiting.discard(back)
            makers = {site for _, site, _ in self._trails[back]}
            if back not in self._taken:
                self._take(self._taken, back, [site for site in makers & group.known if _opposite(site, back)])
            if back not in self._copies:
                near = [site for site in group.again if _recomputes(site, back)]
                self._take(self._copies, back, [site for site in near if site in makers] or near)

    def _is_pushed(self, site: Site, result: int) -> bool:
        """Whether a result is the tangent of the only differentiation that its equation is of."""
        return site.own.count("F") == 1 and site.row.results[result] in self._tangents

    def _take(self, taken: dict[Site, Site], back: Site, sites: list[Site]) -> None:
        if len(sites) > 1:
            sites = _outermost(_first_transposed(self._at_home(back, sites), back))
        if len(sites) == 1:
            taken[back] = sites[0]

    def _home(self, back: Site) -> set[Body] | None:
        """The bodies that go with the one that it stands in, by the pair of what is around it; None where nothing around it has one."""
        for body in around(back):
            if body.site is not None and (partners := self._partners(body.site)):
                return {partner.bodies[body.number] for partner in partners if body.number < len(partner.bodies)}
        return None

    def _at_home(self, back: Site, sites: list[Site]) -> list[Site]:
        home = self._home(back)
        return sites if home is None else [site for site in sites if not home.isdisjoint(around(site))] or sites

    def _by_order(self, group: _Group) -> int:
        """Pair what no value links: one with one, or as many in one body as there are in another, the last with the first."""
        if all(back in self._taken for back in group.backwards):
            return 0
        used, before = {(site, _applied(site, back)) for back, site in self._taken.items()}, len(self._taken)
        kinds: dict[Any, list[Site]] = defaultdict(list)
        for back in group.backwards:
            if back not in self._taken and (back.place is not None or param(back, "name") is not None):
                home = self._home(back)
                kinds[back.own, param(back, "reverse"), back.in_checkpoint, home and frozenset(home)].append(back)
        for (*_, home), rivals in kinds.items():
            inside = group.inside(None if home is None else set(home))
            pool = [site for site in inside if _opposite(site, rivals[0]) and (site, _applied(site, rivals[0])) not in used]
            pool = _first_transposed(pool, rivals[0])
            for back, site in _in_order(pool, rivals):
                self._taken[back] = site
                used.add((site, _applied(site, back)))
        return len(self._taken) - before


def _in_order(pool: list[Site], rivals: list[Site]) -> list[tuple[Site, Site]]:
    """The transpose of each, by the order of the program, branch by branch where they are chosen from; none where it does not say."""
    if len(pool) == len(rivals) == 1:
        return [(rivals[0], pool[0])]
    if not pool or len({site.body for site in pool}) != 1 or len({back.body for back in rivals}) != 1:
        return []
    if not alternatives(pool):
        return _nested(pool, rivals) if len(pool) == len(rivals) else []
    if pool[0].body is not rivals[0].body:
        return []  # there the index is another variable
    forwards, backwards = branches(pool, forward=True), branches(rivals, forward=False)
    if len(forwards) < len(pool) or len(backwards) < len(rivals):
        return []
    found = []
    for branch in dict.fromkeys(backwards.values()):
        inside, backs = [site for site in pool if forwards[site] == branch], [back for back in rivals if backwards[back] == branch]
        if len(inside) == len(backs) and not alternatives(inside):
            found += _nested(inside, backs)
    return found


def _nested(forwards: list[Site], backs: list[Site]) -> list[tuple[Site, Site]]:
    """As many of one body as of another: each with the last forward one before it that is left; none where there is none before."""
    if forwards[0].body is not backs[0].body:
        return list(zip(backs, reversed(forwards), strict=True))
    place = {site: number for number, site in enumerate(forwards[0].body.sites)}
    found, left, coming = [], list[Site](), forwards[::-1]
    for back in backs:
        while coming and place[coming[-1]] < place[back]:
            left.append(coming.pop())
        if not left:
            return []
        found.append((back, left.pop()))
    return found


def _first_transposed(sites: list[Site], back: Site) -> list[Site]:
    """Of several that could be the forward side those of the differentiation that was applied last: its transpose came last."""
    found = {site: _applied(site, back) for site in sites}
    first = min((at for at in found.values() if at is not None), default=None)
    return [site for site in sites if found[site] == first]


def _outermost(sites: list[Site]) -> list[Site]:
    """Without those that stand in another of them: what is in it goes through it."""
    bodies = {body for site in sites for body in site.bodies}
    return [site for site in sites if bodies.isdisjoint(around(site))]


def _applied(forward: Site, back: Site) -> int | None:
    """Which differentiation makes the two a pair."""
    return transposition(forward.own, back.own, relaxed=back.in_checkpoint is not None)


def _opposite(forward: Site, back: Site) -> bool:
    if param(forward, "reverse") == param(back, "reverse") and forward.eqn["primitive"] == "scan":
        return False
    return forward is not back and _applied(forward, back) is not None


def _recomputes(site: Site, back: Site) -> bool:
    if site.in_checkpoint is None or site.in_checkpoint != back.in_checkpoint or as_at_first(site.own) != back.own or site is back:
        return False
    return site.eqn["primitive"] != "scan" or param(site, "reverse") != param(back, "reverse")
