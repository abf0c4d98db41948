"""The equations with bodies that a value came through on its way to an operand.

Promises: the value of each result that is named is that of the operand, number for number: in a loop step by step, in a branch where that
branch is taken. Through a loop or a branch it is followed only into the partner of the one that it is read in, for nothing else is
known to make the same steps and to take the same branch. Where it was transposed on the way (`vmap` puts its axis first around a loop),
it was transposed back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from ._origins import LOOPS
from ._twin_sites import MAX_DEPTH, Body, Site

Trail = tuple[int, Site, int]
"""The operand, an equation that its value came through, and which of its results that is."""
Partners = Callable[[Site], tuple[Collection[Site], bool]]
"""The forward sides of a site, as far as they are known, and whether there may be more."""
_ELSEWHERE = (-1, 0)
_Left = tuple[tuple[Site, int], ...]
"""The loops and branches that a value is read in and was made outside of, the innermost first, each with the number of its body."""
_Axes = tuple[int, ...]
"""Which axis of the value further out each axis of the operand is; empty where none was moved."""
_Made = tuple[Body, str, _Left, _Axes]


def trails(back: Site, partners: Partners) -> tuple[list[Trail], bool]:
    """For each operand of `back` the equations that it came through, and whether these can become more when more is paired."""
    found: list[Trail] = []
    ended = True
    body = back.body
    for index, var in enumerate(back.row.operands):
        if var is None:
            continue
        number, result = body.made_by.get(var, _ELSEWHERE)
        if 0 <= number < len(body.sites) and not body.sites[number].plain:  # most are: a loop beside it made the value
            found.append((index, body.sites[number], result))
        elif (made := _made(body, var, (), ())) is not None:
            sites, whole = _trail(*made, partners)
            found += [(index, site, result) for site, result in sites]
            ended = ended and whole
    return found, not ended


def _made(body: Body, var: str, left: _Left, axes: _Axes) -> _Made | None:
    """Where a call made a value that came through binders and transposes, if one did."""
    for _ in range(2 * MAX_DEPTH):
        if var in body.made_by:
            return body, var, left, axes
        turned = body.turns.of(var)
        if turned is not None:
            var, axes = turned[0], _after(turned[1], axes)
            continue
        site = body.site
        index = body.operand(var) if site is not None else None
        if site is None or index is None:
            return None
        outer, role = site.row.operands[index], site.eqn["operands"][index]["role"]
        if outer is None or (site.row.primitive in LOOPS and role == "carry"):
            return None
        if role == "xs" or site.row.primitive == "cond":
            left = (*left, (site, body.number))
        if role == "xs" and axes:
            axes = (0, *(axis + 1 for axis in axes))
        body, var = site.body, outer
    return None


def _after(permutation: _Axes, axes: _Axes) -> _Axes:
    """The axes, of the value that was transposed."""
    found = tuple(permutation[axis] for axis in axes) if axes else permutation
    return () if found == tuple(range(len(found))) else found


def _trail(body: Body, var: str, left: _Left, axes: _Axes, partners: Partners) -> tuple[list[tuple[Site, int]], bool]:
    """The sites, and which of their results, that a value came through: plain calls, and partners of what it `left`.

    And whether that is all, whatever else is paired.
    """
    found = []
    whole = True
    for _ in range(4 * MAX_DEPTH):
        number, index = body.made_by[var]
        if number >= len(body.sites):
            break
        site = body.sites[number]
        if not axes and (not left or all(each.row.primitive == "cond" for each, _ in left)):
            found.append((site, index))
        if site.plain:
            inner = site.bodies[0]
        else:
            known, more = partners(left[-1][0]) if left else ((), False)
            if site not in known:
                whole = not more
                break
            inside = _inside(site, index, left[-1])
            if inside is None:
                break
            if site.row.primitive == "scan" and axes:
                if axes[0] != 0:
                    break
                axes = tuple(axis - 1 for axis in axes[1:])
            inner, left = inside, left[:-1]
        given = inner.jaxpr["outvars"][index].get("var")
        made = _made(inner, given, left, axes) if given is not None else None
        if made is None:
            break
        body, var, left, axes = made
    return found, whole


def _inside(site: Site, result: int, left: tuple[Site, int]) -> Body | None:
    """The body of a loop or branch that gives a result where its partner `left` reads it."""
    if site.row.primitive == "scan":
        return site.bodies[0] if site.eqn["results"][result]["role"] == "ys" else None
    return site.bodies[left[1]] if site.row.primitive == "cond" and left[1] < len(site.bodies) else None
