"""What a function may change of the process, beside what the paste's own names lead to.

Promises: random states, the environment, the folder, lists and limits of `sys`, filters of warnings, what runs at the end, JAX's settings,
attributes of the modules that the paste names, and modules that it made are remembered and put back; what has not changed is not touched.
Must never: take a library that was imported away again.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from visualizer.tracing import compat

from ._ends import finalizers, precision, put_finalizers, put_precision
from ._exits import EXITS
from ._kinds import put_dict, put_items

Saved = tuple[Callable[[Any], None], Any]
_getcwd, _chdir, _environ = os.getcwd, os.chdir, os.environb
_variables: dict[bytes, bytes] = vars(_environ)["_data"]  # as bytes: reading them is forty times quicker
_modules = sys.modules
_depth, _set_depth = sys.getrecursionlimit, sys.setrecursionlimit
_OURS = frozenset({"stdout", "stderr", "last_exc", "last_type", "last_value", "last_traceback"})
_MISSING = object()
# Modules that were there before any paste was.
_known: set[str] = set()
_begun: list[int] = []


def is_made(module: types.ModuleType) -> bool:
    """Whether a module was made, not imported."""
    return vars(module).get("__spec__") is None


def begin() -> None:
    """A paste begins: what is imported by now is no part of it."""
    _known.update(_modules)
    _begun[:] = [compat.pytree_classes()]


def begun_with() -> int:
    """How many classes were registered as pytrees when the paste began."""
    return _begun[-1] if _begun else compat.pytree_classes()


def made_modules() -> dict[str, Any]:
    """The modules that a paste put where imported ones are."""
    return {name: _modules[name] for name in _modules.keys() - _known if _is_made(_modules.get(name)) and name != "__main__"}


def _is_made(value: Any) -> bool:
    return not isinstance(value, types.ModuleType) or is_made(value)


def state() -> list[Saved]:
    """How things are in the process, each with what puts it back."""
    saved: list[Saved] = [
        (random.setstate, random.getstate()),
        (np.random.set_state, np.random.get_state()),
        (_put_environ, {**_variables}),
        (_put_modules, made_modules()),
        (_put_depth, _depth()),
        (compat.put_settings, compat.settings()),
        (put_finalizers, finalizers()),
        (put_precision, precision()),
        *((_list_of(found), [*found]) for found in (sys.path, sys.argv, warnings.filters, EXITS) if isinstance(found, list)),
    ]
    with contextlib.suppress(OSError):
        saved.append((_put_folder, _getcwd()))
    return saved


def named(module: types.ModuleType) -> Saved:
    """The names of an imported module, without what they lead to."""
    names = vars(module)
    left_out = _OURS if module is sys else ()

    def put(before: dict[str, Any]) -> None:
        put_dict(names, before | {name: names[name] for name in left_out if name in names})

    return put, {**names}


def _list_of(found: list[Any]) -> Callable[[Any], None]:
    return lambda before: put_items(found, before)


def _put_environ(before: dict[bytes, bytes]) -> None:
    now = {**_variables}
    if now != before:
        for name in now.keys() - before.keys():
            del _environ[name]
        for name, value in before.items():
            if now.get(name) != value:
                _environ[name] = value


def _put_folder(before: str) -> None:
    with contextlib.suppress(OSError):
        if _getcwd() != before:
            _chdir(before)


def _put_depth(before: int) -> None:
    if _depth() != before:
        with contextlib.suppress(RecursionError):
            _set_depth(before)


def _put_modules(before: dict[str, Any]) -> None:
    for name in made_modules().keys() - before.keys():
        del _modules[name]
    for name, module in before.items():
        if _modules.get(name, _MISSING) is not module:
            _modules[name] = module
