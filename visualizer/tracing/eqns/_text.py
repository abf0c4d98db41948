"""The program as JAX prints it, with where each equation stands in the text.

Promises: exactly `str(jaxpr)` wherever JAX can print it; ranges `[start, end)` in UTF-16 units, as JavaScript counts; JAX's own letter of
every variable. Where a param's text raises or is endless, JAX's printer is given our safe text of it.
Must never: change the program, or raise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

from visualizer.tracing.compat import ClosedJaxpr, Jaxpr, pretty_print, with_traceback

from ._params import safe_text

Dict = dict[str, Any]
FAIR_LENGTH = 1_000_000
FAIR_PER_EQN = 2_000
DEPTH = 20_000
# Stands for a line break inside a param: the printer's source map counts its own lines only.
NEWLINE = "\x1e"


class Walked(Protocol):
    """What the walk knows of the program."""

    multiline: set[tuple[str | None, str]]
    """(equation id, param) of the params whose text has line breaks."""

    @property
    def eqn_of(self) -> dict[int, str]:
        """id(JaxprEqn) -> our id."""
        ...


class PrintedProgram(NamedTuple):
    """A program as JAX prints it. `text` is None, and the rest empty, where even the safe text cannot be printed."""

    letters: dict[Any, str]
    text: Dict | None
    """The LevelText."""
    hoisted: list[tuple[str, int]]
    """(name, identity of the Jaxpr) of what JAX prints ahead."""


def print_program(closed: Any, walked: Walked) -> PrintedProgram:
    """Print a program whose equations have ids."""
    for safe in (False, True):
        try:  # a param's text may raise, or be no text; then the safe way is next
            with deep_recursion():
                tagger = _Tagger(walked, safe)
                text, letters, hoisted, regions = pretty_print(tagger.jaxpr(closed.jaxpr), custom_rules=not safe)
        except BaseException:  # noqa: S112
            continue
        if safe or len(text) < FAIR_LENGTH + FAIR_PER_EQN * len(walked.eqn_of):
            level = {"text": text.replace(NEWLINE, "\n"), "spans": _spans(text, regions)}
            return PrintedProgram(letters, level, [(name, tagger.original(copy)) for name, copy in hoisted])
    return PrintedProgram({}, None, [])


class _Text:
    """Stands for a param whose own text cannot be trusted, or runs over several lines. In all else it is the param."""

    def __init__(self, value: Any, text: str) -> None:
        self._value = value
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._value, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._value)

    def __len__(self) -> int:
        return len(self._value)

    def __getitem__(self, key: Any) -> Any:
        return self._value[key]


class _ShownTuple(tuple[Any, ...]):
    """A tuple that prints as a given text; the printer still finds the jaxprs in it."""

    text: str

    def __str__(self) -> str:
        return self.text


class _Tagger:
    """Copies jaxprs so that each equation carries our id where the printer looks for its source; what is shared stays shared."""

    def __init__(self, walked: Walked, safe: bool) -> None:
        self._walked = walked
        self._safe = safe
        self._done: dict[int, Any] = {}
        self._originals: dict[int, int] = {}

    def original(self, copy: Any) -> int:
        """The identity of the Jaxpr that `copy` was made from."""
        return self._originals[id(copy)]

    def jaxpr(self, jaxpr: Any) -> Any:
        done = self._done.get(id(jaxpr))
        if done is None:
            done = self._done[id(jaxpr)] = jaxpr.replace(eqns=[self._eqn(eqn) for eqn in jaxpr.eqns])
            self._originals[id(done)] = id(jaxpr)
        return done

    def _eqn(self, eqn: Any) -> Any:
        params, key = eqn.params, self._walked.eqn_of.get(id(eqn))
        changed = {name: new for name, old in params.items() if (new := self._param(key, name, old)) is not old}
        return with_traceback(eqn, key, {**params, **changed} if changed else params)

    def _param(self, eqn: str | None, name: str, value: Any) -> Any:
        if isinstance(value, (ClosedJaxpr, Jaxpr)):
            return self._any(value)
        if isinstance(value, tuple) and any(isinstance(item, (ClosedJaxpr, Jaxpr)) for item in value):
            items = tuple(self._any(item) if isinstance(item, (ClosedJaxpr, Jaxpr)) else item for item in value)
            if type(value) is tuple and all(isinstance(item, (ClosedJaxpr, Jaxpr)) for item in value):
                return items
            shown = _ShownTuple(items)
            shown.text = self._shown(value)
            return shown
        # The printer strips the text of `name`, whatever it is; the rest it only turns into text.
        if (self._safe or (eqn, name) in self._walked.multiline) and not (name == "name" and type(value) is str):
            return _Text(value, self._shown(value))
        return value

    def _shown(self, value: Any) -> str:
        return (safe_text(value) if self._safe else str(value)).replace("\n", NEWLINE)

    def _any(self, jaxpr: Any) -> Any:
        return jaxpr.replace(jaxpr=self.jaxpr(jaxpr.jaxpr)) if isinstance(jaxpr, ClosedJaxpr) else self.jaxpr(jaxpr)


def _spans(text: str, regions: list[list[tuple[int, int, Any]]]) -> dict[str, tuple[int, int]]:
    """From regions per line (columns in UTF-8 bytes) to one range per equation (UTF-16 units of the whole text)."""
    spans: dict[str, tuple[int, int]] = {}
    start = 0
    for line, found in zip(text.split("\n"), regions, strict=False):
        units = _identity if line.isascii() else _units_of(line)
        for begin, end, eqn in found:
            first = spans[eqn][0] if eqn in spans else start + units(begin)
            spans[eqn] = (first, start + units(end))
        start += units(len(line.encode())) + 1 if not line.isascii() else len(line) + 1
    return spans


def _identity(column: int) -> int:
    return column


def _units_of(line: str) -> Callable[[int], int]:
    data = line.encode()
    return lambda column: len(data[:column].decode(errors="ignore").encode("utf-16-le")) // 2


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room for JAX's printer, which takes some ten Python frames for each level of nesting."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
