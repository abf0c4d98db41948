"""JAX's printer of jaxprs: the part of `compat` that has to do with it. Written for JAX 0.10.2; that of 0.4 to 0.9 is in `_compat_printed`.

Promises: what `str(jaxpr)` prints, with what the printer keeps to itself: letters, places, and the pieces of an equation that a printing
rule of its own (`core.pp_eqn_rules`) prints.
Must never: hold logic of ours beyond translating what JAX gives.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import RLock
from typing import Any, NamedTuple

from jax._src import core as _core
from jax._src import pjit as _pjit
from jax._src import pretty_printer as _pretty_printer
from jax._src import source_info_util as _source_info

from ._compat_older import NAMED_BEFORE_PRINTED
from ._compat_printed import DROPPED, print_as_older, uncoloured

_NO_LINES = 1 << 30  # wide enough that no group is broken
_plain_rule = _core._pp_eqn
_lock = RLock()


class PrettyPrinted(NamedTuple):
    """A jaxpr as `str` prints it."""

    text: str
    letters: dict[Any, str]
    """{Var: letter}; a DropVar has none."""
    hoisted: list[tuple[str, Any]]
    """(name, Jaxpr) of those printed ahead; JAX may give one name twice."""
    regions: list[list[tuple[int, int, Any]]]
    """For each line the regions (start, end in UTF-8 bytes, the traceback of the equation)."""


def without_colour() -> AbstractContextManager[None]:
    """While this lasts, `str` of a jaxpr has no escape codes of colours, which it has where standard output is a terminal."""
    setting = _pretty_printer._PPRINT_USE_COLOR
    plain: AbstractContextManager[None] = setting(False) if callable(setting) else uncoloured(setting)
    return plain


def with_traceback(eqn: Any, traceback: Any, params: dict[str, Any]) -> Any:
    """A copy of an equation whose traceback is any object of ours: the printer's source map gives it back."""
    return eqn.replace(params=params, source_info=_source_info.SourceInfo(traceback, eqn.source_info.name_stack))


def dropped_vars(jaxpr: Any) -> Any:
    """The variables that are printed as `_` when this jaxpr is the outermost one."""
    return _core._dropvars(jaxpr) if NAMED_BEFORE_PRINTED else DROPPED


def pretty_print(jaxpr: Any, *, custom_rules: bool = True) -> PrettyPrinted:
    """Print a jaxpr. Follows `core.pp_toplevel_jaxpr`, which keeps its context (and with it the letters) to itself.

    Raises where JAX's own text would be endless for people: an older printer repeats what is shared.
    """
    if not NAMED_BEFORE_PRINTED:
        with _lock:
            return PrettyPrinted(*print_as_older(jaxpr, custom_rules))
    context = _core.JaxprPpContext(_core._dropvars(jaxpr))
    settings = _core.JaxprPpSettings(custom_pp_eqn_rules=custom_rules)
    shared = _shared_jaxprs(jaxpr)
    context.shared_jaxpr_names.update(name for name, _ in shared)
    context.shared_jaxprs.update((body, name) for name, body in shared)
    docs = [_core.pp_shared_jaxpr(name, body, context, settings) for name, body in shared]
    docs.append(_core.pp_jaxpr(jaxpr, context, settings))
    regions: list[list[tuple[int, int, Any]]] = []
    text = _pretty_printer.concat(docs).format(use_color=False, source_map=regions)
    return PrettyPrinted(text, dict(context.var_names), shared, regions)


def _shared_jaxprs(jaxpr: Any) -> list[tuple[str, Any]]:
    """The jaxprs that JAX prints ahead of the program, by the names it gives them: used twice, or over 10 equations long."""
    names: dict[Any, str] = {}
    counts: dict[Any, int] = {}
    queue = deque([jaxpr])
    while queue:
        body = queue.popleft()
        counts[body] = counts.get(body, 0) + (2 if body is not jaxpr and len(body.eqns) > 10 else 1)
        for eqn in body.eqns:
            nested = list(_core.jaxprs_in_params(eqn.params))
            queue.extend(nested)
            name = eqn.params.get("name")
            if name is not None:
                for inner in nested:
                    names.setdefault(inner, name.strip("<>"))
    shared: list[tuple[str, Any]] = []
    taken: dict[str, int] = {}
    for body, count in counts.items():
        if count == 1:
            continue
        name = names.get(body, "jaxpr")
        number = taken.get(name, 0)
        taken[name] = number + 1
        if number:
            name += str(number)
            taken[name] = taken.get(name, 0) + 1
        shared.append((name, body))
    return shared


# ---- printing rules ----


class _Names:
    """Answers the printer's questions for a name by a function, which gives None where there is no answer."""

    def __init__(self, name_of: Callable[[Any], str | None]) -> None:
        self.get = name_of

    def __getitem__(self, key: Any) -> str:
        name = self.get(key)
        if name is None:
            raise KeyError(key)
        return name

    def __contains__(self, key: Any) -> bool:
        return self.get(key) is not None


class RuleContext(_core.JaxprPpContext):  # type: ignore[misc, unused-ignore]
    """A printer's context in which variables and nested jaxprs print as marks of the caller's."""

    def __init__(self, mark_of_var: Callable[[Any], str | None], mark_of_jaxpr: Callable[[Any], str | None]) -> None:
        self.var_names: Any = _Names(mark_of_var)
        self.shared_jaxprs: Any = _Names(mark_of_jaxpr)
        self.shared_jaxpr_names: set[str] = set()
        self.top_level_jaxprs, self.used_names = self.shared_jaxprs, self.shared_jaxpr_names  # as 0.4 calls them

    def suggest_same_var_names(self, for_vars: Any, like_vars: Any) -> None:
        """Letters are chosen elsewhere."""


def has_printing_rule(primitive: Any) -> bool:
    """Whether JAX prints the equations of a primitive by a rule of their own."""
    return primitive in _core.pp_eqn_rules


def printing_rule(primitive: Any) -> Any:
    """The rule that JAX prints the equations of a primitive by; None where it prints them the common way."""
    return _core.pp_eqn_rules.get(primitive)


def rule_ignores_jaxprs(primitive: Any) -> bool:
    """Whether the rule of a primitive leaves jaxprs among the params as they are: it reads the other params alone."""
    return _core.pp_eqn_rules.get(primitive) is _pjit._pjit_pp_rule


def print_by_rule(eqn: Any, context: RuleContext) -> tuple[list[tuple[str, Any]] | None, str]:
    """What the rule of an equation does: hands JAX's common printer other params, which are given, in order; else the text it prints."""
    rule, settings = _core.pp_eqn_rules[eqn.primitive], _core.JaxprPpSettings()
    asked: list[tuple[Any, Any]] = []

    def note(given: Any, its: Any, settings: Any, params: Any = None) -> Any:
        if its is not context:  # somebody prints in another thread
            return _plain_rule(given, its, settings, params)
        asked.append((given, sorted(given.params) if params is None else list(params)))
        return answer

    answer = _pretty_printer.nil()
    with _lock:
        _core._pp_eqn = note
        try:
            doc = rule(eqn, context, settings)
        finally:
            _core._pp_eqn = _plain_rule
    if doc is answer and len(asked) == 1:
        given, names = asked[0]
        if given.primitive is eqn.primitive and given.invars is eqn.invars and given.outvars is eqn.outvars:
            return [(name, given.params[name]) for name in names], ""
    return None, rule(eqn, context, settings).format(width=_NO_LINES, use_color=False)
