"""Which programs the script made, how often each ran, and what JAX needed for it.

Promises: every trace, lowering and compilation that JAX tells of is counted once, with a program or as one of JAX's own operations; a call
that JAX answers without Python costs one function call more. Threads are told apart. Must never: raise into JAX.
"""

from __future__ import annotations

import itertools
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

from . import _compat_watching as compat
from ._seen import Arg, Jit, Seen, Site, Stage

_F = TypeVar("_F", bound=Callable[..., Any])
_clock = time.perf_counter
# Constants of one program that are held until the end; those of larger ones are let go.
HEAVY = 64 << 20


def _harmless(method: _F) -> _F:
    """What goes wrong in watching is counted, and nothing else."""

    def safe(self: Watch, *args: Any) -> Any:
        try:
            return method(self, *args)
        except Exception as error:
            self.fault(error)
            return None

    return safe  # type: ignore[return-value]


class Watch:
    """What the hooks tell, put together. `wishes` are those of the command line."""

    def __init__(self, wishes: dict[str, Any]) -> None:
        self.wishes = wishes
        self.script: Any = None
        """The file of the script."""
        self.programs: list[Seen] = []
        self.operations: dict[str, Seen] = {}
        """What JAX ran outside of any program: its own operations, by name."""
        self.notes: list[str] = []
        self.left_out = 0
        """Programs beyond the most that are kept."""
        self.faults: list[str] = []
        self.unwatched = {"trace": Stage(), "lower": Stage(), "compile": Stage()}
        self.started = _clock()
        self.seconds = 0.0
        self._most = int(wishes.get("most") or 500)
        self._jax = ""
        self._local = threading.local()
        self._lock = threading.RLock()
        self._jits: dict[int, Jit] = {}
        self._of_jaxpr: dict[int, tuple[Any, Seen]] = {}
        self._others = itertools.count()

    def stop(self) -> None:
        """Let go of JAX."""
        self.seconds = _clock() - self.started
        compat.uninstall()

    def fault(self, error: Exception) -> None:
        text = f"{type(error).__name__}: {error}"
        if len(self.faults) < 8 and text not in self.faults:
            self.faults.append(text)

    # ------------------------------------------------------------------ what JAX needed
    def _stack(self) -> list[dict[str, Stage]]:
        stack: list[dict[str, Stage]] | None = getattr(self._local, "stack", None)
        if stack is None:
            stack = self._local.stack = []
        return stack

    @_harmless
    def heard(self, stage: str, seconds: float) -> None:
        """JAX says that it traced, lowered or compiled something."""
        stack = self._stack()
        (stack[-1] if stack else self.unwatched).setdefault(stage, Stage()).add(1, seconds)

    def enter(self) -> None:
        """What is heard from now on belongs together."""
        self._stack().append({})

    def leave(self, seen: Seen | None) -> None:
        """It belonged to this program, or to one that is not known."""
        stack = self._stack()
        heard = stack.pop() if stack else {}
        with self._lock:
            for name, stage in heard.items():
                (self.unwatched if seen is None else seen.stages)[name].add(stage.times, stage.seconds)

    def enter_of(self, closed: Any, name: str) -> Seen | None:
        """Enter for a jaxpr; its program."""
        self.enter()
        return self._known(closed, name)

    @_harmless
    def traced(self, fun: Any, info: Any, args: Any, kwargs: Any, params: Any) -> None:
        """A jitted function was traced, or found again; `params` is None where that failed."""
        seen = None
        try:
            if params is not None:
                with self._lock:
                    seen = self._traced(fun, info, args, kwargs, params)
        finally:
            self.leave(seen)

    def _traced(self, fun: Any, info: Any, args: Any, kwargs: Any, params: Any) -> Seen:
        closed = params["jaxpr"]
        jit = self._jits.get(id(info))
        if jit is None:
            jit = self._jits[id(info)] = Jit(info, itertools.count())
            jit.fun = weakref.ref(fun)
        known = self._of_jaxpr.get(id(closed))
        if known is not None and jit.programs == [known[1]]:
            return known[1]
        key = compat.types_key(info, args, kwargs)
        seen = known[1] if known is not None else self._new(closed, params.get("name", ""), fun, key)
        jit.by_types[key] = jit.counter(seen)
        return seen

    # ------------------------------------------------------------------ calls
    def hit(self, fun: Any, args: Any, kwargs: Any, _output: Any) -> None:
        """JAX answered a call without Python."""
        try:
            info = getattr(fun, "_jit_info", None)
            if info is None:  # counted where it is called
                return
            jit = self._jits.get(id(info))
            if jit is None:
                next(self._others)
            elif len(jit.programs) < 2:
                next(jit.hits)
            else:
                self._hit_of_several(jit, args, kwargs)
        except Exception as error:
            self.fault(error)

    def _hit_of_several(self, jit: Jit, args: Any, kwargs: Any) -> None:
        key = compat.types_key(jit.info, args, kwargs)
        counter = jit.by_types.get(key)
        if counter is None:
            with self._lock:
                known = self._of_jaxpr.get(id(compat.jaxpr_of(jit.fun(), jit.info, key)))
                counter = jit.by_types[key] = self._others if known is None else jit.counter(known[1])
        next(counter)

    def within(self, by: int) -> None:
        """A call begins, or ends, that is counted as a whole."""
        self._local.within = getattr(self._local, "within", 0) + by

    def known(self, closed: Any) -> Seen | None:
        """The program of a jaxpr that was seen before."""
        known = self._of_jaxpr.get(id(closed))
        return None if known is None else known[1]

    @_harmless
    def called(self, seen: Seen | None) -> None:
        """A call went through Python."""
        if seen is not None and not getattr(self._local, "within", 0):
            with self._lock:
                seen.misses += 1

    @_harmless
    def lowered(self, seen: Seen | None, args: Any, params: Any) -> None:
        if seen is not None and seen.closed is not None and seen.lowering is None and seen.closed is params["jaxpr"]:
            seen.lowering = (args, params)

    @_harmless
    def compiled(self, seen: Seen | None, executable: Any) -> None:
        if seen is not None and seen.executable is None and self.wishes.get("hlo"):
            seen.executable = executable

    # ------------------------------------------------------------------ which program
    @_harmless
    def _known(self, closed: Any, name: str) -> Seen:
        with self._lock:
            known = self._of_jaxpr.get(id(closed))
            return known[1] if known is not None else self._new(closed, name, None, None)

    def _new(self, closed: Any, name: str, fun: Any, key: Any) -> Seen:
        file, function, line = compat.site_of(closed)
        operation = compat.is_operation(fun) or (fun is None and not file)
        if operation and compat.has_bodies(closed):  # a scan that nobody jitted
            place = compat.site_within(closed)
            file, function, line, operation = (*place, False) if place else (None, name, 0, False)
        own = not operation and not (self._is_of_jax(file) and not compat.is_jitted(fun))
        if own or self.wishes.get("all"):
            seen = self._program(closed, name, Site(file, line, function) if file else None, key)
        else:
            seen = self.operations.get(name) or self.operations.setdefault(name, Seen(name, None, (), self._now()))
            seen.anew += 1
        number = id(closed)
        self._of_jaxpr[number] = weakref.ref(closed, lambda _: self._of_jaxpr.pop(number, None)), seen
        return seen

    def _program(self, closed: Any, name: str, site: Site | None, key: Any) -> Seen:
        made = Seen(name, site, tuple([Arg(*arg) for arg in compat.arguments_of(closed)]), self._now())
        made.static = compat.static_text(key) if key is not None else ""
        made.transformed = key is None
        of_it = [seen for seen in self.programs if (seen.site, seen.name, seen.transformed) == (site, name, made.transformed)]
        for seen in of_it:
            if seen.args == made.args and seen.static == made.static and _alike(seen.closed, closed):
                seen.anew += 1
                return seen
        if len(self.programs) >= self._most:
            self.left_out += 1
            return made
        if made.transformed:
            made.why = "what a transformation (grad, vmap, ...) outside of jit made of it"
        else:
            made.why = _difference(of_it[-1], made) if of_it else ""
        made.weight = sum(int(getattr(const, "nbytes", 0) or 0) for const in closed.consts)
        made.closed = closed if made.weight <= HEAVY else None
        self.programs.append(made)
        return made

    def _is_of_jax(self, file: str | None) -> bool:
        self._jax = self._jax or compat.jax_folder()
        return file is not None and file.startswith(self._jax)

    def _now(self) -> float:
        return _clock() - self.started


