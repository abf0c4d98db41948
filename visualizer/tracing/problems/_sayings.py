"""What a request is answered where there is no program to show, in words.

Promises: each says what happened and what to do. Must never: raise; hold anything of the paste's but its text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from visualizer.tracing import compat
from visualizer.tracing.source._paste import PasteSource
from visualizer.tracing.source._sites import CALLED, SHOWN

from ._errors import diagnostic, from_exception, is_a, type_name

Dict = dict[str, Any]
# A class of the person's may hide them.
code_of: Callable[[SystemExit], Any] = vars(SystemExit)["code"].__get__
_missing_name: Callable[[NameError], Any] = vars(NameError)["name"].__get__


def internal(error: BaseException) -> Dict:
    """Showing a program failed."""
    name = type_name(error)
    if is_a(error, (MemoryError,)):
        message, advice = "The paste left too little memory to show its program.", "Trace with jax.ShapeDtypeStruct instead of real arrays."
    elif is_a(error, (RecursionError,)):
        message, advice = "The program is nested too deeply to be shown.", "Trace a part of it."
    else:
        message = f"The program could not be shown ({name}). The paste may have changed something that showing it needs."
        advice = "Leave out what replaces parts of Python or JAX. If the paste does nothing of that kind, please report it."
    return diagnostic("internal", message, type_=name, advice=advice, stage="trace")


def not_lowered(error: BaseException) -> Dict:
    """Lowering failed in a way that is not the program's."""
    advice = "The jaxpr is good. Leave out what replaces parts of Python or JAX."
    return diagnostic("lowering-failed", "The program could not be lowered.", type_=type_name(error), advice=advice, stage="lower")


def is_hook(error: BaseException) -> bool:
    """Whether a name is missing that we put into the paste's builtins."""
    return is_a(error, (NameError,)) and _missing_name(error) in (CALLED, SHOWN)  # type: ignore[arg-type]


def hook_lost(error: BaseException, source: PasteSource) -> Dict:
    """The paste took away what follows its calls."""
    found = from_exception(error, source, "run", code="internal")
    message, advice = "The paste replaced its __builtins__, so its calls cannot be followed.", "Leave __builtins__ as it is."
    return {**found, "message": message, "advice": advice}


def unknown_jax(wanted: str) -> Dict:
    """The request names a version of JAX that is not here."""
    advice = f"Leave the version out, or ask for {compat.JAX_VERSION}."
    return diagnostic("unknown-jax", f"JAX {wanted[:40]} is not installed here, JAX {compat.JAX_VERSION} is.", advice=advice)


def not_run() -> Dict:
    """A file that is opened is of no kind that is read, or Python, which is not run when files are opened."""
    message = "This is neither MLIR nor HLO nor a printed jaxpr."
    advice = "Name files that XLA or JAX wrote. Python is not run when files are opened: paste it, or `jaxpr-visualizer trace` it."
    return diagnostic("not-opened", message, severity="warning", advice=advice)


def exited(error: SystemExit, source: PasteSource) -> Dict:
    """The paste ended itself with a code that is not 0."""
    code = code_of(error)
    found = from_exception(error, source, "run", code="exit", severity="warning")
    message = f"The paste ended itself with exit code {code if isinstance(code, int) else 1}."
    return {**found, "message": message, "advice": "Nothing after this line was run. Leave it out to see the rest."}


def nothing() -> Dict:
    """There is neither a program nor a function."""
    message, advice = (
        "The paste ran, and there is no JAX program in it to show.",
        "Call a function with arrays (f(x)), or write jax.make_jaxpr(f)(x).",
    )
    return diagnostic("nothing-to-trace", message, severity="info", advice=advice, stage="trace")
