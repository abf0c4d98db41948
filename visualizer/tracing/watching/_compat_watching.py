"""Where JAX is watched: every touch of its internals that a run needs. Written for JAX 0.10.2.

Promises: each hook calls what it stands for with what it was given, and lets pass what that raises; a hook that does not fit this JAX is
left out and named. Must never: hold logic of ours beyond telling a `Watch` what JAX does.
"""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

_FOLDER = str(Path(__file__).parent)
STAGES = {
    "/jax/core/compile/jaxpr_trace_duration": "trace",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lower",
    "/jax/core/compile/backend_compile_duration": "compile",
}
_PARAMETERS = {
    "_infer_params": ("fun", "ji", "args", "kwargs"),
    "_pjit_call_impl_python": ("args", "jaxpr", "in_shardings", "out_shardings"),
    "_resolve_and_lower": ("args", "jaxpr", "in_shardings", "out_shardings"),
}
_undo: list[Callable[[], None]] = []


def install(watch: Any) -> list[str]:
    """Hook JAX, which has been imported. The problems, in words."""
    problems = []
    for hook in (_exclude, _stages, _tracing, _lowering, _compiling, _running, _calls):
        try:
            hook(watch)
        except Exception as error:
            what = hook.__name__.strip("_")
            problems.append(f"This version of JAX cannot be watched wholly ({what}: {type(error).__name__}: {error}).")
    return problems


def uninstall() -> None:
    """JAX as it was."""
    while _undo:
        _undo.pop()()


def _put(holder: Any, name: str, made: Any) -> None:
    known = getattr(holder, name)
    setattr(holder, name, made)
    _undo.append(lambda: setattr(holder, name, known))


def _fitting(module: Any, name: str) -> Any:
    function = getattr(module, name)
    wanted = _PARAMETERS[name]
    if tuple(inspect.signature(function).parameters)[: len(wanted)] != wanted:
        raise TypeError(f"{name} takes other arguments")
    return function


def _exclude(_watch: Any) -> None:
    """Frames of the hooks are no frames of the person's: neither in what JAX shows of an error, nor in where an equation was written."""
    from jax._src import source_info_util, traceback_util

    traceback_util.register_exclusion(_FOLDER)
    source_info_util.register_exclusion(_FOLDER)


def _stages(watch: Any) -> None:
    from jax import monitoring

    def heard(event: str, duration: float, **_: Any) -> None:
        stage = STAGES.get(event)
        if stage is not None:
            watch.heard(stage, duration)

    monitoring.register_event_duration_secs_listener(heard)


def _tracing(watch: Any) -> None:
    """Whenever a jitted function is traced, or its types are looked up again."""
    from jax._src import core, pjit

    infer, clean = _fitting(pjit, "_infer_params"), core.trace_state_clean

    @functools.wraps(infer)
    def infer_params(fun: Any, ji: Any, args: Any, kwargs: Any) -> Any:
        if not clean():  # a call inside of what is being traced is a part of that
            return infer(fun, ji, args, kwargs)
        watch.enter()
        params = None
        try:
            found = infer(fun, ji, args, kwargs)
            params = found[0].params
            return found
        finally:
            watch.traced(fun, ji, args, kwargs, params)

    _put(pjit, "_infer_params", infer_params)


_computations: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def _lowering(watch: Any) -> None:
    from jax._src import pjit

    lower = _fitting(pjit, "_resolve_and_lower")

    @functools.wraps(lower)
    def resolve_and_lower(args: Any, jaxpr: Any, **params: Any) -> Any:
        seen = watch.enter_of(jaxpr, params.get("name", ""))
        try:
            made = lower(args, jaxpr=jaxpr, **params)
            watch.lowered(seen, args, {"jaxpr": jaxpr, **params})
            if seen is not None:
                _computations[made] = seen
            return made
        finally:
            watch.leave(seen)

    _put(pjit, "_resolve_and_lower", resolve_and_lower)


def _compiling(watch: Any) -> None:
    """`lowered.compile()`, and every other way to an executable."""
    from jax._src.interpreters import pxla

    compile_ = pxla.MeshComputation.compile

    @functools.wraps(compile_)
    def compile_computation(self: Any, *args: Any, **kwargs: Any) -> Any:
        seen = _computations.get(self)
        watch.enter()
        try:
            made = compile_(self, *args, **kwargs)
            watch.compiled(seen, made)
            return made
        finally:
            watch.leave(seen)

    _put(pxla.MeshComputation, "compile", compile_computation)


def _running(watch: Any) -> None:
    """Calls that go through Python: the first of each program, and all of some."""
    from jax._src import pjit

    run = _fitting(pjit, "_pjit_call_impl_python")

    @functools.wraps(run)
    def call_impl(*args: Any, jaxpr: Any, **params: Any) -> Any:
        seen = watch.enter_of(jaxpr, params.get("name", ""))
        try:
            out = run(*args, jaxpr=jaxpr, **params)
            watch.called(seen)
            return out
        finally:
            watch.leave(seen)

    _put(pjit, "_pjit_call_impl_python", call_impl)

    within = pjit.jit_p.impl

    @functools.wraps(within)
    def impl(*args: Any, jaxpr: Any, **params: Any) -> Any:
        """Calls of a jitted function while it is transformed: those that JAX answers without Python come by here as well."""
        watch.within(1)
        try:
            out = within(*args, jaxpr=jaxpr, **params)
        finally:
            watch.within(-1)
        watch.called(watch.known(jaxpr))
        return out

    _put(pjit.jit_p, "impl", impl)