def _alike(one: Any, other: Any) -> bool:
    """Whether two jaxprs of one function and of equal types are the same program."""
    if one is None or len(one.eqns) != len(other.eqns) or len(one.consts) != len(other.consts):
        return False
    if any(a.primitive is not b.primitive for a, b in zip(one.eqns, other.eqns, strict=True)):
        return False
    return len(one.eqns) > 300 or str(one) == str(other)


def _difference(before: Seen, now: Seen) -> str:
    """In words, why a function was traced again."""
    if before.static != now.static:
        return f"static: {now.static or 'none'}, before: {before.static or 'none'}"
    if [arg.name for arg in before.args] != [arg.name for arg in now.args]:
        return f"other arguments: {len(now.args)} arrays, before: {len(before.args)}"
    differing = [(old, new) for old, new in zip(before.args, now.args, strict=True) if old != new]
    if not differing:
        return "the same types: what the function closes over, or a setting of JAX, differs"
    old, new = differing[0]
    name = new.name or f"argument {before.args.index(old)}"
    if old.type != new.type:
        text = f"{name}: {new.type}, before: {old.type}"
    else:
        text = f"{name}: a Python number, before: an array" if new.weak else f"{name}: an array, before: a Python number"
    return text if len(differing) == 1 else f"{text} (and {len(differing) - 1} more)"
