"""Tag every equation of a program, so that the operations lowered from it can be told.

Promises: the tagged program is the same program: each equation has one more scope on its name stack, our id of it, and one traceback
stands for all, as only the names are read back; nothing else differs. Bodies that are shared stay shared (the memo goes by the jaxpr's
identity), so what JAX lowers once, it still lowers once.
Must never: change the program it was given, run any of it, or fail: a param that cannot be rebuilt is left as it is, and what is in it
untagged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from visualizer.tracing.compat import ClosedJaxpr, Jaxpr, tagged_eqn

# A control character that a scope named by a person does not begin with; `e12` is our id of the equation.
MARK = "\x1f"
_TAG = re.compile(MARK + r"(e\d+)" + MARK)
MAX_DEPTH = 12


def tag_name(eqn_id: str) -> str:
    """The name of the scope that says which equation this is."""
    return f"{MARK}{eqn_id}{MARK}"


def tag_in(name: str) -> str | None:
    """The equation that a location's name speaks of: the innermost tag in it, or None."""
    found = _TAG.findall(name)
    return found[-1] if found else None


def tag(closed: Any, eqn_of: Mapping[int, str], *, places: bool = False) -> Any:
    """The closed jaxpr with every equation of `eqn_of` (by the identity of JAX's object) tagged, at every depth.

    With `places` each equation keeps its own traceback, for a module whose locations are shown.
    """
    return _Tagger(eqn_of, places).value(closed, 0)


class _Tagger:
    def __init__(self, eqn_of: Mapping[int, str], places: bool) -> None:
        self._eqn_of = eqn_of
        self._places = places
        self._done: dict[int, tuple[Any, Any]] = {}  # id -> (the original, kept alive, and the tagged)

    def value(self, value: Any, depth: int) -> Any:
        """A param's value with the jaxprs in it tagged; the very same object when there are none."""
        if isinstance(value, (ClosedJaxpr, Jaxpr)):
            return self._once(value)
        if depth >= MAX_DEPTH or not isinstance(value, (tuple, list, dict)):
            return value
        if isinstance(value, dict):
            return self._dict(value, depth)
        items = [self.value(item, depth + 1) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        if type(value) in (tuple, list):
            return type(value)(items)
        if isinstance(value, tuple) and hasattr(value, "_make"):
            return value._make(items)
        return value

    def _dict(self, value: dict[Any, Any], depth: int) -> Any:
        items = {key: self.value(item, depth + 1) for key, item in value.items()}
        if type(value) is not dict or all(items[key] is value[key] for key in items):
            return value
        return items

    def _once(self, jaxpr: Any) -> Any:
        known = self._done.get(id(jaxpr))
        if known is None:
            new = jaxpr.replace(jaxpr=self._once(jaxpr.jaxpr)) if isinstance(jaxpr, ClosedJaxpr) else self._jaxpr(jaxpr)
            known = self._done[id(jaxpr)] = (jaxpr, new)
        return known[1]

    def _jaxpr(self, jaxpr: Any) -> Any:
        return jaxpr.replace(eqns=[self._eqn(eqn) for eqn in jaxpr.eqns])

    def _eqn(self, eqn: Any) -> Any:
        own = self._eqn_of.get(id(eqn))
        changed = {name: new for name, old in eqn.params.items() if (new := self.value(old, 0)) is not old}
        if changed:
            eqn = eqn.replace(params={**eqn.params, **changed})
        return eqn if own is None else tagged_eqn(eqn, tag_name(own), place=self._places)