class _PostHook:
    """The state of the hook that JAX calls after each call of a jitted function, with ours in front of whatever it sets."""

    def __init__(self, state: Any, ours: Callable[..., None]) -> None:
        self._state = state
        self._ours = ours
        state.set_global(ours)

    def _both(self, theirs: Callable[..., None] | None) -> Callable[..., None]:
        if theirs is None:
            return self._ours
        ours = self._ours

        def both(fun: Any, args: Any, kwargs: Any, output: Any) -> None:
            ours(fun, args, kwargs, output)
            theirs(fun, args, kwargs, output)

        return both

    def set_global(self, hook: Any) -> None:
        self._state.set_global(self._both(hook))

    def set_local(self, hook: Any) -> None:
        self._state.set_local(self._both(hook))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)


def _calls(watch: Any) -> None:
    """Calls that JAX answers without Python. Where its checks for NaN are on, they run as well."""
    from jax._src import api

    state = api._post_hook_state
    already = state.get_global()
    made = _PostHook(state, watch.hit)
    if already is not None:
        made.set_global(already)
    _put(api, "_post_hook_state", made)
    _undo.append(lambda: state.set_global(already))


# ---- reading what JAX gives


def types_key(info: Any, args: Any, kwargs: Any) -> Any:
    """What JAX looks the program of a call up by: the structure and types of its arguments, and the static ones."""
    parse, registry, abstract = _parsing or _find_parsing()
    signature, dynamic = parse(args, tuple(kwargs.values()), tuple(kwargs), info.static_argnums, info.static_argnames, registry)
    return signature, tuple([getattr(value, "aval", None) or abstract(value) for value in dynamic])


_parsing: tuple[Any, ...] = ()


def _find_parsing() -> tuple[Any, ...]:
    """Once: this is asked at each call of some functions."""
    global _parsing  # noqa: PLW0603
    from jax._src import core, tree_util
    from jax._src.lib import jax_jit

    _parsing = jax_jit.parse_arguments, tree_util.tracing_registry, core.shaped_abstractify
    return _parsing


def jaxpr_of(fun: Any, info: Any, key: Any) -> Any:
    """The jaxpr that JAX remembers for a call, or None."""
    from jax._src import pjit

    entry = pjit._infer_params_cached(fun, info, *key, pjit.get_ctx_mesh(info.use_resource_env))
    return None if entry.pjit_params is None else entry.pjit_params.params["jaxpr"]


def static_text(key: Any) -> str:
    """The static arguments of a call as text."""
    signature = key[0]
    named = dict(
        zip(signature.static_arg_names, signature.static_args[len(signature.static_args) - len(signature.static_arg_names) :], strict=False)
    )
    positional = signature.static_args[: len(signature.static_args) - len(named)]
    return ", ".join([*(repr(value)[:60] for value in positional), *(f"{name}={value!r}"[:60] for name, value in named.items())])


def site_of(closed: Any) -> tuple[str | None, str, int]:
    """The file, name and line of the function that a jaxpr was traced from."""
    info = closed.jaxpr.debug_info
    return info.func_filename, info.func_name, info.func_lineno or 0


def arguments_of(closed: Any) -> list[tuple[str, str, bool]]:
    """The path, type and weakness of each argument."""
    names = getattr(closed.jaxpr.debug_info, "arg_names", None) or ()
    avals = closed.in_avals
    names = names if len(names) == len(avals) else ("",) * len(avals)
    short = [(getattr(aval, "str_short", None), aval) for aval in avals]
    texts = [str(text(short_dtypes=True)) if text else str(aval) for text, aval in short]
    return [(str(name or ""), text, bool(getattr(aval, "weak_type", False))) for name, text, aval in zip(names, texts, avals, strict=True)]


def is_operation(fun: Any) -> bool:
    """Whether JAX jits this to run one operation that was called outside of any jitted function."""
    return bool(getattr(fun, "_apply_primitive", False))


def has_bodies(closed: Any) -> bool:
    """Whether a jaxpr has others in it."""
    from jax._src import core

    return any(next(iter(core.jaxprs_in_params(eqn.params)), None) is not None for eqn in closed.jaxpr.eqns)


def site_within(closed: Any) -> tuple[str, str, int] | None:
    """The file, name and line of the first function of the person's that a jaxpr inside was traced from."""
    from jax._src import core, source_info_util

    queue = [closed.jaxpr]
    while queue:
        here = queue.pop(0)
        info = here.debug_info
        if info.func_filename and source_info_util.is_user_filename(info.func_filename):
            return info.func_filename, info.func_name, info.func_lineno or 0
        queue += [getattr(body, "jaxpr", body) for eqn in here.eqns for body in core.jaxprs_in_params(eqn.params)]
    return None


def jax_folder() -> str:
    """Where JAX's own files are."""
    import jax

    return str(Path(jax.__file__).parent)


def is_jitted(fun: Any) -> bool:
    """Whether a function is itself what `jax.jit` gave."""
    return hasattr(fun, "_jit_info")
