"""What a paste registers with `atexit`. The process of a paste ends without running what is registered there, for most of that is JAX's and
the libraries'; the paste's are kept apart, and run when it has ended.

Promises: they run as Python runs them: the last one first, whatever those before them raise.
Must never: run what a library registered, or leave anything of a paste's with `atexit`.
"""

from __future__ import annotations

import atexit
import contextlib
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any

from visualizer.tracing._ours import is_ours

from ._ends import finalizers

Exit = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
# The list that a run has is always this one: our second run of a function puts back what is in it.
EXITS: list[Exit] = []
_register, _unregister = atexit.register, atexit.unregister
_frame, _format, _Arguments = sys._getframe, traceback.format_exception, types.SimpleNamespace
_default_hook = sys.__unraisablehook__
_Anything = BaseException


@contextlib.contextmanager
def kept_apart(filename: str) -> Iterator[None]:
    """While this lasts, what the code in `filename` registers is in `EXITS`."""

    def register(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        if not callable(func) or _caller() != filename:
            return _register(func, *args, **kwargs)
        EXITS.append((func, args, kwargs))
        return func

    def unregister(func: Callable[..., Any], /) -> None:
        EXITS[:] = [entry for entry in EXITS if entry[0] != func]
        _unregister(func)

    EXITS.clear()
    atexit.register, atexit.unregister = register, unregister
    try:
        yield
    finally:
        atexit.register, atexit.unregister = _register, _unregister
        EXITS.clear()


def _caller() -> str:
    """The file of the code that called us: ours stands between, where the call is watched."""
    frame: types.FrameType | None = _frame(2)
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename


def run_exits() -> None:
    """Run them. What one registers does not run any more, and what one unregisters neither."""
    for entry in reversed([*EXITS]):
        if not any(entry is one for one in EXITS):
            continue
        function, args, kwargs = entry
        try:
            function(*args, **kwargs)
        except _Anything as error:
            _tell(function, error)


def run_finalizers(before: dict[Any, Any]) -> None:
    """Run the `weakref.finalize` of the paste's that are still alive, the last one first, as Python does at its end."""
    made = [(info.index, one) for one, info in finalizers().items() if one not in before and info.atexit and _is_the_pastes(info)]
    for _, one in sorted(made, key=lambda pair: pair[0], reverse=True):
        try:
            one()
        except _Anything as error:
            sys.excepthook(type(error), error, error.__traceback__)


def _is_the_pastes(info: Any) -> bool:
    return any(getattr(kind, "__module__", None) == "__main__" for kind in (info.func, type(info.weakref())))


def tell_hook(error: BaseException) -> None:
    """Tell a hook of the paste's (`sys.excepthook`) what ended it, as Python does; what the hook itself raises is shown."""
    trace = error.__traceback__ and error.__traceback__.tb_next  # without our own frame
    try:
        sys.excepthook(type(error), error, trace)
    except _Anything as other:
        with contextlib.suppress(Exception):
            said = "".join(_format(type(other), other, other.__traceback__ and other.__traceback__.tb_next))
            first = "".join(_format(type(error), error, trace))
            sys.stderr.write(f"Error in sys.excepthook:\n{said}\nOriginal exception was:\n{first}")


def _tell(function: Any, error: BaseException) -> None:
    """As Python does: by the hook, which a paste may have set, else on the error stream."""
    hook = sys.unraisablehook
    with contextlib.suppress(Exception):
        if hook is _default_hook:
            text = "".join(_format(type(error), error, error.__traceback__ and error.__traceback__.tb_next))
            sys.stderr.write(f"Exception ignored in atexit callback: {function!r}\n{text}")
        else:
            message = "Exception ignored in atexit callback"
            trace = error.__traceback__
            hook(_Arguments(exc_type=type(error), exc_value=error, exc_traceback=trace, err_msg=message, object=function))
