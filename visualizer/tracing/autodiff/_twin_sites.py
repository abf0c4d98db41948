"""The instances of a program's equations that have bodies, each with where it stands: what twins are found among.

Promises: depth first, in program order, so that what is around an equation comes before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ._levels import Levels
from ._origins import Origins, Row

Dict = dict[str, Any]
# Instances of equations with bodies; a program that has more gets the twins among the first.
MAX_SITES = 20_000
MAX_DEPTH = 64
_PERMUTATION = re.compile(r"\((\d+(?:, \d+)*),?\)")
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
    plain: bool
    """Whether it is a plain call, which gives on what its body gives."""
    bodies: list[Body] = field(default_factory=list)

    @property
    def eqn(self) -> Dict:
        """The equation."""
        return self.row.eqn


@dataclass(eq=False, slots=True)
class Body:
    """An instance of a body, the `number`-th of the equation around it, `site`; `wires` says where its binders come from."""

    jaxpr: Dict
    site: Site | None
    number: int
    wires: list[Dict]
    rows: list[Row]
    calls: list[Row]
    """Those of them that have bodies."""
    made_by: dict[str, tuple[int, int]]
    """What the equations with bodies made: the number of the call, and which result it is."""
    turns: Turns
    sites: list[Site] = field(default_factory=list)
    """One per call, as far as they are known."""

    def operand(self, var: str) -> int | None:
        """The operand that a binder comes from."""
        binders = self.jaxpr["invars"]
        wire = self.wires[binders.index(var)] if var in binders else None
        return wire["index"] if wire is not None and wire["from"] == "operand" else None


class Turns:
    """The transposes of a jaxpr (`vmap` moves its axis by them), laid out when one is asked for."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows
        self._made: dict[str, Row] | None = None

    def of(self, var: str) -> tuple[str, tuple[int, ...]] | None:
        """What a variable is a transpose of, and by which permutation; None where it is made otherwise."""
        if self._made is None:
            self._made = {row.results[0]: row for row in self._rows if row.primitive == "transpose"}
        row = self._made.get(var)
        if row is None or row.operands[0] is None:
            return None
        said = next((_PERMUTATION.fullmatch(each["text"]) for each in row.eqn["params"] if each["name"] == "permutation"), None)
        return (row.operands[0], tuple(map(int, said[1].split(", ")))) if said is not None else None


class Survey:
    """Enumerates the instances of a program's equations that have bodies, depth first in program order."""

    def __init__(self, origins: Origins, place_of: Callable[[str], Any]) -> None:
        self._origins = origins
        self._place_of = place_of
        self._known: dict[str, tuple[list[Row], list[Row], dict[str, tuple[int, int]], Turns]] = {}
        self._found: list[Site] = []

    def sites(self, entry: str) -> list[Site]:
        """All that there are in a program, as far as they are enumerated."""
        self._body(self._open(entry, None, 0, []), "", "", None, None, 0)
        return self._found

    def _open(self, jaxpr: str, site: Site | None, number: int, wires: list[Dict]) -> Body:
        known = self._known.get(jaxpr)
        if known is None:
            rows = self._origins.rows(jaxpr)
            calls = [rows[number] for number in self._origins.calls(jaxpr)]
            made_by = {var: (number, i) for number, row in enumerate(calls) for i, var in enumerate(row.results)}
            known = self._known[jaxpr] = rows, calls, made_by, Turns(rows)
        return Body(self._origins.jaxprs[jaxpr], site, number, wires, *known)

    def _body(self, body: Body, prefix: str, around: Levels, place: Any, checkpoint: str | None, depth: int) -> None:
        for row in body.calls:
            if len(self._found) >= MAX_SITES or depth > MAX_DEPTH:
                return
            eqn, nested = row.eqn, row.eqn["nested"]
            key = eqn["id"]
            own = self._origins.levels(row.stack, around)
            here = self._place_of(key)
            site = Site(prefix + key, row, own, body, place if here is None else here, checkpoint, self._origins.is_plain(row))
            body.sites.append(site)
            self._found.append(site)
            within = site.path if is_checkpoint(eqn) else checkpoint
            met: list[str] = []
            for number, call in enumerate(nested):
                which = call["jaxpr"]
                inner = self._open(which, site, number, call["inputs"])
                site.bodies.append(inner)
                if inner.calls:
                    segment = f"{site.path}:{number}/" if which in met else f"{site.path}/"
                    self._body(inner, segment, own, site.place, within, depth + 1)
                met.append(which)


def param(site: Site, name: str) -> str | None:
    """The text of one of its params."""
    for each in site.eqn["params"]:
        if each["name"] == name:
            text: str = each["text"]
            return text
    return None


def around(site: Site) -> Iterator[Body]:
    """The bodies that it stands in, from the innermost out."""
    body = site.body
    while True:
        yield body
        if body.site is None:
            return
        body = body.site.body


def is_checkpoint(eqn: Dict) -> bool:
    """Whether the equation is the backward side of a checkpoint, which computes its forward side again."""
    return _DIFFERENTIATED in eqn["params"]
