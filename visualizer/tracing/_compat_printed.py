"""JAX's printer of jaxprs as it was from 0.4 to 0.9: part of `_compat_printing`.

It differs in this: a jaxpr that is used twice is printed ahead, and stands by its name only in what follows (so it may be printed again
within another that comes before it); a result that is dropped is a variable of a type of its own; addresses are printed as they are, which
here are masked as the newest printer masks them.

Promises: what `str(jaxpr)` of this version prints, but for the addresses.
Must never: print what no one could read: a text of more equations than `MOST`, which an older printer can make of a small program.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from jax._src import core as _core
from jax._src import pretty_printer as _pretty_printer

from ._compat_older import mask_addresses, source_of

MOST = 200_000
_OLDEST = not hasattr(_core, "pp_shared_jaxpr")  # 0.4


class _Dropped:
    """All variables that are dropped, in whatever jaxpr: they have a type of their own."""

    def __contains__(self, var: Any) -> bool:
        return isinstance(var, _core.DropVar)


DROPPED = _Dropped()
Printed = tuple[str, dict[Any, str], list[tuple[str, Any]], list[list[tuple[int, int, Any]]]]


@contextmanager
def uncoloured(setting: Any) -> Iterator[None]:
    """No colours while this lasts, where the setting is a plain flag (0.4)."""
    before, setting.value = setting.value, False
    try:
        yield
    finally:
        setting.value = before


def print_as_older(jaxpr: Any, custom_rules: bool) -> Printed:
    """Follows `core.pp_toplevel_jaxpr` of 0.4.38 to 0.9.2: text, letters, what stands ahead, regions. One thread at a time.

    ValueError where the text would be of more than `MOST` equations.
    """
    context = _core.JaxprPpContext()
    settings = _core.JaxprPpSettings(custom_pp_eqn_rules=custom_rules)
    known, taken = (context.top_level_jaxprs, context.used_names) if _OLDEST else (context.shared_jaxprs, context.shared_jaxpr_names)
    ahead = _core.pp_top_level_jaxpr if _OLDEST else _core.pp_shared_jaxpr
    shared = _shared(jaxpr)
    docs: list[Any] = []
    plain = _core.pp_eqn
    _core.pp_eqn = _with_source(plain)
    try:
        for name, body in shared:
            docs.append(ahead(name, body, context, settings))
            taken.add(name)
            known[body] = name
        docs.append(_core.pp_jaxpr(jaxpr, context, settings))
    finally:
        _core.pp_eqn = plain
    regions: list[list[tuple[int, int, Any]]] = []
    text = _pretty_printer.concat(docs).format(use_color=False, source_map=regions)
    letters = {var: f"{letter}{getattr(var, 'suffix', '')}" for var, letter in context.var_names.items()}
    return mask_addresses(text), letters, shared, regions


def _with_source(plain: Callable[..., Any]) -> Callable[..., Any]:
    """`core.pp_eqn` that hands on a source of ours; JAX's own would look for frames in it."""

    def pp_eqn(eqn: Any, context: Any, settings: Any) -> Any:
        source = source_of(eqn)
        if source is None:
            return plain(eqn, context, settings)
        rule = _core.pp_eqn_rules.get(eqn.primitive, _core._pp_eqn) if settings.custom_pp_eqn_rules else _core._pp_eqn
        return _pretty_printer.source_map(rule(eqn, context, settings), source)

    return pp_eqn


def _shared(jaxpr: Any) -> list[tuple[str, Any]]:
    """The jaxprs that stand ahead of the program: those used twice, by the names that JAX gives them."""
    names: dict[Any, str] = {}
    uses: Counter[Any] = Counter()
    queue, most = deque([jaxpr]), MOST
    while queue:
        body = queue.popleft()
        uses[body] += 1
        most -= len(body.eqns)
        if most < 0:
            raise ValueError("JAX would print this program over and over")
        for eqn in body.eqns:
            nested = list(_core.jaxprs_in_params(eqn.params))
            queue.extend(nested)
            name = eqn.params.get("name")
            if name is not None:
                for inner in nested:
                    names.setdefault(inner, name.strip("<>"))
    shared: list[tuple[str, Any]] = []
    taken: Counter[str] = Counter()
    for body, count in uses.items():
        if count == 1:
            continue
        name = names.get(body, "jaxpr")
        number = taken[name]
        taken[name] += 1
        if number:
            name += str(number)
            taken[name] += 1
        shared.append((name, body))
    return shared
