"""Every ClosedJaxpr that JAX makes while something runs, and the checking of them.

The one hook is `ClosedJaxpr.__init__`: whatever traces (jit, make_jaxpr, control flow, custom rules, batching, autodiff), in whatever
version, ends there. What is made is kept until `flush`, which looks at the last one first: a jaxpr found inside another is checked with it.
"""

from __future__ import annotations

import hashlib
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

from tests.peer import walk
from tests.peer.check import check_program
from visualizer.tracing import serialize

Json = dict[str, Any]


@dataclass
class Limits:
    """What one run may cost."""

    eqns: int = 20_000
    """A program with more equations is left out, and counted."""
    pending: int = 300_000
    """So many equations are kept at most; then they are checked at once, in the midst of the test."""
    seconds: float = 120.0
    """So long the checking after one test may take; what is left over is counted."""
    back: bool = True
    """Whether the printed text is also written back from the program."""


@dataclass
class Report:
    """What was seen, in numbers, and every disagreement."""

    recorded: int = 0
    programs: int = 0
    same: int = 0
    inside: int = 0
    too_large: int = 0
    out_of_time: int = 0
    bodies: int = 0
    equations: int = 0
    primitives: Counter[str] = field(default_factory=Counter)
    unwired: Counter[str] = field(default_factory=Counter)
    """Nested jaxprs with a binder that comes from inside the primitive, or a result that goes nowhere: `primitive param`."""
    hidden: Counter[str] = field(default_factory=Counter)
    """Where jaxprs stand that no container holds (closures, objects): `primitive place`."""
    disagreements: list[Json] = field(default_factory=list)

    def as_json(self) -> Json:
        """Everything, as plain data."""
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in vars(self).items()}

    def add(self, other: Json) -> None:
        """The numbers of another process."""
        for name, value in other.items():
            mine = getattr(self, name)
            if isinstance(mine, Counter):
                mine.update(value)
            else:
                setattr(self, name, mine + value)

    def lines(self) -> list[str]:
        """The numbers in words."""
        return [
            f"{self.recorded} jaxprs recorded: {self.programs} programs checked, {self.inside} inside another, {self.same} seen before",
            f"left out: {self.too_large} too large, {self.out_of_time} out of time",
            f"{self.equations} equations in {self.bodies} bodies, of {len(self.primitives)} primitives",
            f"{len(self.disagreements)} disagreements",
        ]


class Recorder:
    """Records while it is installed; `flush` checks what has gathered."""

    def __init__(self, limits: Limits | None = None, report: Report | None = None) -> None:
        self.limits = limits or Limits()
        self.report = report or Report()
        self.where = ""
        self._pending: list[Any] = []
        self._size = 0
        self._busy = False
        self._seen: set[bytes] = set()

    @contextmanager
    def installed(self) -> Iterator[Recorder]:
        """Record everything made inside the `with`, and check what is left at its end."""
        original = ClosedJaxpr.__init__

        def recorded(closed: Any, jaxpr: Any, consts: Any) -> None:
            original(closed, jaxpr, consts)
            self.record(closed)

        ClosedJaxpr.__init__ = recorded  # type: ignore[method-assign]
        try:
            yield self
            self.flush()
        finally:
            ClosedJaxpr.__init__ = original  # type: ignore[method-assign]

    def record(self, closed: Any) -> None:
        """Keep one for later."""
        if self._busy:
            return  # made by the checking itself
        self._pending.append(closed)
        self._size += len(closed.jaxpr.eqns)
        self.report.recorded += 1
        # What is kept would count as a leak where JAX looks for leaked tracers.
        if self._size > self.limits.pending or jax.config.jax_check_tracer_leaks:
            self.flush()

    def flush(self) -> None:
        """Check everything kept, newest first."""
        if self._busy:
            return
        self._busy = True
        pending, self._pending, self._size = self._pending, [], 0
        end = time.monotonic() + self.limits.seconds
        covered: set[int] = set()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                while pending:
                    closed = pending.pop()
                    if id(closed.jaxpr) in covered:
                        self.report.inside += 1
                    elif time.monotonic() > end:
                        self.report.out_of_time += 1
                    else:
                        covered |= self._one(closed)
        finally:
            self._busy = False

    def _one(self, closed: Any) -> set[int]:
        if walk.count_eqns(closed, self.limits.eqns) > self.limits.eqns:
            self.report.too_large += 1
            return set()
        inside = walk.jaxprs(closed)
        text = _text(closed)
        key = _fingerprint(closed, f"{id(closed)}" if text is None else text)
        if key in self._seen:
            self.report.same += 1
            return set(inside)
        self._seen.add(key)
        self.report.programs += 1
        self._count(inside.values())
        try:
            program = serialize(closed)
            # What JAX cannot print, by an error of its own rule, has no text to agree with; all else is checked.
            own = program.texts["jaxpr"].text if text is None else text
            wrong = check_program(closed, program, back=self.limits.back, printed=own)
            self._unwired(program)
        except Exception:
            wrong = ["raised\n" + traceback.format_exc(limit=-8)]
        if wrong:
            self.report.disagreements.append({"test": self.where, "reasons": wrong[:20], "jaxpr": (text or "")[:4000]})
        return set(inside)

    def _count(self, jaxprs: Any) -> None:
        for jaxpr in jaxprs:
            self.report.bodies += 1
            self.report.equations += len(jaxpr.eqns)
            for eqn in jaxpr.eqns:
                name = str(eqn.primitive.name)
                if not self.report.primitives[name]:
                    self.report.hidden.update(f"{name} {place}" for place in walk.hidden(eqn))
                self.report.primitives[name] += 1

    def _unwired(self, program: Any) -> None:
        for jaxpr in program.jaxprs.values():
            for eqn in jaxpr.eqns:
                for call in eqn.nested:
                    if any(wire.from_ == "inner" for wire in call.inputs) or not all(call.outputs):
                        self.report.unwired[f"{eqn.primitive} {call.param}"] += 1


def _fingerprint(closed: Any, text: str) -> bytes:
    text += "".join(f"{aval}" for aval in closed.in_avals)
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _text(closed: Any) -> str | None:
    try:
        return str(closed)
    except Exception:  # a printing rule of the test's own, or one of JAX's that wants a param which is not there
        return None
