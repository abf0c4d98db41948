"""How JAX prints an equation, where that is not `results = primitive[every param, by name] operands`.

Promises: JAX's own printing rule is asked, and what it prints is kept in pieces: variables and nested jaxprs by id, the rest as text. What
only changes the list of params is told apart from what prints wholly its own way. Nothing is done for equations printed the common way.
Must never: raise, run the program, or decide itself what JAX prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from visualizer.tracing.compat import (
    ClosedJaxpr,
    Jaxpr,
    RuleContext,
    dropped_vars,
    has_printing_rule,
    pretty_print,
    print_by_rule,
    rule_ignores_jaxprs,
)

from ._params import param_text
from ._text import deep_recursion

Dict = dict[str, Any]
Nested = list[tuple[str, Any]]
Atoms = Mapping[Any, tuple[Dict, int, Dict | None]]
# Noncharacters of Unicode stand around an id where JAX would print a letter or the name of a jaxpr.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_STEM = re.compile(r"[^.\[]*")
_MARK = re.compile(f"{_OPEN}([a-z][0-9]+){_CLOSE}")


class Looks(NamedTuple):
    """How the params of an equation look as text."""

    plain: bool
    """Each of them is one line of common length."""
    direct: bool
    """Each jaxpr among them is a param itself, or one of a tuple of jaxprs: there JAX finds it, too."""


COMMON = Looks(True, True)


class Site(NamedTuple):
    """One equation: the jaxprs in its params, its params as text, and the atoms of the variables around it."""

    eqn: Any
    nested: Nested
    texts: list[Dict]
    atoms: Atoms
    looks: Looks


class Printing:
    """Reads how the equations of one program are printed."""

    def __init__(self, body_of: Callable[[Any], str], cut: Callable[[str], str]) -> None:
        """`body_of` gives the id of a jaxpr; `cut` keeps the budget of long texts."""
        self.outermost: Any = None  # the Jaxpr printed outermost: its unused results print as `_`
        self._body_of, self._cut = body_of, cut
        self._dropped: Any = None
        self._alone: list[tuple[Dict, Mapping[Any, str], list[tuple[str, Any]]]] = []
        self._known: dict[tuple[object, ...], Dict] = {}
        self._atoms: Atoms = {}
        self._given: set[str] = set()  # the ids that a rule was given
        self._marks: dict[int, str] = {}
        self._context = RuleContext(self._mark, lambda jaxpr: _marked(self._marks.get(id(jaxpr))))

    def read(self, site: Site) -> Dict | None:
        """The `Printed` of an equation; None where JAX prints it the common way."""
        try:
            return self._by_rule(site) if has_printing_rule(site.eqn.primitive) else self._common(site)
        except BaseException:  # a stranger's rule or param that cannot be printed: then neither can JAX print it
            return None

    def _common(self, site: Site) -> Dict | None:
        awkward = _awkward(site)
        return self._of_params(sorted(site.eqn.params.items()), awkward, site) if awkward else None

    def _by_rule(self, site: Site) -> Dict:
        eqn, nested = site.eqn, site.nested
        # What a rule makes of the params follows from what they are, and that from their types and texts.
        key = self._key(site)
        known = self._known.get(key) if key is not None else None
        if known is not None:
            return known
        self._atoms, self._marks, self._given = site.atoms, {id(_inner(jaxpr)): self._body_of(jaxpr) for _, jaxpr in nested}, set()
        shown, text = print_by_rule(eqn, self._context)
        if shown is None:
            return {"params": None, "pieces": _split(self._cut(text), {*self._given, *self._marks.values()})}
        printed = self._of_params(shown, _awkward(site), site)
        if key is not None and not (nested and any(param["pieces"] for param in printed["params"])):
            self._known[key] = printed
        return printed

    def _key(self, site: Site) -> tuple[object, ...] | None:
        """What decides how an equation with a rule is printed: the types and texts of its params. None where it may be more."""
        eqn = site.eqn
        if not site.looks.plain or (site.nested and not rule_ignores_jaxprs(eqn.primitive)):
            return None
        held = [path for path, _ in site.nested]
        texts = [param["text"] if param["name"] not in held else None for param in site.texts]
        return (id(eqn.primitive), *texts, *map(type, eqn.params.values()))

    def finish(self, bodies: Iterable[tuple[str, Any, Atoms]]) -> None:
        """Once every body (id, Jaxpr, its variables) is known: the letters of the jaxprs that are printed on their own."""
        if not self._alone:
            return
        keys: dict[Any, list[str]] = {}
        bodies = list(bodies)
        for _, _, atoms in bodies:
            for var, (atom, _, _) in atoms.items():
                keys.setdefault(var, []).append(atom["var"])
        for lettering, letters, hoisted in self._alone:
            lettering["letters"] = {key: letter for var, letter in letters.items() for key in keys.get(var, ())}
            lettering["hoisted"] = hoisted_ids([(name, id(jaxpr)) for name, jaxpr in hoisted], bodies)

    def _mark(self, var: Any) -> str | None:
        if self._dropped is None:
            self._dropped = dropped_vars(self.outermost)
        if var in self._dropped:
            return "_"
        known = self._atoms.get(var)
        if known is None:
            return None
        self._given.add(known[0]["var"])
        return _marked(known[0]["var"])

    def _of_params(self, shown: Iterable[tuple[str, Any]], awkward: Collection[str], site: Site) -> Dict:
        params = site.eqn.params
        found: list[Dict] = []
        for name, value in shown:
            same = name in params and params[name] is value and name not in awkward
            found.append({"name": name, "pieces": None if same else self._value(name, value, site)})
        return {"params": found, "pieces": None}

    def _value(self, name: str, value: Any, site: Site) -> list[Dict]:
        """A value in pieces. A jaxpr inside a container is printed by `repr`, which means on its own, with letters of its own."""
        if isinstance(value, (ClosedJaxpr, Jaxpr)):
            return [{"jaxpr": self._body_of(value), "alone": None}]
        with deep_recursion():
            text = self._cut(param_text(value, most=None))
            printings = [(jaxpr, pretty_print(_inner(jaxpr))) for path, jaxpr in site.nested if stem(path) == name]
        pieces, done = list[Dict](), 0
        for jaxpr, printed in printings:
            if _prints_alike(_inner(jaxpr)):
                start = text.find(printed.text, done)
                if start >= 0:
                    pieces += [{"text": text[done:start]}] if start > done else []
                    lettering: Dict = {}
                    self._alone.append((lettering, printed.letters, printed.hoisted))
                    pieces.append({"jaxpr": self._body_of(jaxpr), "alone": lettering})
                    done = start + len(printed.text)
        return [*pieces, {"text": text[done:]}] if done < len(text) or not pieces else pieces


def hoisted_ids(names: Collection[tuple[str, int]], bodies: Iterable[tuple[str, Any, Atoms]]) -> list[Dict]:
    """From the name and identity of each Jaxpr to its `Hoisted`."""
    of: dict[int, list[str]] = {which: [] for _, which in names}
    for key, jaxpr, _ in bodies if of else ():
        if id(jaxpr) in of:
            of[id(jaxpr)].append(key)
    return [{"name": name, "jaxprs": of[jaxpr]} for name, jaxpr in names if of[jaxpr]]


@lru_cache(1024)
def stem(path: str) -> str:
    """The param that a path leads into."""
    found = _STEM.match(path)
    return found.group() if found else ""


def _inner(jaxpr: Any) -> Any:
    return jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr


def _prints_alike(jaxpr: Any) -> bool:
    """Whether each equation of a jaxpr prints alike with the program and on its own, where unused results are `_` to the rules too."""
    context, dropped = RuleContext(lambda _: "v", lambda _: "j"), dropped_vars(jaxpr)
    asked = [eqn for eqn in jaxpr.eqns if has_printing_rule(eqn.primitive) and any(var in dropped for var in eqn.outvars)]
    return all(print_by_rule(eqn, context)[0] is not None for eqn in asked)


def _marked(key: str | None) -> str | None:
    return None if key is None else f"{_OPEN}{key}{_CLOSE}"


def _awkward(site: Site) -> Collection[str]:
    """The params that hold a jaxpr in something that JAX does not look into."""
    if site.looks.direct:
        return ()
    return {name for name in {stem(path) for path, _ in site.nested} if not _looked_into(site.eqn.params[name])}


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
