"""Forward equations with bodies, and the backward ones that are their transposes.

Promises: a pair stands on the same line of the person's program (the very same instruction), in the same differentiation, one on its
forward and one on its transposed side; two scans have one length and opposite directions. Where several pairs would do, the values that
the one saves and the other reads decide, then the order of the program (the transposed side runs backwards).
Must never: pair what could be paired otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ._levels import Levels, pairs
from ._origins import LOOPS, Origins, Row

Dict = dict[str, Any]
# Instances of equations with bodies; a program that has more gets the twins among the first.
MAX_SITES = 20_000
MAX_DEPTH = 64
_DIFFERENTIATED = {"name": "differentiated", "text": "True"}


@dataclass(eq=False, slots=True)
class Site:
    """An instance of an equation that has bodies."""

    path: str
    row: Row
    own: Levels
    body: Body
    place: Any
    in_checkpoint: str | None
    """The path of the innermost checkpoint around it."""
    passes: bool
    """Whether it gives on what its bodies give: a plain call, a cond."""
    bodies: list[Body] = field(default_factory=list)

    @property
    def eqn(self) -> Dict:
        """The equation."""
        return self.row.eqn


@dataclass(eq=False, slots=True)
class Body:
    """An instance of a body; `site` is the equation around it, `wires` where its binders come from."""

    jaxpr: Dict
    site: Site | None
    wires: list[Dict]
    calls: list[Row]
    made_by: dict[str, tuple[int, int]]
    """What the equations with bodies made: the number of the call, and which result it is."""
    sites: list[Site] = field(default_factory=list)
    """One per call, as far as they are known."""
    trails: dict[str, list[tuple[Site, int]]] = field(default_factory=dict)
    """Of what the calls made."""

    def operand(self, var: str) -> int | None:
        """The operand that a binder comes from."""
        binders = self.jaxpr["invars"]
        wire = self.wires[binders.index(var)] if var in binders else None
        return wire["index"] if wire is not None and wire["from"] == "operand" else None


def find_twins(origins: Origins, entry: str, place_of: Callable[[str], Any]) -> list[Dict]:
    """The twins of a program, in the order of the backward equations. `place_of` gives the instruction that an equation was traced from."""
    sites = _Survey(origins, place_of).sites(entry)
    groups: dict[Any, list[Site]] = defaultdict(list)
    for site in sites:
        if site.own:
            groups[_likeness(site)].append(site)
    twins = [twin for group in groups.values() for twin in _match(group)]
    order = {site.path: number for number, site in enumerate(sites)}
    return sorted(twins, key=lambda twin: order[twin["backward"]])


def _likeness(site: Site) -> tuple[Any, ...]:
    eqn = site.eqn
    return site.row.primitive, site.place, eqn["trips"], len(eqn["nested"]), _param(site, "name")


class _Survey:
    """Enumerates the instances of a program's equations that have bodies, depth first in program order."""

    def __init__(self, origins: Origins, place_of: Callable[[str], Any]) -> None:
        self._origins = origins
        self._place_of = place_of
        self._known: dict[str, tuple[list[Row], dict[str, tuple[int, int]]]] = {}
        self._found: list[Site] = []

    def sites(self, entry: str) -> list[Site]:
        self._body(self._open(entry, None, []), "", "", None, None, 0)
        return self._found

    def _open(self, jaxpr: str, site: Site | None, wires: list[Dict]) -> Body:
        known = self._known.get(jaxpr)
        if known is None:
            rows = self._origins.rows(jaxpr)
            calls = [rows[number] for number in self._origins.calls(jaxpr)]
            made_by = {var: (number, i) for number, row in enumerate(calls) for i, var in enumerate(row.results)}
            known = self._known[jaxpr] = calls, made_by
        return Body(self._origins.jaxprs[jaxpr], site, wires, *known)

    def _body(self, body: Body, prefix: str, around: Levels, place: Any, checkpoint: str | None, depth: int) -> None:
        for row in body.calls:
            if len(self._found) >= MAX_SITES or depth > MAX_DEPTH:
                return
            eqn, nested = row.eqn, row.eqn["nested"]
            key = eqn["id"]
            own = self._origins.levels(row.stack, around)
            passes = row.primitive == "cond" or self._origins.is_plain(row)
            here = self._place_of(key)
            site = Site(prefix + key, row, own, body, place if here is None else here, checkpoint, passes)
            body.sites.append(site)
            self._found.append(site)
            within = site.path if is_checkpoint(eqn) else checkpoint
            met: list[str] = []
            for number, call in enumerate(nested):
                which = call["jaxpr"]
                inner = self._open(which, site, call["inputs"])
                site.bodies.append(inner)
                if inner.calls:
                    segment = f"{site.path}:{number}/" if which in met else f"{site.path}/"
                    self._body(inner, segment, own, site.place, within, depth + 1)
                met.append(which)


