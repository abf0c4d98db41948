"""Programs of the person's own process as Traces: a function and its arguments, or what JAX has already made of one.

Promises: a program that JAX has is only read; a function is traced once, by JAX itself, though JAX may remember a trace of it that nobody
watched, and its own exceptions are its own; what JAX remembers stays. No fork, no sandbox: it is the person's code in the person's process.
Must never: be reached from the server.
"""

from __future__ import annotations

import contextlib
import functools
import linecache
import re
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, NamedTuple

import jax

from . import compat
from ._answer import Answer
from ._serialize import serialize
from ._source import merged, trace_source
from .arguments._entry import evaluate, trace_entry
from .arguments._fixed import hold_fixed
from .arguments._parameters import call_of, wire_parameters
from .arguments._recordable import is_array, is_number
from .arguments._signature_types import SignatureError, read_type
from .autodiff._observed import observing_one
from .lowering._stablehlo import empty_patch, function_name, lower
from .mlir._module import serialize_module
from .source._paste import PasteSource

Dict = dict[str, Any]
Levels = tuple[str, ...]
# A file that is larger was not written by hand.
_LARGEST = 1 << 20
_MOST_WRAPPERS = 32
# What a notebook calls the last results: names that nobody gave.
_SHELL = re.compile(r"_+(i{0,3}|i?\d+)|In|Out")


def trace_function(
    fun: Any, args: tuple[Any, ...], kwargs: Dict, *, name: str | None = None, levels: Levels = ("jaxpr", "stablehlo")
) -> Dict:
    """The Trace of `fun(*args, **kwargs)`; arguments may be jax.ShapeDtypeStruct. Raises what tracing raises.

    A jitted function is traced by its own `.trace`, with its static arguments, donation and shardings, and the program is what is in it.
    """
    held = (fun, args, kwargs) if isinstance(fun, compat.Wrapped) else _held(fun, args, kwargs)
    called = name or getattr(fun, "__name__", None) or type(fun).__name__
    with observing_one() as watching:
        with watching:
            closed, traced = _traced(*held)
        return _answered(closed, called, "call", levels, [traced], call_of(closed, fun, args, kwargs), _home_of(fun), held)


def _traced(fun: Any, args: tuple[Any, ...], kwargs: Dict) -> tuple[Any, Any]:
    if isinstance(fun, compat.Wrapped):
        traced = fun.trace(*args, **kwargs)
        return traced.jaxpr, traced
    return compat.traced_as_make_jaxpr(fun, args, kwargs)


def _held(fun: Any, args: tuple[Any, ...], kwargs: Dict) -> tuple[Any, tuple[Any, ...], Dict]:
    """The call with what JAX cannot trace (text, functions, settings) held static, as who calls the function would have it."""
    leaves, tree = jax.tree.flatten((args, kwargs))
    traceable = [is_array(leaf) or is_number(leaf) for leaf in leaves]
    return hold_fixed(fun, leaves, traceable, tree)


def trace_signature(namespace: Dict, fun: str, signature: dict[str, str] | None, args: str | None, levels: Levels) -> Dict:
    """The Trace of a function that is named, with types for its arguments. Raises EntryError, or what tracing raises."""
    entry = evaluate({"fun": fun, "signature": signature, "args": args, "kwargs": None}, namespace)
    if signature is None and isinstance(entry.fun, compat.Wrapped):
        return trace_function(entry.fun, entry.args, entry.kwargs, name=fun, levels=levels)
    home = _home_of(evaluate({"fun": fun}, namespace).fun)
    with observing_one() as watching:
        with watching:
            closed, traced = trace_entry(entry)
        held = (entry.fun, entry.args, entry.kwargs)
        found = _answered(closed, fun, "entry", levels, [traced] if traced is not None else [], None, home, held)
    found["notes"] = [*entry.notes, *found["notes"]]
    return found


def trace_stage(stage: Any, *, name: str | None = None, levels: Levels = ("jaxpr", "stablehlo")) -> Dict:
    """The Trace of a ClosedJaxpr, a Traced, a Lowered or an Exported. Raises TypeError for anything else."""
    if isinstance(stage, compat.ClosedJaxpr):
        return _answered(stage, name or function_name(stage), "make_jaxpr", levels, [], None)
    if isinstance(stage, compat.Traced):
        return _answered(stage.jaxpr, name or stage.fun_name, "trace", levels, [stage], None)
    if isinstance(stage, compat.Lowered):
        return _module(stage.compiler_ir("stablehlo"), name or "lowered", "lower")
    if isinstance(stage, jax.export.Exported):
        return trace_text(stage.mlir_module(), kind="mlir", name=name or stage.fun_name, origin="export")
    raise TypeError(f"This takes a ClosedJaxpr, or what jax.jit(f).trace(x), .lower(x) or jax.export gives, not {type(stage).__name__}.")


