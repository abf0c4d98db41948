"""The entry that a request names: `fun`, `args`, `kwargs` as expressions in the paste's namespace after it ran.

Promises: exactly what `jax.make_jaxpr(fun)(*args, **kwargs)` gives; a problem in an expression names its field.
Must never: guess a function or an argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax

from . import compat
from ._advice import ANYTHING_ELSE
from ._errors import diagnostic, from_exception
from ._fixed import hold_fixed
from ._paste import PasteSource
from ._recordable import is_number
from ._signature import shapes

_flatten = jax.tree.flatten
FIELDS = ("fun", "args", "kwargs")
ARGUMENTS = "The function does not take the arguments that were given for it: mend the fields `args` and `kwargs`."


class EntryError(Exception):
    """A field of the entry that cannot be used; `cause` is what its expression raised, if it raised."""

    def __init__(self, field: str, message: str, cause: BaseException | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.cause = cause


@dataclass(frozen=True)
class Entry:
    """What to trace."""

    fun: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    notes: tuple[str, ...] = ()


def wanted(request: dict[str, Any]) -> bool:
    """Whether a request names an entry."""
    return bool((request.get("fun") or "").strip())


def evaluate(request: dict[str, Any], namespace: dict[str, Any]) -> Entry:
    """The entry of a request. Raises EntryError."""
    fun = _evaluate("fun", request.get("fun") or "", namespace)
    if not callable(fun):
        raise EntryError("fun", f"`{request['fun'].strip()}` is not a function but of type {type(fun).__name__}.")
    text = (request.get("args") or "").strip() or "()"
    args = shapes(text, namespace) or _evaluate("args", text, namespace)
    kwargs = _evaluate("kwargs", (request.get("kwargs") or "").strip() or "{}", namespace)
    notes = []
    if isinstance(args, list):
        args = tuple(args)
    elif not isinstance(args, tuple):
        notes.append("args is no tuple: it was passed as the only argument.")
        args = (args,)
    if not isinstance(kwargs, dict) or not all(isinstance(key, str) for key in kwargs):
        raise EntryError("kwargs", f"kwargs must be a dict with names as keys, not {type(kwargs).__name__}.")
    return Entry(fun, args, kwargs, tuple(notes))


def _evaluate(field: str, text: str, namespace: dict[str, Any]) -> Any:
    text = text.strip()
    try:
        return eval(compile(text, f"<{field}>", "eval", dont_inherit=True), namespace)
    except BaseException as error:
        raise EntryError(field, "", error) from None


def hold_numbers(entry: Entry) -> Entry:
    """The entry with Python numbers held static."""
    leaves, tree = _flatten((entry.args, entry.kwargs))
    return Entry(*hold_fixed(entry.fun, leaves, [not is_number(leaf) for leaf in leaves], tree), entry.notes)


def trace_entry(entry: Entry) -> tuple[Any, Any]:
    """The ClosedJaxpr of an entry, and JAX's Traced. Raises what tracing raises."""
    return compat.traced_as_make_jaxpr(entry.fun, entry.args, entry.kwargs)


def reported(error: EntryError, source: PasteSource, failed: bool) -> dict[str, Any]:
    """The diagnostic of a field. `failed`: the paste itself had raised before."""
    cause = error.cause
    if cause is None:
        return diagnostic(f"entry-{error.field}", str(error), stage="trace")
    found = from_exception(cause, source, "trace", code=f"entry-{error.field}")
    found["message"] = f"In the field `{error.field}`: {found['message']}"
    if found["span"] is None and found["advice"] == ANYTHING_ELSE:
        found["advice"] = f"Mend what the field `{error.field}` says: it is evaluated in the names of the paste, after it ran."
    if isinstance(cause, NameError):
        found["advice"] = (
            "The paste stopped before this name was defined: mend its error first." if failed else "The paste does not define this name."
        )
    return found
