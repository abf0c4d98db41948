"""What is kept of a program that the script made.

Promises: of JAX's objects only the jaxpr and what its lowering was told are kept, and of those only the first of equal programs.
Must never: hold an array that the script gave or got.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Stage:
    """How often JAX did one thing for a program, and for how many seconds."""

    times: int = 0
    seconds: float = 0.0

    def add(self, times: int, seconds: float) -> None:
        self.times += times
        self.seconds += seconds


@dataclass(frozen=True)
class Site:
    """Where the function that was traced is defined."""

    file: str
    line: int
    function: str


@dataclass(frozen=True)
class Arg:
    """One array among the arguments: its path as JAX names it (`params['w']`), and its type. `weak` is a Python number's."""

    name: str
    type: str
    weak: bool


@dataclass(eq=False)
class Seen:
    """One program: a function with the types of its arguments."""

    name: str
    site: Site | None
    args: tuple[Arg, ...]
    at: float
    """Seconds after the script began."""
    transformed: bool = False
    """Not what was jitted, but what `grad` or `vmap` outside of any jit made of it."""
    closed: Any = None
    why: str = ""
    """What differs from the program of the same function before it."""
    static: str = ""
    stages: dict[str, Stage] = field(default_factory=lambda: {"trace": Stage(), "lower": Stage(), "compile": Stage()})
    misses: int = 0
    """Calls that went through Python."""
    counters: list[Any] = field(default_factory=list)
    """Of the calls that JAX answered without Python."""
    lowering: Any = None
    """What JAX lowered it with: the types of its arguments with their shardings, and the params of the call."""
    executable: Any = None
    weight: int = 0
    """Bytes of the constants in it."""
    anew: int = 0
    """How often an equal function was traced again because it was made again."""

    @property
    def calls(self) -> int:
        return self.misses + sum(count_of(counter) for counter in self.counters)


def count_of(counter: Any) -> int:
    """How often `next` was called on an `itertools.count()`, which is the one counter that threads share without a lock."""
    return int(counter.__reduce__()[1][0])


@dataclass
class Jit:
    """One `jax.jit(f)`: its calls that JAX answers without Python, and which program each was of where it has several."""

    info: Any
    hits: Any
    programs: list[Seen] = field(default_factory=list)
    by_types: dict[Any, Any] = field(default_factory=dict)
    """The types of a call -> the counter of its program."""
    counters: list[Any] = field(default_factory=list)
    """Of each program, its calls here."""
    fun: Any = None

    def counter(self, seen: Seen) -> Any:
        """Where calls of a program are counted. Until there is a second one, all calls are of the first."""
        for known, counter in zip(self.programs, self.counters, strict=True):
            if known is seen:
                return counter
        counter = self.hits if not self.programs else itertools.count()
        self.programs.append(seen)
        self.counters.append(counter)
        seen.counters.append(counter)
        return counter
