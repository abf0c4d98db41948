"""Record the JAX programs that a paste makes while it runs.

What a call does is not changed: it runs as written, and *afterwards* the same callable is traced again with the same arguments. After, not
before: a jitted function is then in JAX's tracing cache, so its body (and its prints) does not run a second time.

Promises: a call of the paste gives what it would give unwatched; whatever goes wrong in recording is ours alone.
Must never: let an exception of recording reach the paste.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax

from visualizer.tracing import compat
from visualizer.tracing.arguments._fixed import hold_fixed, is_code, is_fixed
from visualizer.tracing.arguments._owners import owner_as_argument
from visualizer.tracing.arguments._recordable import EXPLICIT, is_array, is_number, kind_of
from visualizer.tracing.arguments._static_options import with_options
from visualizer.tracing.eager._held import type_of
from visualizer.tracing.problems._errors import message_of
from visualizer.tracing.source._sites import Compiled, cut
from visualizer.tracing.undo._once import Once, OnceError, is_once, with_again
from visualizer.tracing.undo._undo import Memory

from ._coroutines import Coroutines
from ._recorded import Rank, Recorded, Untraced, same
from ._threads import Threads

_leaves = jax.tree.leaves
_flatten = jax.tree.flatten
_make_jaxpr = jax.make_jaxpr
_jit = jax.jit
_thread_id = threading.get_ident
_clock = time.perf_counter
_partial = functools.partial
_suppress = contextlib.suppress
_Shape = jax.ShapeDtypeStruct
_Failure = Exception  # by a name that the paste cannot take away
_VALUES = frozenset({str, bytes, type(None)})
_SIMPLE = _VALUES | {int, float, bool, complex}
MAX_PROGRAMS = 64
MAX_PER_SITE = 4
MAX_FAILED = 100  # calls inside of one call that could not be traced, until no more are tried
NAME_LENGTH = 80
MAX_NESTED = 500
# (kind, function, site, args, kwargs)
Call = tuple[str, Any, int, tuple[Any, ...], dict[str, Any]]


@dataclass
class Nested:
    """A call inside another that may turn out to be nothing to trace. `arrays`: it took some; `result`: what it gave can be traced.

    `code`: there are functions in what it gave. `before`: how things were before it.
    """

    call: Call
    arrays: bool
    result: bool
    children: list[Nested]
    code: bool = False
    before: Memory | None = None


def _step(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


# Code that asks which module calls it (namedtuple, warnings) must hear what it would hear without us.
# Native code that imports asks the globals of the innermost frame for the builtins.
_MAIN = {"__name__": "__main__", "__builtins__": builtins}
_as_main = types.FunctionType(_step.__code__, _MAIN, "_step")
_type_of = types.FunctionType(type_of.__code__, {**vars(sys.modules[type_of.__module__]), **_MAIN}, "type")
_type, _map = type, map
_NOTHING = object()


def unwatched(function: Any, _site: int) -> Any:
    """The hook of the calls of a paste whose programs are not recorded."""
    return _type_of if function is _type else function


class Recorder:
    """Watches the calls of one run. `aside` is a context in which our second run of a body goes unheard, `before` remembers a state."""

    def __init__(
        self,
        text: str,
        filename: str,
        compiled: Compiled,
        aside: Callable[..., Any],
        before: Callable[..., Memory | None],
        static_numbers: bool = False,
    ) -> None:
        self.programs: list[Recorded] = []
        self.untraced: list[Untraced] = []
        self.shown: Any = None
        self._left = MAX_FAILED
        self.tracing_seconds = 0.0
        self.faults = 0
        self.full = False
        self._text, self._filename, self._sites = text, filename, compiled.sites
        self._aside, self._before, self._static_numbers = aside, before, static_numbers
        self._remembered: set[Any] = set()
        self._seen: dict[Any, list[tuple[Any, Recorded]]] = {}
        self._pending: list[Nested] | None = None
        # outer: at module level. children: inside a call that may turn out to be nothing to trace. closed: inside one that is.
        self._mode = "outer"
        self._busy = False
        self._once: Once | None = None
        self._thread = _thread_id()
        self._threads = Threads(filename)
        self._coroutines = Coroutines()
        self._inside: dict[int, int | None] = {}
        """By the id of a program, which coroutine it was found in."""

    def called(self, function: Any, site: int) -> Any:
        """The hook of every call: the function itself, unless this call is to be recorded."""
        if function is _type:
            return _type_of
        try:
            if self._thread != _thread_id():
                return self._threads.called(function, site)
            if self._busy:
                return function if self._once is None else self._once.of(function)
            if function is _map:
                return _partial(self._mapped, site)
            kind = kind_of(function, self._filename)
            if kind is None or (self._mode == "closed" and kind not in EXPLICIT):
                return function
            if len(self.programs) >= MAX_PROGRAMS:
                self.full = True
                return function
            return _partial(self._make if kind == "async" else self._call, kind, function, site)
        except _Failure:  # an object whose attributes misbehave is not ours to judge, nor are builtins that are gone
            return function

    def _mapped(self, site: int, /, *args: Any) -> Any:
        """`map(f, xs)`: each call of f as if it stood there."""
        if not args or not self._is_of_paste(args[0]):
            return _map(*args)
        return _map(lambda *items: self.called(args[0], site)(*items), *args[1:])  # noqa: PLW0108 - asked anew for each call

    def finish(self) -> None:
        """After the run: what its threads and event loops called is traced now."""
        for call in self._threads.calls():
            with _suppress(_Failure):
                self._trace(call)
        for number, (call, before) in enumerate(self._coroutines.calls):
            inside = {id(program) for program in self.programs if self._inside.get(id(program)) == number}
            with _suppress(_Failure):
                if self._trace(call, quiet=bool(inside), before=before):
                    self.programs = [each for each in self.programs if id(each) not in inside or each.rank == Rank.EXPLICIT]

    def show(self, value: Any) -> None:
        """The hook of a last bare expression."""
        self.shown = value

    def best(self) -> list[Recorded]:
        """The programs to show: those of the lowest rank."""
        rank = min((program.rank for program in self.programs), default=None)
        return [program for program in self.programs if program.rank == rank]

    def _call(*received: Any, **kwargs: Any) -> Any:  # no named parameters: the paste may use any keyword
        self: Recorder
        self, kind, function, site, *rest = received
        args = tuple(rest)
        mode, pending = self._mode, self._pending
        if kind == "library" and not any(map(self._brings_code, (*args, *kwargs.values()))):
            return _as_main(function, args, kwargs)
        try:
            arrays, numbers = _contents((args, kwargs))
        except Exception:
            return _as_main(function, args, kwargs)
        # main(): what it calls is what was meant.
        through = kind == "own" and not arrays and not numbers
        if not through:
            opens = kind == "own" and mode != "closed"
            self._mode, self._pending = ("children", []) if opens else ("closed", None)
        call: Call = (kind, function, site, args, kwargs)
        earlier = self._remember(call)
        before, started = len(self.programs), _clock()
        out: Any = _NOTHING
        try:
            out = _as_main(function, args, kwargs)
        finally:
            children, self._mode, self._pending = self._pending, mode, pending
            if kind in EXPLICIT and mode != "closed":
                self.tracing_seconds += _clock() - started
            try:
                if out is not _NOTHING:
                    self._after(call, out, through, arrays, children or [], len(self.programs) > before, earlier)
                elif arrays and not through and kind in ("own", "made"):
                    self._nest(Nested(call, arrays, True, children or [], before=earlier), quiet=True)
            except Exception:
                self.faults += 1
        return out

    def _make(*received: Any, **kwargs: Any) -> Any:
        """A call of a coroutine function, which only makes the coroutine."""
        self: Recorder
        self, _, function, site, *rest = received
        args = tuple(rest)
        try:
            if _contents((args, kwargs))[0] and self._coroutines.running() is None:
                call: Call = ("own", self._coroutines.plain(function), site, args, kwargs)
                before = self._remember(call)
                out = _as_main(function, args, kwargs)
                if self._mode == "outer":
                    self._coroutines.add(call, before, out)
                else:
                    self._nest(Nested(call, True, True, [], before=before))
                return out
        except _Failure:
            self.faults += 1
        return _as_main(function, args, kwargs)

    def _remember(self, call: Call) -> Memory | None:
        """How things are before a call that will be traced; None where one like it was traced, or waits for that."""
        kind, function, site, args, kwargs = call
        if kind in EXPLICIT:
            return None
        try:
            leaves, tree = _flatten((args, kwargs))
            key = (site, tree, tuple(_type_key(leaf) for leaf in leaves), id(function) if kind == "own" else None)
            if self._mode == "outer":
                self._remembered.clear()
            if key in self._remembered or any(tried is function for tried, _ in self._seen.get(key[:3], ())):
                return None
            self._remembered.add(key)
        except Exception:  # what cannot be hashed, or has keys that cannot be sorted
            return None
        before = self._before(function, args, kwargs)
        if before is not None and before.once is not None:
            for leaf in filter(is_once, leaves):
                before.once.keeps(leaf)
        return before

    def _brings_code(self, value: Any) -> bool:
        """Whether an argument is a function of the paste, or an object with one in it (`ODETerm(vector_field)`)."""
        try:
            if callable(value):
                return self._is_of_paste(value)
            if is_array(value) or type(value) in _SIMPLE:
                return False
            return any(callable(leaf) and self._is_of_paste(leaf) for leaf in _leaves(value)[:MAX_NESTED])
        except Exception:  # a dictionary whose keys cannot be sorted
            return False

    def _is_of_paste(self, value: Any) -> bool:
        try:
            return kind_of(value, self._filename) in ("own", "made")
        except Exception:
            return False

    def _steers(self, kind: str, function: Any) -> bool:
        """Whether a library's function makes a program of the paste's: `jax.lax.scan(step, ...)`, not `jax.tree.map`."""
        home = getattr(function, "__module__", "")
        return kind == "library" and isinstance(home, str) and not home.startswith(("jax._src.tree", "jax.tree", "jax._src.api_util"))

    def _after(
        self, call: Call, out: Any, through: bool, arrays: bool, children: list[Nested], recorded: bool, before: Memory | None
    ) -> None:
        kind = call[0]
        if kind in EXPLICIT or isinstance(out, compat.ClosedJaxpr):
            self._explicit(call, out)
        elif through:
            if self._mode == "outer" and not recorded and any(map(is_array, _leaves(out))):
                self._trace(call, code=_is_result(out)[1], before=before)
        elif self._mode == "outer" and kind in ("library", "object") and (callable(out) or not any(map(is_array, _leaves(out)))):
            pass
        else:
            result, code = _is_result(out)
            # A library that hands functions on sorts trees.
            if not arrays and out is None:
                result = False  # `super().__init__(lr=0.1)`
            self._nest(Nested(call, arrays, result and not (code and kind == "library"), children, code, before))

    def _nest(self, nested: Nested, quiet: bool = False) -> None:
        if self._mode == "outer":
            self._left = MAX_FAILED
            self._find(nested, quiet)
        elif self._mode == "children" and self._pending is not None and len(self._pending) < MAX_NESTED:
            self._pending.append(nested)

    def _find(self, nested: Nested, quiet: bool) -> None:
        """Trace a call, or, where that is not possible (`train(steps=100)`, a function that reads values), those that it made."""
        jitted = [child.call[2] for child in nested.children if child.call[0] == "made"]
        looped = not nested.arrays and len(set(jitted)) < len(jitted)
        if looped or not nested.result or not self._trace(nested.call, quiet=quiet, code=nested.code, before=nested.before):
            for child in nested.children:
                if self._left > 0:
                    self._find(child, quiet)

    # ------------------------------------------------------------------ explicit requests
    def _explicit(self, call: Call, out: Any) -> None:
        kind, function, site, args, kwargs = call
        if kind == "eval_shape":
            method = isinstance(function, types.MethodType)
            traced = function.__self__ if method else args[0]
            self._trace(("trace" if method else kind, traced, site, args if method else args[1:], kwargs), Rank.EXPLICIT)
        elif kind in ("lower", "export"):
            fun = function.__self__ if kind == "lower" else compat.fun_of_export(function)
            if not self._with_numbers_held(kind, fun, call):
                with self._timed():  # in JAX's tracing cache by now
                    stage = fun.trace(*args, **kwargs)
                self._add(stage.jaxpr, kind, site, Rank.EXPLICIT, (fun, args, kwargs), stage)
        else:
            closed = out.jaxpr if isinstance(out, compat.Traced) else out[0] if isinstance(out, tuple) else out
            if isinstance(closed, compat.ClosedJaxpr):
                fun = function.__self__ if kind == "trace" else getattr(function, "__wrapped__", None)
                if kind in EXPLICIT and self._with_numbers_held(kind, fun, call):
                    return
                stage = out if isinstance(out, compat.Traced) else None
                origin = "make_jaxpr" if kind not in EXPLICIT else kind
                self._add(closed, origin, site, Rank.EXPLICIT, (fun, args, kwargs), stage)

    def _with_numbers_held(self, kind: str, fun: Any, call: Call) -> bool:
        """Trace a request again with the Python numbers in its arguments held static, where that is wished and possible."""
        _, _, site, args, kwargs = call
        leaves, tree = _flatten((args, kwargs))
        if not self._static_numbers or fun is None or not any(map(is_number, leaves)):
            return False
        inner = fun.__wrapped__ if isinstance(fun, compat.Wrapped) and kind != "make_jaxpr" else fun
        held, held_args, held_kwargs = hold_fixed(inner, leaves, [is_array(leaf) for leaf in leaves], tree)
        try:
            with self._timed():
                stage = None if kind == "make_jaxpr" else with_options(_jit(held).trace(*held_args, **held_kwargs), fun, args, kwargs)
                closed = stage.jaxpr if stage is not None else _make_jaxpr(held)(*held_args, **held_kwargs)
        except Exception:
            return False
        self._add(closed, kind, site, Rank.EXPLICIT, (held, held_args, held_kwargs), stage)
        return True

    # ------------------------------------------------------------------ calls, traced again with their own arguments
    def _trace(self, call: Call, rank: Rank | None = None, quiet: bool = False, code: bool = False, before: Memory | None = None) -> bool:
        """Trace a call, or count it when it was traced before. Whether there is a program now.

        `quiet`: why not is not said. `code`: there are functions in its result. `before`: how things were before it.
        """
        kind, function, site, args, kwargs = call
        if rank is None:
            rank = Rank.CALL if kind in ("own", "made") or self._steers(kind, function) else Rank.LIBRARY
        leaves, tree = _flatten((args, kwargs), is_leaf=is_fixed)
        tries = self._tries((site, tree, tuple(_type_key(leaf) for leaf in leaves)))
        known = [program for tried, program in tries if tried is function]
        if known or len(tries) >= MAX_PER_SITE:
            (known or [tries[0][1]])[0].count += 1
            return True
        error: BaseException | None = None
        tried: list[bool] | None = None
        for traced, note in self._ways():
            dynamic = [traced(leaf) for leaf in leaves]
            if dynamic == tried:
                continue
            tried = dynamic
            try:
                taken = any(map(is_once, leaves))
                kept = None if before is None else before.once
                if taken and kept is None:
                    raise OnceError  # the call has gone through it
                called = with_again(function, kept) if taken and kept is not None else function
                fun, fixed_args, fixed_kwargs = hold_fixed(called, leaves, dynamic, tree, code=code)
                with self._timed(before, function, args, kwargs) as once:
                    again = fun
                    if once.of(function) is not function:
                        called = with_again(once.of(function), once) if taken else once.of(function)
                        again = hold_fixed(called, leaves, dynamic, tree, code=code)[0]
                    closed = once.run(_make_jaxpr(again), *fixed_args, **fixed_kwargs)
                if once.asked:
                    raise OnceError
            except Exception as problem:
                error = error or problem
                if isinstance(problem, RecursionError):
                    break
                continue
            if kind == "library" and not closed.eqns:
                rank = Rank.LIBRARY  # it sorted a tree
            program = self._add(closed, "call" if rank else kind, site, rank, (fun, fixed_args, fixed_kwargs))
            if error is not None and not program.note and "static arg" not in message_of(error):
                program.note = note  # said only where the person did not ask for it (static_argnums)
            tries.append((function, program))
            return True
        owned = owner_as_argument(function) if error is not None and not isinstance(error, RecursionError) else None
        if owned is not None and self._trace((kind, owned[0], site, (owned[1], *args), kwargs), rank, quiet=True, code=code, before=before):
            return True
        # A call that recurses without end was made by one that does, and there are a thousand of them.
        self._left = 0 if isinstance(error, RecursionError) else self._left - 1
        if error is not None and not quiet:
            self.untraced.append(Untraced(self._name(site), rank, self._sites[site].call, error))
        return False

    def _ways(self) -> Iterator[tuple[Callable[[Any], bool], str]]:
        """Which leaves to trace: what make_jaxpr accepts; on failure whole numbers, then all numbers, are held static."""
        if not self._static_numbers:
            yield (lambda leaf: is_array(leaf) or is_number(leaf)), ""
            yield (lambda leaf: is_array(leaf) or isinstance(leaf, (float, complex))), "with its whole numbers held static"
        yield is_array, "with its Python numbers held static"

    def _tries(self, key: Any) -> list[tuple[Any, Recorded]]:
        try:
            return self._seen.setdefault(key, [])
        except TypeError:  # a static argument that cannot be hashed
            return []

    @contextlib.contextmanager
    def _timed(self, before: Memory | None = None, *more: Any) -> Iterator[Any]:
        started, self._busy = _clock(), True
        try:
            with self._aside(before, *more) as self._once:
                yield self._once
        finally:
            self._busy, self._once = False, None
            self.tracing_seconds += _clock() - started

    def _add(self, closed: Any, origin: str, site: int, rank: Rank, call: tuple[Any, tuple[Any, ...], Any], stage: Any = None) -> Recorded:
        for known in self.programs:  # the same place, the same program: one, counted
            if known.site == site and known.rank == rank and same(known.closed, closed):
                known.count += 1
                return known
        fun, args, kwargs = call
        name = self._name(site, origin if rank == Rank.EXPLICIT else "call", fun)
        origin = "trace" if origin == "eval_shape" else origin
        program = Recorded(closed, name, origin, rank, site, self._sites[site].call, fun, args, kwargs, stage)
        program.mesh = compat.mesh_of(_leaves((args, kwargs)))
        self.programs.append(program)
        self._inside[id(program)] = self._coroutines.running()
        return program

    def _name(self, site: int, origin: str = "call", fun: Any = None) -> str:
        """What the person calls the traced function."""
        known = self._sites[site]
        if origin == "call":
            place = known.callee
        elif origin == "eval_shape":
            place = known.argument or known.callee
        else:
            own = getattr(fun, "__name__", None)
            if known.inner is None and isinstance(own, str) and own.isidentifier():
                return own  # the request stands elsewhere (`j = jax.make_jaxpr(f)`)
            place = known.inner or known.callee
        return " ".join(cut(self._text, place).split())[:NAME_LENGTH]


def _is_result(out: Any) -> tuple[bool, bool]:
    """Whether a traced function may return such a value, and whether there are functions in it, which a trace leaves out."""
    leaves = _leaves(out)
    others = [leaf for leaf in leaves if not is_array(leaf) and not is_number(leaf)]
    code = bool(others) and any(map(is_array, leaves)) and all(map(is_code, others))
    return code or not others, code


def _contents(tree: Any) -> tuple[bool, bool]:
    """Whether a pytree holds arrays, and whether it holds numbers."""
    leaves = _leaves(tree)
    return any(map(is_array, leaves)), any(map(is_number, leaves))


def _type_key(leaf: Any) -> Any:
    if is_array(leaf):
        return leaf if isinstance(leaf, _Shape) else compat.typeof(leaf)
    if is_number(leaf):
        return type(leaf)
    return leaf if type(leaf) in _VALUES else (type(leaf), id(leaf))
