"""Which side of automatic differentiation an equation stands on, read from its name stack and those of the equations around it.

Each differentiation that an equation went through is one letter, outermost first: `F` for the forward side (JAX's `jvp`), `T` for the
transposed side (`transpose(jvp)`), `R` for what a checkpoint computes again in the backward pass. `grad` of a `grad` gives `FF`, `FT`,
`TF` and `TT`.

Must never: read anything into `vmap` or the person's own scopes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

Levels = str

# JAX's own scope around what a checkpoint computes again.
RECOMPUTED = "rematted_computation"


def levels(stack: Sequence[dict[str, Any]], around: Levels = "") -> Levels:
    """The levels of an equation with this name stack inside equations of the levels `around`."""
    found = around
    transposed = False
    for entry in stack:
        name = entry["name"]
        if entry["kind"] == "scope":
            if name == RECOMPUTED and "T" in found:
                found += "R"
        elif name == "transpose":
            found += "T"
            transposed = True
        elif name == "jvp":
            # The jvp that follows a transpose says what was transposed; it is not a differentiation of its own.
            if not transposed:
                found += "F"
            transposed = False
    return found


@lru_cache(4096)
def is_transposed(own: Levels) -> bool:
    """Whether the equation computes with cotangents: on a transposed side, and not a recomputation of the forward."""
    return "T" in own and not own.endswith("R")


@lru_cache(4096)
def saves(made: Levels | None, read: Levels) -> bool:
    """Whether a value made at one place and read at another is a residual: saved by a forward side for its transposed side."""
    if made is None or made == read:
        return False
    for k, letter in enumerate(made):
        other = read[k : k + 1]
        if letter != other:
            return (letter == "F" and other == "T") or (letter == "R" and "T" in read[:k])
    return False


@lru_cache(4096)
def leaves(made: Levels, read: Levels) -> bool:
    """Whether a value of a transposed side is read outside of it: then it is a gradient."""
    return any(letter == "T" and read[:k] == made[:k] and read[k : k + 1] != "T" for k, letter in enumerate(made))


@lru_cache(4096)
def transposition(forward: Levels, backward: Levels, *, relaxed: bool = False) -> int | None:
    """Which differentiation `backward` is the transposed side of `forward` in, the outermost 0, all others being equal; None where in none.

    `relaxed` is for the inside of a checkpoint, where JAX leaves one more `jvp` on the name stack.
    """
    for k, letter in enumerate(backward):
        if letter == "T" and forward[:k] == backward[:k] and forward[k : k + 1] == "F":
            if forward[k + 1 :] == backward[k + 1 :]:
                return k
            if relaxed and "F" + forward[k + 1 :] == backward[k + 1 :]:
                return k
    return None


@lru_cache(4096)
def as_at_first(own: Levels) -> Levels:
    """The levels of what a checkpoint computes again without that it is computed again."""
    at = own.rfind("R")
    return own if at < 0 else own[:at] + own[at + 1 :]
