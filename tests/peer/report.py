"""What a run with the plugin has seen, in numbers and sentences; the reports of several processes add up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
KEPT = 500
"""So many disagreements are kept with their reasons; all are counted."""


@dataclass
class Report:
    """What was seen. Every jaxpr that is recorded is in exactly one of the next six numbers."""

    recorded: int = 0
    programs: int = 0
    """Those that were serialised and checked."""
    same: int = 0
    """Printed as one that was checked."""
    inside: int = 0
    """Found in another, and checked with it."""
    too_large: int = 0
    out_of_time: int = 0
    """Never begun, as the checking after this test took long enough."""
    too_slow: int = 0
    """Begun, and given up."""
    bodies: int = 0
    equations: int = 0
    primitives: Counter[str] = field(default_factory=Counter)
    unwired: Counter[str] = field(default_factory=Counter)
    """Nested jaxprs with a binder that comes from inside the primitive, or a result that goes nowhere: `primitive param`."""
    hidden: Counter[str] = field(default_factory=Counter)
    """Where jaxprs stand that no container holds (closures, objects): `primitive place`."""
    unequal: int = 0
    """Programs of which the serialised one says other than JAX; the first are in `disagreements`."""
    disagreements: list[Json] = field(default_factory=list)
    seconds: float = 0.0
    """What the checking took."""
    passed: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list)
    """Tests that fail on their own: they did so again when nothing was recorded."""
    disturbed: list[str] = field(default_factory=list)
    """Tests that failed while their jaxprs were recorded, and passed when run again without."""
    lost: int = 0
    """Processes that ended without telling their numbers."""

    def disagrees(self, test: str, reasons: list[str], text: str) -> None:
        """Note what is wrong with a program that a test made."""
        self.unequal += 1
        if len(self.disagreements) < KEPT:
            self.disagreements.append({"test": test, "reasons": [reason[:4000] for reason in reasons[:20]], "jaxpr": text[:4000]})

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
        own, disturbed = len(self.failed), len(self.disturbed)
        lines = [
            f"{self.recorded} jaxprs recorded: {self.programs} programs checked, {self.inside} inside another, {self.same} seen before",
            f"left out: {self.too_large} too large, {self.out_of_time} out of time, {self.too_slow} too slow",
            f"{self.equations} equations in {self.bodies} bodies, of {len(self.primitives)} primitives, in {self.seconds:.0f} s",
            f"tests: {self.passed} passed, {self.skipped} skipped, {own} fail on their own, {disturbed} fail only while recorded",
            f"{self.unequal} disagreements",
        ]
        return [*lines, f"{self.lost} processes ended without a report"] if self.lost else lines
