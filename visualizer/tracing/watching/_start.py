"""From the start of the process to the moment when the script has imported JAX, and the report at its end.

Promises: JAX is imported by the script alone, when it does, with whatever it set before; the import system is as it was afterwards.
Must never: raise into the script.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ._watch import Watch


def warn(text: str) -> None:
    """Say something of ours, whatever became of standard error."""
    try:
        sys.stderr.write(f"jaxpr-visualizer: {text}\n")
        sys.stderr.flush()
    except Exception:  # closed by the script: nobody reads it
        return


def start(wishes: str) -> None:
    """Wait for JAX. `wishes` is what the command line was told, as JSON."""
    watch = Watch(json.loads(wishes))
    process = os.getpid()
    ended = False

    def end() -> None:
        nonlocal ended
        if ended or os.getpid() != process:  # a child that was forked reports nothing
            return
        ended = True
        watch.stop()
        try:
            from ._end import report

            report(watch, warn)
        except KeyboardInterrupt:
            warn("stopped while the report was made: there is none.")
        except Exception as error:
            warn(f"there is no report: {type(error).__name__}: {error}")
        if getattr(sys, "last_type", None) is KeyboardInterrupt:
            _interrupted()

    def imported() -> None:
        watch.script = getattr(sys.modules.get("__main__"), "__file__", None)  # Python takes it away before the end
        try:
            from ._compat_watching import install

            for problem in install(watch):
                watch.notes.append(problem)
        except Exception as error:
            warn(f"the script is not watched: {type(error).__name__}: {error}")
        # Before anything that JAX and the script do at their own end: what is registered last runs first.
        atexit.unregister(end)
        atexit.register(end)

    atexit.register(end)
    sys.meta_path.insert(0, _WhenImported("jax", imported))


def _interrupted() -> None:
    """Let the process end by the signal, as one does that Ctrl-C ended: Python forgets that at the next text that it evaluates."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        eval("interrupt()", {"interrupt": interrupt})


class _WhenImported(MetaPathFinder):
    """Calls back once a module has been imported by whoever imports it, and is gone from the import system then."""

    def __init__(self, name: str, done: Any) -> None:
        self._name = name
        self._done = done

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Announcing(spec.loader, self)
                return spec
        return None

    def done(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._done()


class _Announcing(Loader):
    """The module's own loader, which says when it is through."""

    def __init__(self, loader: Any, finder: _WhenImported) -> None:
        self._loader = loader
        self._finder = finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        for holder, name in ((module.__spec__, "loader"), (module, "__loader__")):
            if holder is not None:
                setattr(holder, name, self._loader)
        self._loader.exec_module(module)
        self._finder.done()
