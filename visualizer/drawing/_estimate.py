"""What a program costs, estimated from its shapes by the same code that draws the overlays.

Promises: nothing is run or compiled; what has no estimate is named, not guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from visualizer.model import Module, Program

from ._engine import engine
from ._svg import as_data, as_module


@dataclass(frozen=True)
class Estimate:
    """`flops` counts as XLA's HloCostAnalysis does, a transcendental function as one, a loop's body once for each of its steps.

    `uncounted` are primitives without an estimate. `per_turn`: there are loops of unknown length, or kernels, counted for one turn.
    `peak_bytes` is the most memory live at a time if every equation ran in order and a value was freed after its last reader.
    """

    flops: float
    uncounted: tuple[str, ...]
    per_turn: bool
    peak_bytes: float


def estimate(program: Program | Mapping[str, Any]) -> Estimate:
    """The cost of one run of a program. Raises BundleMissingError, DrawingError."""
    found = engine().estimate({"program": as_data(program)})
    return Estimate(found["flops"], tuple(found["uncounted"]), found["perTurn"], found["peak"])


def estimate_module(module: Module | Mapping[str, Any]) -> Estimate:
    """The cost of one run of the main function of a lowered module. Raises BundleMissingError, DrawingError."""
    found = engine().estimate({"module": as_module(module)})
    return Estimate(found["flops"], tuple(found["uncounted"]), found["perTurn"], found["peak"])
