"""What the name of a file says: which program of a dump it is of, in which order, and whether anyone can read it.

Promises: the names that JAX (`JAX_DUMP_IR_TO`) and XLA (`--xla_dump_to`) give. Must never: be the reason why a file is not tried, unless
its ending says that it is none of ours.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

# What the end of a file's name says of its text; of any other, its text says it.
_KINDS: dict[str, Literal["mlir", "hlo", "jaxpr"]] = {".mlir": "mlir", ".hlo": "hlo", ".jaxpr.txt": "jaxpr", ".jaxpr": "jaxpr"}
# Controls, marks that turn the direction of a line, and halves of characters (what a file system's bytes become that are no UTF-8).
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# What JAX and XLA write beside what is read, and what it is.
_BESIDE = (
    (".jaxpr.html", "the same jaxprs as pages"),
    (".eqn_count_pprof", "profiles of equation counts"),
    (".debug_options", "options of XLA"),
    (".execution_options", "options of XLA"),
    ("-buffer-assignment.txt", "buffers of XLA"),
    ("-buffer-assignment-values.txt", "buffers of XLA"),
    ("-live-range.txt", "buffers of XLA"),
    ("-memory-usage-report.txt", "buffers of XLA"),
    (".textproto", "options of XLA"),
    (".ll", "LLVM"),
    (".o", "machine code"),
    (".s", "machine code"),
    (".ptx", "machine code"),
    (".dot", "graphs of XLA"),
    (".html", "pages"),
    (".pb", "protocol buffers"),
    (".png", "pictures"),
)
_PATTERNS = (
    re.compile(r"jax_ir(?P<number>\d+)_(?P<name>.*?)_(?P<stage>[a-z]+)\.mlir"),
    re.compile(r"jax_(?P<number>\d+)_(?P<name>.*)\.jaxpr\.txt"),
    re.compile(r"module_(?P<number>\d+)\.(?P<name>.*?)\.(?P<stage>before_optimizations|[a-z]+_after_optimizations|\d+\..*)\.txt"),
)
_STEM = re.compile(r"(?:.*[/\\])?(?P<name>[^/\\]*?)(?:\.(?:mlir|mlirbc|txt|hlo|bc|jaxpr|json|py))*")


def plain(text: str) -> str:
    """A text that says what it shows: what would be obeyed in place of shown, or cannot be written at all, is U+FFFD."""
    return _UNSEEN.sub("\ufffd", text)


def kind_of(name: str) -> Literal["mlir", "hlo", "jaxpr"] | None:
    """What a file's name says its text is."""
    lower = name.lower()
    return next((kind for end, kind in _KINDS.items() if lower.endswith(end)), None)


class Named(NamedTuple):
    """The name of the program, its number in the dump, and the stage of a dump of XLA."""

    program: str
    number: int
    stage: str


def named(path: str) -> Named:
    """What a path says."""
    base = re.split(r"[/\\]", path)[-1]
    for pattern in _PATTERNS:
        found = pattern.fullmatch(base)
        if found:
            groups = found.groupdict()
            return Named(groups["name"], int(groups["number"]), groups.get("stage") or "")
    found = _STEM.fullmatch(base)
    return Named(found["name"] if found else base, 0, "")


def beside(path: str) -> str | None:
    """What a file is that is no program, or None for one that may be."""
    lower = path.lower()
    return next((what for ending, what in _BESIDE if lower.endswith(ending)), None)


def same_name(name: str) -> str:
    """A name as it is compared: modules are `jit_f`, jaxprs `f`, and each dump leaves out other characters."""
    return re.sub(r"\W+", "_", re.sub(r"^@?jit_", "", name)).strip("_").lower()


BEFORE = "before_optimizations"


def order(path: str) -> tuple[bool, int, str]:
    """Sorts the files of a dump as they were written; of XLA's two states of a module the one that runs comes first."""
    about = named(path)
    return about.stage == BEFORE, about.number, path
