"""Objects that end: `__del__`, callbacks of weak references and of `weakref.finalize`.

Promises: what a second run of a function made ends while nothing of that is seen or heard; what was there before does not end sooner than
it would.
Must never: collect anything where no code of the paste could notice.
"""

from __future__ import annotations

import contextlib
import decimal
import gc
import linecache
import sys
import traceback
import weakref
from collections.abc import Iterator
from typing import Any

_collect, _freeze, _unfreeze = gc.collect, gc.freeze, gc.unfreeze
_clear_frames, _error = traceback.clear_frames, sys.exc_info
_NOTICE = ("__del__", "weakref", "finalize")
_registry: dict[Any, Any] = getattr(weakref.finalize, "_registry", {})
_context = decimal.getcontext
_SETTINGS = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")


@contextlib.contextmanager
def ended_here(namespace: dict[str, Any]) -> Iterator[None]:
    """What is made while this lasts ends with it, in a paste that could notice."""
    lines = linecache.cache.get(str(namespace.get("__file__")), ())
    if len(lines) < 3 or not any(word in line for line in lines[2] for word in _NOTICE):
        yield
        return
    _freeze()  # what is there is not collected by ours
    try:
        yield
    except BaseException as error:
        _clear_frames(error.__traceback__)  # they hold what the function had made
        raise
    finally:
        _collect()
        _unfreeze()


def finalizers() -> dict[Any, Any]:
    """The `weakref.finalize` that are alive."""
    return {**_registry}


def put_finalizers(before: dict[Any, Any]) -> None:
    """Only those are alive that were."""
    for made in [made for made in _registry if made not in before]:
        _registry.pop(made, None)
    _registry.update(before)


def precision() -> tuple[Any, ...]:
    """How `decimal` calculates, and what it noted."""
    now = _context()
    return (now, {name: getattr(now, name) for name in _SETTINGS}, {**now.flags}, {**now.traps})


def put_precision(before: tuple[Any, ...]) -> None:
    """As it was."""
    now, settings, flags, traps = before
    for name, value in settings.items():
        if getattr(now, name) != value:
            setattr(now, name, value)
    now.flags.update(flags)
    now.traps.update(traps)
