"""How JAX prints an equation, where that is not `results = primitive[every param, by name] operands`.

Promises: JAX's own printing rule is asked, and what it prints is kept in pieces: variables and nested jaxprs by id, the rest as text. What
only changes the list of params is told apart from what prints wholly its own way. Nothing is done for equations printed the common way.
Must never: raise, run the program, or decide itself what JAX prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._params import param_text
from .compat import ClosedJaxpr, Jaxpr, RuleContext, dropped_vars, has_printing_rule, pretty_print, print_by_rule

Dict = dict[str, Any]
Nested = list[tuple[str, Any]]
# Noncharacters of Unicode stand around an id where JAX would print a letter or the name of a jaxpr.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_MARK = re.compile(f"{_OPEN}([a-z][0-9]+){_CLOSE}")


@dataclass
class Site:
    """One equation: the jaxprs in its params, the ids of the variables around it, and the id of a jaxpr."""

    eqn: Any
    nested: Nested
    ids: Mapping[Any, str]
    body_of: Callable[[Any], str]


@dataclass
class Printing:
    """Reads how the equations of one program are printed."""

    outermost: Any = None
    """The Jaxpr printed outermost: its unused results print as `_`."""
    cut: Callable[[str], str] = str
    """Keeps the budget of long texts."""
    _dropped: Any = None
    _alone: list[tuple[Dict, Mapping[Any, str], Mapping[str, Any]]] = field(default_factory=list)

    def read(self, site: Site) -> Dict | None:
        """The `Printed` of an equation; None where JAX prints it the common way."""
        nested = site.nested
        if not has_printing_rule(site.eqn.primitive):
            awkward = _awkward(site.eqn.params, nested) if nested else ()
            return self._of_params(sorted(site.eqn.params.items()), awkward, site) if awkward else None
        try:
            marks = {id(_inner(jaxpr)): site.body_of(jaxpr) for _, jaxpr in nested}
            context = RuleContext(lambda var: self._mark(var, site), lambda jaxpr: _marked(marks.get(id(jaxpr))))
            shown, text = print_by_rule(site.eqn, context)
            if shown is not None:
                return self._of_params(shown, _awkward(site.eqn.params, nested), site)
            return {"params": None, "pieces": _split(self.cut(text), {*site.ids.values(), *marks.values()})}
        except Exception:  # a rule that cannot print the equation: then neither can JAX
            return None

    def finish(self, bodies: Iterable[tuple[str, Any, Mapping[Any, str]]]) -> None:
        """Once every body (id, Jaxpr, ids of its variables) is known: the letters of the jaxprs that are printed on their own."""
        if not self._alone:
            return
        keys: dict[Any, list[str]] = {}
        bodies = list(bodies)
        for _, _, ids in bodies:
            for var, key in ids.items():
                keys.setdefault(var, []).append(key)
        for lettering, letters, hoisted in self._alone:
            lettering["letters"] = {key: letter for var, letter in letters.items() for key in keys.get(var, ())}
            lettering["hoisted"] = hoisted_ids({name: id(jaxpr) for name, jaxpr in hoisted.items()}, bodies)

    def _mark(self, var: Any, site: Site) -> str | None:
        if self._dropped is None:
            self._dropped = dropped_vars(self.outermost)
        return "_" if var in self._dropped else _marked(site.ids.get(var))

    def _of_params(self, shown: Iterable[tuple[str, Any]], awkward: Iterable[str], site: Site) -> Dict:
        params, awkward = site.eqn.params, set(awkward)
        found: list[Dict] = []
        for name, value in shown:
            same = name in params and params[name] is value and name not in awkward
            found.append({"name": name, "pieces": None if same else self._value(name, value, site)})
        return {"params": found, "pieces": None}

    def _value(self, name: str, value: Any, site: Site) -> list[Dict]:
        """A value in pieces. A jaxpr inside a container is printed by `repr`, which means on its own, with letters of its own."""
        if isinstance(value, (ClosedJaxpr, Jaxpr)):
            return [{"jaxpr": site.body_of(value), "alone": None}]
        text, pieces, done = self.cut(param_text(value, most=None)), list[Dict](), 0
        for path, jaxpr in site.nested:
            if stem(path) == name:
                printed = pretty_print(_inner(jaxpr))
                start = text.find(printed.text, done)
                if start >= 0:
                    pieces += [{"text": text[done:start]}] if start > done else []
                    lettering: Dict = {}
                    self._alone.append((lettering, printed.letters, printed.hoisted))
                    pieces.append({"jaxpr": site.body_of(jaxpr), "alone": lettering})
                    done = start + len(printed.text)
        return [*pieces, {"text": text[done:]}] if done < len(text) or not pieces else pieces


def hoisted_ids(names: Mapping[str, int], bodies: Iterable[tuple[str, Any, Mapping[Any, str]]]) -> list[Dict]:
    """From {name: identity of a Jaxpr} to the `Hoisted` of each of our bodies of it."""
    of: dict[int, list[str]] = {}
    for key, jaxpr, _ in bodies:
        of.setdefault(id(jaxpr), []).append(key)
    return [{"jaxpr": key, "name": name} for name, jaxpr in names.items() for key in of.get(jaxpr, ())]


def stem(path: str) -> str:
    """The param that a path leads into."""
    return re.split(r"[.\[]", path, maxsplit=1)[0]


def _inner(jaxpr: Any) -> Any:
    return jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr


def _marked(key: str | None) -> str | None:
    return None if key is None else f"{_OPEN}{key}{_CLOSE}"


def _awkward(params: Mapping[str, Any], nested: Nested) -> set[str]:
    """The params that hold a jaxpr in something that JAX does not look into."""
    return {name for name in {stem(path) for path, _ in nested} if not _looked_into(params[name])}


def _looked_into(value: Any) -> bool:
    if type(value) is tuple:
        return all(isinstance(item, (ClosedJaxpr, Jaxpr)) for item in value)
    return isinstance(value, (ClosedJaxpr, Jaxpr))


def _split(text: str, known: set[str]) -> list[Dict]:
    pieces: list[Dict] = []
    for number, part in enumerate(_MARK.split(text)):
        if number % 2 == 0:
            pieces += [{"text": part}] if part else []
        elif part not in known:
            pieces.append({"text": part})
        else:
            pieces.append({"jaxpr": part, "alone": None} if part.startswith("j") else {"var": part})
    return pieces
