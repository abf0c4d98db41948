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
from ._origins import Origins

Dict = dict[str, Any]
# Instances of equations with bodies; a program that has more gets the twins among the first.
MAX_SITES = 20_000
MAX_DEPTH = 64
_DIFFERENTIATED = {"name": "differentiated", "text": "True"}


@dataclass(eq=False, slots=True)
class Site:
    """An instance of an equation that has bodies."""

    path: str
    eqn: Dict
    own: Levels
    body: Body
    place: Any
    in_checkpoint: str | None
    """The path of the innermost checkpoint around it."""
    passes: bool
    """Whether it gives on what its bodies give: a plain call, a cond."""
    bodies: list[Body] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Body:
    """An instance of a body; `site` is the equation around it, `wires` where its binders come from."""

    jaxpr: Dict
    site: Site | None
    wires: list[Dict]
    made_by: dict[str, tuple[str, int]]
    """What the equations with bodies made, and which result it is."""
    sites: dict[str, Site] = field(default_factory=dict)

    def operand(self, var: str) -> int | None:
        """The operand that a binder comes from."""
        binders = self.jaxpr["invars"]
        wire = self.wires[binders.index(var)] if var in binders else None
        return wire["index"] if wire is not None and wire["from"] == "operand" else None


def find_twins(origins: Origins, entry: str, place_of: Callable[[str], Any]) -> list[Dict]:
    """The twins of a program, in the order of the backward equations. `place_of` gives the instruction that an equation was traced from."""
    sites = list(_Survey(origins, place_of).sites(entry))
    groups: dict[Any, list[Site]] = defaultdict(list)
    for site in sites:
        if site.own:
            groups[_likeness(site)].append(site)
    twins = [twin for group in groups.values() for twin in _match(group)]
    order = {site.path: number for number, site in enumerate(sites)}
    return sorted(twins, key=lambda twin: order[twin["backward"]])


def _likeness(site: Site) -> tuple[Any, ...]:
    return site.eqn["primitive"], site.place, site.eqn["trips"], len(site.eqn["nested"]), _param(site, "name")


class _Survey:
    """Enumerates the instances of a program's equations that have bodies, depth first in program order."""

    def __init__(self, origins: Origins, place_of: Callable[[str], Any]) -> None:
        self._origins = origins
        self._place_of = place_of
        self._made_by: dict[str, dict[str, tuple[str, int]]] = {}
        self._calls: dict[str, list[Dict]] = {}
        self._count = 0

    def sites(self, entry: str) -> Iterator[Site]:
        yield from self._body(self._open(entry, None, []), "", "", None, None, 0)

    def _open(self, jaxpr: str, site: Site | None, wires: list[Dict]) -> Body:
        wire = self._origins.jaxprs[jaxpr]
        if jaxpr not in self._calls:
            calls = self._calls[jaxpr] = self._origins.callers(jaxpr)
            self._made_by[jaxpr] = {result["var"]: (eqn["id"], i) for eqn in calls for i, result in enumerate(eqn["results"])}
        return Body(wire, site, wires, self._made_by[jaxpr])

    def _body(self, body: Body, prefix: str, around: Levels, place: Any, checkpoint: str | None, depth: int) -> Iterator[Site]:
        for eqn in self._calls[body.jaxpr["id"]]:
            self._count += 1
            if self._count > MAX_SITES or depth > MAX_DEPTH:
                return
            own = self._origins.levels(eqn, around)
            passes = eqn["primitive"] == "cond" or self._origins.is_plain(eqn)
            site = Site(prefix + eqn["id"], eqn, own, body, self._place_of(eqn["id"]) or place, checkpoint, passes)
            body.sites[eqn["id"]] = site
            yield site
            met: list[str] = []
            within = site.path if is_checkpoint(eqn) else checkpoint
            for number, call in enumerate(eqn["nested"]):
                inner = self._open(call["jaxpr"], site, call["inputs"])
                site.bodies.append(inner)
                segment = f"{site.path}:{number}/" if call["jaxpr"] in met else f"{site.path}/"
                met.append(call["jaxpr"])
                if self._calls[call["jaxpr"]]:
                    yield from self._body(inner, segment, own, site.place, within, depth + 1)


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
    return [
        (index, site, result)
        for index, operand in enumerate(back.eqn["operands"])
        for site, result in _trail(back.body, operand["atom"].get("var"))
    ]


def _links(forward: Site, trails: list[tuple[int, Site, int]]) -> list[Dict]:
    return [{"result": result, "operand": index} for index, site, result in trails if site is forward]


def _trail(body: Body, var: str | None) -> list[tuple[Site, int]]:
    """The sites, and which of their results, that a value came through: binders, plain calls and branches, up to the one that made it."""
    found: list[tuple[Site, int]] = []
    queue = [(body, var)] if var is not None and (body.site is not None or var in body.made_by) else []
    for _ in range(4 * MAX_DEPTH):
        if not queue:
            break
        body, var = queue.pop()
        made = body.made_by.get(var)
        if made is None:
            if body.site is not None and (wire := body.operand(var)) is not None:
                operand = body.site.eqn["operands"][wire]
                if operand["role"] != "carry" and (outer := operand["atom"].get("var")) is not None:
                    queue.append((body.site.body, outer))
            continue
        name, index = made
        site = body.sites.get(name)
        if site is not None:
            found.append((site, index))
            for inner in site.bodies if site.passes else ():
                given = inner.jaxpr["outvars"][index].get("var")
                if given is not None:
                    queue.append((inner, given))
    return found
