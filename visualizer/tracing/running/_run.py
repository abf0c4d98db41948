"""Run a paste as `__main__` and watch it.

Promises: what the paste prints is captured in order, what it raises is returned, and Python's builtins are whole again afterwards.
Must never: raise what the paste raises.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import linecache
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import jax

from visualizer.tracing import compat
from visualizer.tracing._capture import Capture, silence, unheard
from visualizer.tracing._ours import FOLDER
from visualizer.tracing.source._paste import PasteSource
from visualizer.tracing.source._sites import CALLED, SHOWN, Compiled
from visualizer.tracing.undo._ends import ended_here, finalizers
from visualizer.tracing.undo._exits import kept_apart, run_exits, run_finalizers, tell_hook
from visualizer.tracing.undo._files import files_kept
from visualizer.tracing.undo._once import Once
from visualizer.tracing.undo._undo import Memory
from visualizer.tracing.undo._waits import not_waiting
from visualizer.tracing.undo._world import begin, begun_with

from ._library import restore_library
from ._record import Recorder, unwatched
from ._reserve import Reserve
from ._stack import stack_as_seen

_clock = time.perf_counter
_effects_barrier = jax.effects_barrier
_catch_warnings, _simplefilter = warnings.catch_warnings, warnings.simplefilter
_threads = threading.enumerate
_suppress = contextlib.suppress
_set_trace, _set_profile, _set_depth = sys.settrace, sys.setprofile, sys.setrecursionlimit
_modules = sys.modules
# The paste may have taken the builtins away when these are needed.
_Exit, _Anything = SystemExit, BaseException
# How long the threads of a paste go on after its last line: what they print until then is shown.
THREADS_SECONDS = 1.0
compat.exclude_frames(FOLDER)


@dataclass
class Run:
    """What came of one run. `error` is what the paste raised; `exit` is a SystemExit that it raised.

    `threads_left`: some of its threads had not ended.
    """

    namespace: dict[str, Any]
    recorder: Recorder
    seconds: float = 0.0
    error: BaseException | None = None
    exit: SystemExit | None = None
    threads_left: bool = False
    reserve: Reserve = field(default_factory=Reserve)


@contextlib.contextmanager
def stage_for(source: PasteSource, capture: Capture) -> Iterator[types.ModuleType]:
    """The world a paste runs in: its own `__main__`, captured streams, empty stdin and command line. All is put back."""
    main = types.ModuleType("__main__")
    main.__file__ = source.filename
    main.__builtins__ = builtins  # type: ignore[attr-defined]
    linecache.cache[source.filename] = (len(source.text), None, source.text.splitlines(True), source.filename)
    kept = {name: getattr(sys, name) for name in ("stdout", "stderr", "stdin", "argv", "path", "breakpointhook")}
    old_main = _modules.get("__main__")
    whole = dict(vars(builtins))
    _modules["__main__"] = main
    sys.stdout, sys.stderr, sys.stdin = capture.out, capture.err, io.StringIO("")
    sys.argv, sys.path = [source.filename], list(sys.path)
    sys.breakpointhook = lambda *_, **__: capture.write("breakpoint() does nothing here: there is no keyboard.\n")
    try:
        with _catch_warnings(), kept_apart(source.filename), stack_as_seen(source.filename):
            _person_warnings(capture)
            yield main
    finally:
        restore_builtins(whole)
        for name, value in kept.items():
            setattr(sys, name, value)
        if old_main is not None:
            _modules["__main__"] = old_main


def restore_builtins(whole: dict[str, Any]) -> None:
    """Give back every builtin that was replaced or deleted, and take away what was added."""
    now = builtins.__dict__
    now.update(whole)
    for name in now.keys() - whole.keys():
        del now[name]


def _person_warnings(capture: Capture) -> None:
    """Warnings as a fresh Python shows them, in the captured output."""
    warnings.resetwarnings()
    for category in (ResourceWarning, ImportWarning, PendingDeprecationWarning, DeprecationWarning):
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")

    def show(message: Any, category: Any, filename: str, lineno: int, *_: Any, **__: Any) -> None:
        where = f"{filename}:{lineno}: " if filename.startswith("<") else ""
        capture.write(f"{where}{category.__name__}: {message}\n")

    warnings.showwarning = show


def planned(main: types.ModuleType, source: PasteSource, compiled: Compiled, *, static_numbers: bool = False) -> Run:
    """The run of a compiled paste in `main`, before it starts."""
    begin()
    names = main.__dict__
    return Run(
        names,
        Recorder(source.text, source.filename, compiled, lambda before, *more: aside(names, before, *more), _before(names), static_numbers),
    )


def _before(names: dict[str, Any]) -> Callable[..., Memory | None]:
    """What remembers how things are before a call; not where threads of the paste would see them go back."""
    return lambda *more: None if len(_threads()) > 1 else Memory(names, *more, once=Once())


def execute(run: Run, compiled: Compiled, *, held: bool, watch: bool = True) -> None:
    """Run a compiled paste. With `held` its eager operations are held; with `watch` its programs are recorded."""
    recorder = run.recorder
    whole = dict(vars(builtins))
    setattr(builtins, CALLED, recorder.called if watch else unwatched)
    setattr(builtins, SHOWN, recorder.show)
    depth, before, hook = sys.getrecursionlimit(), set(_threads()), sys.excepthook
    compat.checks_as_new()
    started, alive = _clock(), finalizers()
    run.reserve.keep_back()
    try:
        exec(compiled.code, run.namespace)  # noqa: S102 - this is what the sandbox is around
    except _Exit as end:
        run.exit = end
    except _Anything as error:
        run.error = error
    finally:
        run.reserve.give_up()
        for name in (CALLED, SHOWN):
            whole[name] = builtins.__dict__.get(name)
        restore_builtins(whole)
        restore_library()
        _set_trace(None)
        _set_profile(None)
        _set_depth(depth)
    if run.error is not None and sys.excepthook is not hook:
        tell_hook(run.error)
    run.threads_left = _wait_for_threads(before)
    run_exits()
    run_finalizers(alive)
    recorder.finish()
    if not held or compat.backend_started():
        with _suppress(Exception):
            _effects_barrier()
    run.seconds = _clock() - started


def _wait_for_threads(before: set[Any]) -> bool:
    """Wait for the threads that the run started, as Python does when it ends; but not long, as some never end. Whether some are left."""
    end, left = _clock() + THREADS_SECONDS, False
    with _suppress(Exception):
        for thread in _threads():
            if thread not in before and not thread.daemon:
                thread.join(max(0.0, end - _clock()))
                left = left or thread.is_alive()
    return left


@contextlib.contextmanager
def aside(namespace: dict[str, Any], before: Memory | None = None, *more: Any) -> Iterator[Once]:
    """Our second run of a body: unheard, in a world as it was `before` the first, of which nothing is left afterwards.

    `more` is what the body may change beside what the names lead to. What can be gone through only once is not: the result says whether
    the body asked for it.
    """
    out, err, shown = sys.stdout, sys.stderr, warnings.showwarning
    after = Memory(namespace, *more)
    rewound = before is not None
    if before is None:
        before = Memory(namespace, *more, once=Once())
    once = before.once or Once()
    once.begin()
    sys.stdout = sys.stderr = silence()
    try:
        known = before.pytree_classes if rewound else begun_with()
        with _quiet(), compat.checks_kept(), compat.registered_again(known), unheard(), files_kept():
            if rewound or before.stands:
                before.restore()
            with ended_here(namespace):
                try:
                    with not_waiting(namespace):
                        yield once
                finally:
                    once.end()
    finally:
        after.restore()
        sys.stdout, sys.stderr, warnings.showwarning = out, err, shown


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Warnings are not shown. Filters stay, for to change them is to forget what was shown once; but where they raise."""
    if any(entry[0] == "error" for entry in warnings.filters):
        with _catch_warnings():
            _simplefilter("ignore")
            yield
    else:
        warnings.showwarning = lambda *_, **__: None
        yield
