"""Whether equations with bodies are alternatives: of what they make a `select_n` takes one or the other.

Under `vmap` the branches of a cond are computed one after the other and chosen from. Its transpose computes them in the same order, not
backwards, so the order of two such says nothing of which belongs to which.
"""

from __future__ import annotations

from collections.abc import Sequence

from ._twin_sites import Site


def alternatives(sites: Sequence[Site]) -> bool:
    """Whether a `select_n` chooses between what comes of two of them, which stand in one body."""
    come_of: dict[str, frozenset[int]] = {}
    made = {result: number for number, site in enumerate(sites) for result in site.row.results}
    nothing: frozenset[int] = frozenset()
    for row in sites[0].body.rows:
        fed = [come_of.get(var, nothing) if var is not None else nothing for var in row.operands]
        if row.primitive == "select_n" and len(set(filter(None, fed[1:]))) > 1:
            return True
        found = nothing if row.calls else nothing.union(*fed)
        for result in row.results:
            own = made.get(result)
            if own is not None or found:
                come_of[result] = found if own is None else frozenset((own,))
    return False
