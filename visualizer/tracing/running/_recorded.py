"""What was found in a paste: traced programs, and calls that could not be traced.

Promises: two programs are the same only if equation, param, type and wiring agree throughout.
Must never: read the value of an array.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from visualizer.tracing import compat
from visualizer.tracing.arguments._parameters import Call, call_of
from visualizer.tracing.eager._held import NeedsValueError
from visualizer.tracing.lowering._stablehlo import whole_call
from visualizer.tracing.source._sites import Range


class Rank(IntEnum):
    """Which programs are shown: those of the lowest rank that was found."""

    EXPLICIT = 0
    CALL = 1
    LIBRARY = 2
    VALUE = 3


@dataclass
class Recorded:
    """One program: its jaxpr, and the call it was traced from, which lowering says again."""

    closed: Any
    name: str
    origin: str
    rank: Rank
    site: int
    place: Range | None
    fun: Any = None
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    stage: Any = None
    """JAX's Traced, Lowered or Exported, where the person asked for one."""
    count: int = 1
    note: str = ""
    x64: bool = False
    """Whether it was traced with 64-bit types, where the paste has 32."""
    mesh: Any = None
    """The mesh in which it was traced, where there is one: it is lowered in the same."""
    made_from: dict[str, Any] | None = None
    """The wire's Transform, for a transformed program."""
    wish: str | None = None
    """The field of the request that asked for a transformed program."""
    known_call: Call | None = None

    def call(self) -> Call | None:
        """The call that it was traced from, parameter by parameter, as far as it is known."""
        return self.known_call or call_of(self.closed, self.fun, self.args, self.kwargs)

    def stages(self) -> list[Any]:
        """JAX's Traced of the function: the one the person asked for, and that of a jitted function (which JAX has already traced)."""
        asked = [self.stage] if isinstance(self.stage, compat.Traced) else []
        if self.stage is not None and not asked:
            return []
        jitted = next((f for f in (self.fun, getattr(self.fun, "__wrapped__", None)) if isinstance(f, compat.Wrapped)), None)
        if jitted is not None and whole_call(self.closed) is not None:
            with contextlib.suppress(Exception, NeedsValueError):
                asked.append(jitted.trace(*self.args, **self.kwargs))
        return asked


@dataclass
class Untraced:
    """A call that ran and could not be traced."""

    name: str
    rank: Rank
    place: Range | None
    error: BaseException


def size_of(closed: Any) -> int:
    """How many equations a program has, those of shared bodies counted once."""
    seen: dict[int, Any] = {}
    todo = [closed.jaxpr]
    while todo:
        jaxpr = todo.pop()
        if id(jaxpr) not in seen:
            seen[id(jaxpr)] = jaxpr
            todo.extend(inner for eqn in jaxpr.eqns for inner in compat.jaxprs_in_params(eqn.params))
    return sum(len(jaxpr.eqns) for jaxpr in seen.values())


def same(first: Any, second: Any) -> bool:
    """Whether two ClosedJaxprs are the same program, as their print would say, without printing them."""
    return _Same().closed(first, second)


class _Same:
    def __init__(self) -> None:
        self._pairs: set[tuple[int, int]] = set()

    def closed(self, first: Any, second: Any) -> bool:
        if len(first.consts) != len(second.consts):
            return False
        return self.jaxpr(first.jaxpr, second.jaxpr)

    def jaxpr(self, first: Any, second: Any) -> bool:
        if first is second or (id(first), id(second)) in self._pairs:
            return True
        counts = [(len(j.eqns), len(j.constvars), len(j.invars), len(j.outvars)) for j in (first, second)]
        if counts[0] != counts[1]:
            return False
        numbers: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        if not self._bind(first.constvars, second.constvars, numbers) or not self._bind(first.invars, second.invars, numbers):
            return False
        for one, other in zip(first.eqns, second.eqns, strict=True):
            if one.primitive is not other.primitive or not self._atoms(one.invars, other.invars, numbers):
                return False
            if not self._value(one.params, other.params) or not self._bind(one.outvars, other.outvars, numbers):
                return False
        if not self._atoms(first.outvars, second.outvars, numbers):
            return False
        self._pairs.add((id(first), id(second)))
        return True

    @staticmethod
    def _bind(first: Any, second: Any, numbers: tuple[dict[Any, int], dict[Any, int]]) -> bool:
        if len(first) != len(second):
            return False
        for one, other in zip(first, second, strict=True):
            if one.aval != other.aval:
                return False
            numbers[0][one] = numbers[1][other] = len(numbers[0])
        return True

    @staticmethod
    def _atoms(first: Any, second: Any, numbers: tuple[dict[Any, int], dict[Any, int]]) -> bool:
        if len(first) != len(second):
            return False
        for one, other in zip(first, second, strict=True):
            literal = isinstance(one, compat.Literal)
            if literal != isinstance(other, compat.Literal):
                return False
            if literal:
                if one.aval != other.aval or compat.literal_text(one) != compat.literal_text(other):
                    return False
            elif numbers[0].get(one) != numbers[1].get(other):
                return False
        return True

    def _value(self, first: Any, second: Any, depth: int = 0) -> bool:
        if first is second:
            return True
        if depth > 8 or type(first) is not type(second):
            return False
        if isinstance(first, compat.ClosedJaxpr):
            return self.closed(first, second)
        if isinstance(first, compat.Jaxpr):
            return self.jaxpr(first, second)
        if isinstance(first, dict):
            return first.keys() == second.keys() and all(self._value(first[key], second[key], depth + 1) for key in first)
        if isinstance(first, (tuple, list)):
            return len(first) == len(second) and all(self._value(a, b, depth + 1) for a, b in zip(first, second, strict=True))
        if callable(first):  # a rule or a callback: each trace makes its own
            return getattr(first, "__name__", None) == getattr(second, "__name__", None)
        try:
            # Objects that each trace makes anew (rules, thunks) are told apart by what they say.
            return bool(first == second) or (type(first) not in _VALUES and _said(first) == _said(second))
        except Exception:  # arrays, or objects of the person's
            return True


_VALUES = frozenset({int, float, complex, bool, str, bytes, type(None)})
_ADDRESS = re.compile(r"0x[0-9a-f]+")


def _said(value: Any) -> str:
    return _ADDRESS.sub("", repr(value))
