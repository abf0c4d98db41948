"""The table that every benchmark prints, and the clock they share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """`measured` against `reference`, both in milliseconds. `budget` is the largest good ratio; with `at_least`, the smallest."""

    name: str
    measured: float
    reference: float
    budget: float | None = None
    at_least: bool = False

    @property
    def ratio(self) -> float:
        """How many times the reference; with `at_least`, how many times the reference is of what was measured."""
        return self.reference / self.measured if self.at_least else self.measured / self.reference

    @property
    def verdict(self) -> str:
        """`ok`, `OVER`, or nothing where there is no budget."""
        if self.budget is None:
            return ""
        good = self.ratio >= self.budget if self.at_least else self.ratio <= self.budget
        return "ok" if good else "OVER"


def milliseconds(run: Callable[[], object]) -> float:
    """How long one call takes on the wall clock."""
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1e3


class Table:
    """A table whose rows are printed as they are measured, so that what takes minutes shows how far it is. `width` is that of the names."""

    def __init__(self, title: str, width: int) -> None:
        self._width = width
        print(f"\n{title}\n{'':{width}}  measured  reference   ratio  budget", flush=True)

    def add(self, *rows: Row) -> None:
        """One line a row: what, milliseconds, milliseconds of the reference, ratio, budget, verdict."""
        for row in rows:
            bound = "" if row.budget is None else f"{'≥' if row.at_least else '≤'} {row.budget:g}"
            measured = f"{row.measured:6.1f} ms  {row.reference:6.1f} ms  {row.ratio:6.2f}  {bound:>6}  {row.verdict}"
            print(f"{row.name:{self._width}}  {measured}", flush=True)


def print_table(title: str, rows: list[Row]) -> None:
    """All of it at once."""
    Table(title, max(len(row.name) for row in rows)).add(*rows)
