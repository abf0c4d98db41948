"""The rules of a person's own derivatives and batching, inside the equations that keep them: the functions, and what is not differentiated.

Part of `compat`, which the rest imports it from. Written for JAX 0.10.2 (jax/_src/custom_derivatives.py); where another version keeps them
elsewhere, nothing is found.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

from jax._src import linear_util as _linear

# The params that keep a rule -> which rule it is.
_KEPT = {"jvp_jaxpr_fun": "jvp", "jvp_jaxpr_thunk": "jvp", "fwd_jaxpr_thunk": "fwd", "bwd": "bwd"}
_DEEPEST = 6


def kept_rules(eqn: Any) -> Iterator[tuple[str, Any, str | None]]:
    """The rules of an equation: which, the person's function, and of which argument alone it is (`defjvps`: its number as text)."""
    for param, rule in _KEPT.items():
        function = _core(eqn.params.get(param))
        if function is not None:
            several = _each(function)
            yield from ((rule, one, str(at)) for at, one in enumerate(several) if one is not None) if several else ((rule, function, None),)
    if str(eqn.primitive.name) == "custom_vmap_call":
        function = _plain(getattr(eqn.params.get("rule"), "rule", None))
        if function is not None:
            yield "vmap", function, None


def not_differentiated(eqn: Any) -> list[Any]:
    """What a rule is given beside the arguments that are differentiated, in order."""
    for param in ("bwd", "jvp_jaxpr_fun", "jvp_jaxpr_thunk"):
        for wrapped in _wrapped(eqn.params.get(param), _DEEPEST):
            for transform, given in wrapped.transforms:
                if getattr(transform, "__name__", "") == "_prepend_static_args":
                    return [argument.val for argument in given[0]]
    return []


def differentiated(eqn: Any) -> tuple[str, ...] | None:
    """The paths of the arguments that are differentiated (`x`, `params['w']`); None where JAX forgot them."""
    for info in (getattr(eqn.params.get("fwd_jaxpr_thunk"), "debug_info", None), eqn.params["call_jaxpr"].jaxpr.debug_info):
        names = getattr(info, "arg_names", None)
        if names and all(names):
            return tuple(names)
    return None


def _wrapped(value: Any, depth: int) -> Iterator[Any]:
    """The wrapped functions that a param keeps, in thunks and memories around them too, the outermost first."""
    if depth == 0:
        return
    if isinstance(value, _linear.WrappedFun):
        yield value
        yield from _wrapped(value.f, depth - 1)
    elif isinstance(value, functools.partial):
        yield from _wrapped(value.func, depth - 1)
    elif isinstance(value, types.FunctionType) and value.__module__.startswith("jax."):
        for cell in value.__closure__ or ():
            content = cell.cell_contents
            if isinstance(content, (_linear.WrappedFun, types.FunctionType)):
                yield from _wrapped(content, depth - 1)


def _core(value: Any) -> Any:
    """The Python function under everything that JAX wraps a rule in; None where that is JAX's own."""
    for wrapped in _wrapped(value, _DEEPEST):
        function = _plain(wrapped.f)
        if function is not None and (_each(function) or not function.__module__.startswith("jax.")):
            return function
    return None


def _plain(function: Any) -> Any:
    while isinstance(function, (functools.partial, types.MethodType)):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    return function if isinstance(function, types.FunctionType) else None


def _each(function: Any) -> tuple[Any, ...]:
    """The functions that `defjvps` made one of: one for each argument, None for one without."""
    if function.__qualname__ != "custom_jvp.defjvps.<locals>.jvp":
        return ()
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return tuple(_plain(one) for one in cells["jvps"].cell_contents)
