"""The entry that a request names: `fun`, `args`, `kwargs` as expressions in the paste's namespace after it ran, or `fun` and a `signature`.

Promises: exactly what `jax.make_jaxpr(fun)(*args, **kwargs)` gives; a problem in a field names it.
Must never: guess a function or an argument.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import jax

from visualizer.tracing import compat
from visualizer.tracing.problems._advice import ANYTHING_ELSE
from visualizer.tracing.problems._errors import diagnostic, from_exception, is_a
from visualizer.tracing.source._paste import PasteSource

from ._fixed import hold_fixed, is_fixed, unfix
from ._recordable import is_array, is_number
from ._signature import ArgumentError, arguments, shapes
from ._signature_types import SignatureError, read_type

Dict = dict[str, Any]
_flatten = jax.tree.flatten
MAX_NAME = 80


class EntryError(Exception):
    """A field of the entry that cannot be used; `cause` is what its expression raised, if it raised."""

    def __init__(self, field: str, message: str = "", cause: BaseException | None = None, advice: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.cause = cause
        self.advice = advice


@dataclass(frozen=True)
class Entry:
    """What to trace. `typed`: the arguments come from a signature."""

    fun: Any
    args: tuple[Any, ...]
    kwargs: Dict
    notes: tuple[str, ...] = ()
    typed: bool = False


def wanted(request: Dict) -> bool:
    """Whether a request names an entry."""
    return bool((request.get("fun") or "").strip()) or request.get("signature") is not None


def name_of(request: Dict) -> str:
    """The name of the program of an entry: what the person calls the function."""
    return " ".join(request["fun"].split())[:MAX_NAME]


def evaluate(request: Dict, namespace: Dict) -> Entry:
    """The entry of a request. Raises EntryError."""
    if not (request.get("fun") or "").strip():
        raise EntryError("fun", "A signature is of a function, and none is named.", advice="Name the function that it is for.")
    fun = _evaluate("fun", request["fun"], namespace)
    if not callable(fun):
        raise EntryError("fun", f"`{request['fun'].strip()}` is not a function but of type {type(fun).__name__}.")
    if request.get("signature") is not None:
        _check_kind(fun, name_of(request))
        return _typed(fun, request["signature"], namespace)
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


_KINDS = (
    (inspect.iscoroutinefunction, "an async function: a call of it gives a coroutine", "Make it a plain function that returns arrays."),
    (inspect.isasyncgenfunction, "an async generator: a call of it computes nothing", "Make it a plain function that returns arrays."),
    (inspect.isgeneratorfunction, "a generator: a call of it computes nothing", "Return the values in a list, in place of `yield`."),
)


def _check_kind(fun: Any, name: str) -> None:
    for is_of_kind, said, advice in _KINDS:
        if is_of_kind(fun):
            raise EntryError("fun", f"`{name}` is {said}, and JAX traces what a function returns.", advice=advice)


def _typed(fun: Any, signature: dict[str, str], namespace: Dict) -> Entry:
    try:
        given = arguments(fun, signature, namespace)
    except ArgumentError as error:
        field = "signature" if error.name is None else f"signature.{error.name[:MAX_NAME]}"
        raise EntryError(field, str(error), error.cause, error.advice) from None
    leaves, tree = _flatten((given.args, given.kwargs), is_leaf=is_fixed)
    held = hold_fixed(fun, [unfix(leaf) for leaf in leaves], [not is_fixed(leaf) for leaf in leaves], tree)
    notes = []
    if given.static:
        notes.append(f"Held static, as they are no types: {', '.join(given.static)}.")
    if not jax.config.jax_enable_x64 and any(is_array(leaf) and leaf.dtype in _WIDE for leaf in leaves):
        notes.append("Types of 64 bits are traced with 32: jax_enable_x64 is off.")
    return Entry(*held, tuple(notes), typed=True)


_WIDE = ("float64", "int64", "uint64", "complex128")


def _evaluate(field: str, text: str, namespace: Dict) -> Any:
    text = text.strip()
    try:
        if field == "fun":
            return eval(compile(text, f"<{field}>", "eval", dont_inherit=True), namespace)
        return read_type(text, namespace)
    except SignatureError as error:
        raise EntryError(field, str(error), error.cause, error.advice) from None
    except BaseException as error:
        raise EntryError(field, cause=error) from None


def hold_numbers(entry: Entry) -> Entry:
    """The entry with Python numbers held static."""
    leaves, tree = _flatten((entry.args, entry.kwargs))
    return Entry(*hold_fixed(entry.fun, leaves, [not is_number(leaf) for leaf in leaves], tree), entry.notes, entry.typed)


def trace_entry(entry: Entry) -> tuple[Any, Any]:
    """The ClosedJaxpr of an entry, and JAX's Traced. Raises what tracing raises."""
    return compat.traced_as_make_jaxpr(entry.fun, entry.args, entry.kwargs)


def reported(error: BaseException, request: Dict, source: PasteSource, failed: bool) -> Dict:
    """The diagnostic of an EntryError, or of what tracing an entry raised. `failed`: the paste itself had raised before."""
    field: str | None
    if isinstance(error, EntryError):
        found, field = _of_field(error, source), error.field
    else:
        found = from_exception(error, source, "trace")
        field = None if found["span"] is not None else "args" if request.get("signature") is None else "signature"
    return {**found, "field": field, "advice": _advice(error, found, field, failed)}


def _of_field(error: EntryError, source: PasteSource) -> Dict:
    code = f"entry-{error.field.partition('.')[0]}"
    if error.cause is None:
        return diagnostic(code, str(error), stage="trace")
    found = from_exception(error.cause, source, "trace", code=code)
    shown = str(error) or found["message"]
    return {**found, "message": shown if error.field.startswith("signature") else f"In the field `{error.field}`: {shown}"}


def _advice(error: BaseException, found: Dict, field: str | None, failed: bool) -> str:
    """What to do about an entry that cannot be traced."""
    own = error.advice if isinstance(error, EntryError) else ""
    cause = error.cause if isinstance(error, EntryError) else error
    if field is None:
        return str(found["advice"])
    if isinstance(error, EntryError) and cause is not None and is_a(cause, (NameError,)):
        stopped = "The paste stopped before this name was defined: mend its error first."
        return f"{stopped if failed else 'The paste does not define this name.'} {own}".strip()
    if own or found["advice"] not in ("", ANYTHING_ELSE):
        return own or str(found["advice"])
    if not isinstance(error, EntryError):
        where = "the types in the signature" if field == "signature" else "the fields `args` and `kwargs`"
        return f"The function does not take the arguments that were given for it: mend {where}."
    if cause is not None:
        return f"Mend what the field `{field}` says: it is evaluated in the names of the paste, after it ran."
    return ""
