"""What a printed jaxpr says, as it was read: names instead of ids.

Promises: plain values, no text that has to be read again except params. Must never: hold what the text does not say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Binder(NamedTuple):
    """A variable where it is bound: `a:f32[3]`."""

    name: str
    aval: str


class Atom(NamedTuple):
    """An operand: a variable (`aval` is None), or a literal with its type, which is "" where none is printed."""

    text: str
    aval: str | None


class Inner(NamedTuple):
    """A jaxpr inside a param, with the steps that lead to it there (`[0]`, `.solve`)."""

    path: str
    body: Body


Pieces = list["str | Inner | Atom"]


class Param(NamedTuple):
    """A param: its text, or the pieces of it where it holds jaxprs."""

    name: str
    value: str | Pieces


@dataclass(slots=True, eq=False)
class Equation:
    """One equation, from `start` to `end` in the prepared text. `pieces` is what is printed where that is not the common form."""

    start: int
    end: int
    primitive: str
    results: list[Binder]
    params: list[Param]
    operands: list[Atom]
    pieces: Pieces | None = None
    refs: list[int] = field(default_factory=list)
    """How many operands each ref with its index is, where they are printed so: `x[i] y[...]`."""
    effect: str = ""
    """What it does to its first operand, a ref: `Read`, `Write`, `Accum`."""


@dataclass(slots=True, eq=False)
class Body:
    """A jaxpr. `table` has what is printed ahead of the print that it belongs to; `alone` says that it is the outermost of its own."""

    start: int
    table: dict[str, Body]
    alone: bool = False
    end: int = -1
    constvars: list[Binder] = field(default_factory=list)
    invars: list[Binder] = field(default_factory=list)
    eqns: list[Equation] = field(default_factory=list)
    outs: list[Atom] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    """The type of each variable that is bound so far."""
    left_out: Equation | None = None
    """Stands for equations that the print leaves out (`...`): what is used later and bound nowhere comes from there."""
    pending: Equation | None = None
    """The equation that is being read."""
