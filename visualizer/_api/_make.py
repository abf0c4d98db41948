"""Diagrams of what is in the person's own process: functions, what JAX made of them, files and texts.

Promises: all arguments belong to the person's function; what that function raises is raised as it is. No process is started or forked.
"""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from visualizer.drawing import DrawingError
from visualizer.model import Trace

from ._diagram import Diagram, in_a_file
from ._shown import in_a_notebook

_MOST_BYTES = 64 * 1024 * 1024


def trace(fun: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Diagram:
    """The diagram of `fun(*args, **kwargs)`, traced, not run. Arguments may be arrays, `spec("f32[3]")`, jax.ShapeDtypeStruct, and pytrees.

    Raises what tracing the function raises.
    """
    from visualizer.tracing import trace_function

    if not callable(fun):
        raise TypeError(f"trace takes a function and its arguments, not {type(fun).__name__}. For a jaxpr, a file or a text: diagram(...).")
    return _diagram(trace_function(fun, args, kwargs))


def diagram(program: Any, /) -> Diagram:
    """The diagram of a ClosedJaxpr, of what jax.jit(f).trace(x), .lower(x) or jax.export gives, of a saved trace, a file, or a text.

    A text is MLIR, HLO or a printed jaxpr; a path (or a one-line text that names a file) is read as that, or as a saved trace.
    Raises TypeError, OSError, and ValueError for a text that cannot be read.
    """
    if isinstance(program, Diagram):
        return program
    if isinstance(program, Trace):
        return Diagram(program)
    if isinstance(program, os.PathLike) or (isinstance(program, str) and "\n" not in program and _is_file(program)):
        return load(program)
    from visualizer.tracing import trace_stage, trace_text

    return _diagram(trace_text(program) if isinstance(program, str) else trace_stage(program))


def load(path: str | os.PathLike[str], /) -> Diagram:
    """The diagram of a file: a saved trace (for which no jax is needed), MLIR, HLO or a printed jaxpr. Raises OSError, ValueError."""
    file = Path(path)
    with file.open("rb") as opened:  # a device has no end
        data = opened.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"{file} has more than {_MOST_BYTES:,} bytes, the most that are read.")
    text = data.decode("utf-8")
    if text.lstrip()[:1] == "{" and '"programs"' in text:
        from visualizer.web.opening import checked

        return _diagram(checked(text.encode()))
    from visualizer.tracing import trace_text

    return _diagram(trace_text(text))


def show(program: Any, /, *args: Any, **kwargs: Any) -> Diagram:
    """Show a function with its arguments, or anything that `diagram` takes: in a notebook in its place, elsewhere in the browser.

    Says on standard error where the page is. The diagram is returned. Raises what `trace` and `diagram` raise.
    """
    shown = _made(program, args, kwargs)
    if in_a_notebook():
        from IPython.display import display

        display(shown)
        return shown
    page = in_a_file(shown)
    opened = webbrowser.open(page.as_uri())
    print(f"{shown!r}: {'opened ' if opened else 'the page is at '}{page}", file=sys.stderr)  # noqa: T201 - this is what show is for
    return shown


def to_svg(program: Any, /, *args: Any, **kwargs: Any) -> str:
    """The SVG of a function with its arguments, or of anything that `diagram` takes. Raises what `trace` and `diagram` raise."""
    return _made(program, args, kwargs).svg()


def to_html(program: Any, /, *args: Any, **kwargs: Any) -> str:
    """A page of its own for a function with its arguments, or for anything that `diagram` takes. Raises what those raise."""
    return _made(program, args, kwargs).html()


def _made(program: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Diagram:
    # A ClosedJaxpr can be called, too.
    if args or kwargs or (callable(program) and not hasattr(program, "jaxpr")):
        return trace(program, *args, **kwargs)
    return diagram(program)


def _diagram(found: dict[str, Any]) -> Diagram:
    traced = Trace.model_validate(found)
    if not traced.programs:
        said = "; ".join(f"line {one.span.line}: {one.message}" if one.span else one.message for one in traced.diagnostics)
        raise DrawingError(said or "There is no program in it.")
    return Diagram(traced)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False
