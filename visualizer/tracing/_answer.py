"""The answer to one paste while it grows: programs, diagnostics, notes, timings.

Promises: dicts of exactly the wire's shape. Must never: hold a value of the paste in them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import compat

Dict = dict[str, Any]
_clock = time.perf_counter
# A text can be wrong at each of its lines; nobody reads more than the first.
MOST_PROBLEMS = 100


class Answer:
    """A Trace in the making, and the patch that follows it."""

    def __init__(self, kind: str = "python") -> None:
        self.trace: Dict = {
            "schema": 1,
            "input": kind,
            "jax": compat.JAX_VERSION,
            "programs": [],
            "output": {"text": "", "truncated": False},
            "diagnostics": [],
            "notes": [],
            "offers": [],
            "timings": {},
        }
        self._more = 0

    def add(self, found: Dict) -> None:
        """Add a diagnostic, unless the same one is there."""
        for known in self.trace["diagnostics"]:
            if all(known[key] == found[key] for key in ("code", "type", "message", "span", "field")):
                return
        if len(self.trace["diagnostics"]) < MOST_PROBLEMS:
            self.trace["diagnostics"].append(found)
        else:
            self._more += 1

    def note(self, *texts: str) -> None:
        """Add notes."""
        self.trace["notes"].extend(text for text in texts if text and text not in self.trace["notes"])

    def time(self, stage: str, seconds: float) -> None:
        """Add to the milliseconds of a stage."""
        timings = self.trace["timings"]
        timings[stage] = round(timings.get(stage, 0.0) + max(seconds, 0.0) * 1e3, 3)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Count what happens inside as `stage`."""
        started = _clock()
        try:
            yield
        finally:
            self.time(stage, _clock() - started)

    def message(self) -> Dict:
        """The first LevelMessage."""
        if self._more:
            self.note(f"{self._more:,} more problems are not listed.")
            self._more = 0
        return {"level": "jaxpr", "trace": self.trace, "patch": None}


def patch_message(programs: Dict, diagnostics: list[Dict], notes: list[str], milliseconds: float, level: str = "stablehlo") -> Dict:
    """The LevelMessage that adds StableHLO, or what one program is compiled to; a time counts from the start of its level."""
    stage = "lower" if level == "stablehlo" else "compile"
    patch = {"programs": programs, "diagnostics": diagnostics, "notes": notes, "timings": {stage: round(milliseconds, 3)}}
    return {"level": level, "trace": None, "patch": patch}