def trace_text(text: str, *, kind: str | None = None, name: str | None = None, origin: str | None = None) -> Dict:
    """The Trace of a text that is no Python: MLIR, HLO or a printed jaxpr."""
    trace = trace_source(text, input=kind, levels=("jaxpr", "stablehlo"))
    for program in trace["programs"]:
        program["name"] = name or program["name"]
        program["origin"] = origin or program["origin"]
    return trace


def _answered(
    closed: Any,
    name: str,
    origin: str,
    levels: Levels,
    traced: list[Any],
    call: Any,
    home: _Home | None = None,
    held: tuple[Any, tuple[Any, ...], Dict] = (None, (), {}),
) -> Dict:
    answer = Answer()
    source, names = (home.source, home.names) if home is not None else (None, None)
    with answer.timed("serialize"):
        made = serialize(closed, name=name, origin=origin, source=source, namespace=names, function=held[0], args=held[1])
    made.program.update(parameters=wire_parameters(call) if call is not None else None)
    answer.trace["programs"].append(made.program)
    messages = [answer.message()]
    if "stablehlo" in levels:
        with answer.timed("lower"):
            lowered = lower(made, traced=traced)
        patch = {"programs": {made.program["id"]: lowered.patch}, "diagnostics": lowered.diagnostics, "notes": lowered.notes, "timings": {}}
        messages.append({"level": "stablehlo", "trace": None, "patch": patch})
    return merged(messages)


def _module(module: Any, name: str, origin: str) -> Dict:
    answer = Answer()
    made = serialize_module(module)
    nothing = {"count": 1, "span": None, "entry": None, "jaxprs": {}, "twins": [], **empty_patch()}
    spans = {wire["id"]: wire["text_span"] for _, wire in made.ops if wire["text_span"] is not None}
    texts = {"stablehlo": {"text": made.module["text"], "spans": spans}}
    answer.trace["programs"].append(
        {"id": "p0", "name": name, "origin": origin, **nothing, "texts": texts, "modules": {"stablehlo": made.module}}
    )
    return answer.trace


class _Home(NamedTuple):
    """Where a function was written: the text, and the names of its module as they are now."""

    source: PasteSource
    names: Dict


def _home_of(fun: Any) -> _Home | None:
    """For the person's own names of things; None where there is no text."""
    with contextlib.suppress(Exception):
        function = _written(fun)
        text = _text_of(function.__code__.co_filename)
        if text is not None:
            names = {name: value for name, value in function.__globals__.items() if not _SHELL.fullmatch(name)}
            return _Home(PasteSource.of(text, function.__code__.co_filename), names)
    return None


def _written(fun: Any) -> Any:
    """The function that a person wrote, of what was made of it."""
    for _ in range(_MOST_WRAPPERS):
        if isinstance(fun, functools.partial):
            fun = fun.func
        elif isinstance(fun, MethodType):
            fun = fun.__func__
        elif hasattr(fun, "__wrapped__"):
            fun = fun.__wrapped__
        elif isinstance(fun, FunctionType):
            break
        else:
            fun = type(fun).__call__
    return fun


def _text_of(filename: str) -> str | None:
    """The text of a file, or of a cell of a notebook."""
    file = Path(filename)
    if file.is_file():
        return file.read_bytes().decode("utf-8-sig") if file.stat().st_size <= _LARGEST else None
    return "".join(linecache.getlines(filename)) or None


def read_spec(text: str) -> Any:
    """The types of a text like `f32[3]` or `{'w': f32[3], 'b': f32[]}`, as jax.ShapeDtypeStruct. Raises ValueError."""
    try:
        found = read_type(text, {})
    except SignatureError as error:
        raise ValueError(f"{text!r} is no type: {error} {error.advice}".strip()) from None
    if not all(isinstance(leaf, jax.ShapeDtypeStruct) for leaf in jax.tree.leaves(found)):
        raise ValueError(f"{text!r} is no type. Write it as jaxprs print it, like f32[8,128] or i32[].")
    return found