def is_checkpoint(eqn: Dict) -> bool:
    """Whether the equation is the backward side of a checkpoint, which computes its forward side again."""
    return _DIFFERENTIATED in eqn["params"]


def _match(group: list[Site]) -> Iterator[Dict]:
    """The twins among sites that differ in nothing but their levels and directions."""
    forwards = [site for site in group if "F" in site.own and not site.own.endswith("R")]
    backwards = [site for site in group if "T" in site.own and not site.own.endswith("R")]
    again = [site for site in group if site.own.endswith("R")]
    known = set(forwards)
    taken: dict[Site, Site] = {}
    copies: dict[Site, Site] = {}
    trails = {back: _trails(back) for back in backwards}
    for back in backwards:
        makers = {site for _, site, _ in trails[back]}
        _take(taken, back, [site for site in makers & known if _opposite(site, back)])
        near = [site for site in again if _recomputes(site, back)]
        _take(copies, back, [site for site in near if site in makers] or near)
    _by_order(taken, forwards, backwards)
    for back in backwards:
        forward, copy = taken.get(back), copies.get(back)
        first = forward or copy
        if first is not None:
            yield {
                "forward": first.path,
                "backward": back.path,
                "recomputed": copy.path if copy is not None and forward is not None else None,
                "residuals": _links(copy or first, trails[back]),
            }


def _take(taken: dict[Site, Site], back: Site, sites: list[Site]) -> None:
    if len(sites) == 1:
        taken[back] = sites[0]


def _by_order(taken: dict[Site, Site], forwards: list[Site], backwards: list[Site]) -> None:
    """Pair what no value links: one forward with one backward, or as many in one body as there are in another, the last with the first."""
    used = set(taken.values())
    kinds: dict[Any, list[Site]] = defaultdict(list)
    for back in backwards:
        if back not in taken and (back.place is not None or _param(back, "name") is not None):
            kinds[back.own, _param(back, "reverse"), back.in_checkpoint].append(back)
    for rivals in kinds.values():
        pool = [site for site in forwards if site not in used and _opposite(site, rivals[0])]
        one_body = len({site.body for site in pool}) == len({back.body for back in rivals}) == 1
        if len(pool) == len(rivals) and (len(pool) == 1 or one_body):
            taken.update(zip(rivals, reversed(pool), strict=True))
            used.update(pool)


def _opposite(forward: Site, back: Site) -> bool:
    if _param(forward, "reverse") == _param(back, "reverse") and forward.eqn["primitive"] == "scan":
        return False
    return forward is not back and pairs(forward.own, back.own, relaxed=back.in_checkpoint is not None)


def _recomputes(site: Site, back: Site) -> bool:
    if site.in_checkpoint is None or site.in_checkpoint != back.in_checkpoint or site.own[:-1] != back.own:
        return False
    return site.eqn["primitive"] != "scan" or _param(site, "reverse") != _param(back, "reverse")


def _param(site: Site, name: str) -> str | None:
    for param in site.eqn["params"]:
        if param["name"] == name:
            text: str = param["text"]
            return text
    return None


def _trails(back: Site) -> list[tuple[int, Site, int]]:
    """For each operand of `back` the sites, and which of their results, that it came through."""
    found = []
    for index, var in enumerate(back.row.operands):
        made = _made(back.body, var) if var is not None else None
        for site, result in _trail(*made) if made is not None else ():
            found.append((index, site, result))
    return found


def _links(forward: Site, trails: list[tuple[int, Site, int]]) -> list[Dict]:
    return [{"result": result, "operand": index} for index, site, result in trails if site is forward]


def _made(body: Body, var: str) -> tuple[Body, str] | None:
    """Where a call made a value that came through binders, if one did."""
    for _ in range(2 * MAX_DEPTH):
        if var in body.made_by:
            return body, var
        around = body.site
        index = body.operand(var) if around is not None else None
        if around is None or index is None:
            return None
        outer = around.row.operands[index]
        if outer is None or (around.row.primitive in LOOPS and around.eqn["operands"][index]["role"] == "carry"):
            return None
        body, var = around.body, outer
    return None


def _trail(body: Body, var: str) -> list[tuple[Site, int]]:
    """The sites, and which of their results, that a value came through: plain calls and branches, up to the one that made it."""
    known = body.trails.get(var)
    if known is not None:
        return known
    found = body.trails[var] = []
    queue = [(body, var)]
    for _ in range(4 * MAX_DEPTH):
        if not queue:
            break
        body, var = queue.pop()
        number, index = body.made_by[var]
        if number < len(body.sites):
            site = body.sites[number]
            found.append((site, index))
            for inner in site.bodies if site.passes else ():
                given = inner.jaxpr["outvars"][index].get("var")
                made = _made(inner, given) if given is not None else None
                if made is not None:
                    queue.append(made)
    return found
