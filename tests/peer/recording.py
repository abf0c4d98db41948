"""Every ClosedJaxpr that JAX makes while something runs, and the checking of them.

The one hook is `ClosedJaxpr.__init__`: whatever traces (jit, make_jaxpr, control flow, custom rules, batching, autodiff), in whatever
version, ends there. What is made is kept until `flush`, which looks at the last one first: a jaxpr found inside another is checked with it.

What runs must not notice. Nothing is checked in the midst of it (a test that counts traces counts its own), but where jaxprs that are kept
could be seen: where JAX looks for leaked tracers, where garbage is collected by hand, and where they take much memory.
"""

from __future__ import annotations

import gc
import hashlib
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
from jax.extend.core import ClosedJaxpr

from tests.peer import walk
from tests.peer.bounded import TooSlow, bounded
from tests.peer.check import check_program
from tests.peer.report import Report
from visualizer.tracing import serialize


@dataclass
class Limits:
    """What one run may cost."""

    eqns: int = 20_000
    """A program with more equations is left out, and counted."""
    pending: int = 300_000
    """So many equations are kept at most; then they are checked at once, in the midst of the test."""
    bytes: int = 2**29
    """The same for the constants that they hold."""
    seconds: float = 120.0
    """So long the checking after one test may take; what is left over is counted."""
    each: float = 30.0
    """So long the checking of one program may take; it is given up then, and counted."""
    back: bool = True
    """Whether the printed text is also written back from the program."""


class Recorder:
    """Records while it is installed; `flush` checks what has gathered."""

    def __init__(self, limits: Limits | None = None, report: Report | None = None) -> None:
        self.limits = limits or Limits()
        self.report = report or Report()
        self.where = ""
        self._pending: list[Any] = []
        self._size = 0
        self._bytes = 0
        self._checking: int | None = None  # the thread that does
        self._paused = False
        self._seen: set[bytes] = set()

    @contextmanager
    def installed(self) -> Iterator[Recorder]:
        """Record everything made inside the `with`, and check what is left at its end."""
        original, collect = ClosedJaxpr.__init__, gc.collect

        def recorded(closed: Any, jaxpr: Any, consts: Any) -> None:
            original(closed, jaxpr, consts)
            self.record(closed)

        def collected(*args: Any, **kwargs: Any) -> int:
            self.flush()  # what is kept is no garbage
            return collect(*args, **kwargs)

        ClosedJaxpr.__init__ = recorded  # type: ignore[method-assign]
        gc.collect = collected
        try:
            yield self
            self.flush()
        finally:
            ClosedJaxpr.__init__ = original  # type: ignore[method-assign]
            gc.collect = collect

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Record nothing inside the `with`."""
        self.flush()
        self._paused = True
        try:
            yield
        finally:
            self._paused = False

    def record(self, closed: Any) -> None:
        """Keep one for later."""
        if self._paused or self._checking == threading.get_ident():
            return  # made by the checking itself
        self._pending.append(closed)
        self._size += len(closed.jaxpr.eqns)
        self._bytes += sum(map(_bytes, closed.consts))
        self.report.recorded += 1
        # What is kept would count as a leak where JAX looks for leaked tracers.
        if self._size > self.limits.pending or self._bytes > self.limits.bytes or jax.config.jax_check_tracer_leaks:
            self.flush()

    def flush(self) -> None:
        """Check everything kept, newest first."""
        if self._checking is not None or not self._pending:
            return
        self._checking = threading.get_ident()
        pending, self._pending, self._size, self._bytes = self._pending, [], 0, 0
        began = time.monotonic()
        end = began + self.limits.seconds
        covered: set[int] = set()
        kept: list[Any] = []  # an id is one jaxpr's for as long as it lives
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                while pending:
                    closed = pending.pop()
                    kept.append(closed.jaxpr)
                    if id(closed.jaxpr) in covered:
                        self.report.inside += 1
                    elif time.monotonic() > end:
                        self.report.out_of_time += 1
                    else:
                        covered |= self._one(closed)
        finally:
            self._checking = None
            self.report.seconds += time.monotonic() - began

    def _one(self, closed: Any) -> set[int]:
        if walk.count_eqns(closed, self.limits.eqns) > self.limits.eqns:
            self.report.too_large += 1
            return set()
        inside: dict[int, Any] = {}
        try:
            with bounded(self.limits.each):
                inside = walk.jaxprs(closed)
                text = _text(closed)
                key = _fingerprint(closed, f"{id(closed)}" if text is None else text)
                if key in self._seen:
                    self.report.same += 1
                    return set(inside)
                self._seen.add(key)
                wrong, program = self._checked(closed, text)
        except TooSlow:
            self.report.too_slow += 1
            return set(inside)
        self.report.programs += 1
        self._count(inside.values())
        if program is not None:
            self._unwired(program)
        if wrong:
            self.report.disagrees(self.where, wrong, text or "")
        return set(inside)

    def _checked(self, closed: Any, text: str | None) -> tuple[list[str], Any]:
        try:
            program = serialize(closed)
            # What JAX cannot print, by an error of its own rule, has no text to agree with; all else is checked.
            own = program.texts["jaxpr"].text if text is None else text
            return check_program(closed, program, back=self.limits.back, printed=own), program
        except Exception:
            return ["raised\n" + traceback.format_exc(limit=-8)], None

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


def _bytes(const: Any) -> int:
    try:
        return int(const.nbytes)
    except Exception:  # an object of the test's own, a tracer that has no size
        return 0


def _fingerprint(closed: Any, text: str) -> bytes:
    text += "".join(f"{aval}" for aval in closed.in_avals)
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()


def _text(closed: Any) -> str | None:
    try:
        return str(closed)
    except Exception:  # a printing rule of the test's own, or one of JAX's that wants a param which is not there
        return None
