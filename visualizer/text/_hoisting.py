"""Which jaxprs are printed where: in place, or ahead of the program under a name.

Promises: the names that JAX gave, where the wire has them; else a name for every jaxpr that is printed more than once, so that no text is
longer than its program. No recursion.
Must never: read `Program.texts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count

from visualizer.model import Call, Eqn, Hoisted, JaxprPiece, PrintedParam, Program


def names_of(hoisted: Iterable[Hoisted]) -> dict[str, str]:
    """{jaxpr id: name}."""
    return {key: each.name for each in hoisted for key in each.jaxprs}


def stands_in(call: Call, param: str) -> bool:
    """Whether a nested jaxpr is the value of a param or an item of it."""
    return call.param == param or call.param.startswith(f"{param}[")


def hoisted(program: Program) -> list[Hoisted]:
    """What is printed ahead of `program`."""
    known, names = list(program.hoisted), names_of(program.hoisted)
    uses = _uses(program)
    taken = {*names.values()}
    for key, times in uses.items():
        if times > 1 and key not in names:
            name = program.jaxprs[key].name.strip("<>") or "jaxpr"
            known.append(Hoisted(name=next(each for each in _numbered(name) if each not in taken), jaxprs=(key,)))
            taken.add(known[-1].name)
    return known


def refuse_cycles(program: Program) -> None:
    """Raises ValueError where a jaxpr contains itself: its text would have no end."""
    inside = {key: {call.jaxpr for eqn in jaxpr.eqns for call in eqn.nested} for key, jaxpr in program.jaxprs.items()}
    for key, jaxpr in program.jaxprs.items():
        inside[key].update(piece.jaxpr for eqn in jaxpr.eqns for piece in _pieces(eqn))
    holders: dict[str, list[str]] = {key: [] for key in inside}
    for key, within in inside.items():
        for each in within:
            holders[each].append(key)
    left = {key: len(within) for key, within in inside.items()}
    done = [key for key, number in left.items() if not number]
    for key in done:  # grows as it goes
        for holder in holders[key]:
            left[holder] -= 1
            if not left[holder]:
                done.append(holder)
    if len(done) < len(inside):
        raise ValueError(f"{program.id} cannot be written: {next(key for key in inside if key not in set(done))} contains itself.")


def _uses(program: Program) -> Counter[str]:
    """How often each jaxpr is printed as part of the program."""
    uses: Counter[str] = Counter()
    queue = [] if program.entry is None else [program.entry]
    for key in queue:  # grows as it goes
        for eqn in program.jaxprs[key].eqns:
            for nested in _printed_with(eqn):
                uses[nested] += 1
                if uses[nested] == 1:
                    queue.append(nested)
    return uses


def _printed_with(eqn: Eqn) -> Iterator[str]:
    """The jaxprs that an equation prints with the program, as often as it does."""
    yield from (piece.jaxpr for piece in _pieces(eqn) if piece.alone is None)
    if eqn.printed is None:
        yield from (call.jaxpr for call in eqn.nested)
    else:
        plain = [param.name for param in eqn.printed.params or () if param.pieces is None]
        yield from (call.jaxpr for call in eqn.nested if any(stands_in(call, name) for name in plain))


def _pieces(eqn: Eqn) -> Iterator[JaxprPiece]:
    if eqn.printed is not None:
        params: Iterable[PrintedParam] = eqn.printed.params or ()
        lists = [eqn.printed.pieces or (), *(param.pieces or () for param in params)]
        yield from (piece for pieces in lists for piece in pieces if isinstance(piece, JaxprPiece))


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{number}" for number in count(1))
