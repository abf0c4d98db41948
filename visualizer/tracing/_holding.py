"""The places where JAX hands an eager operation to XLA, replaced by ones that hold it instead.

Promises: an operation that cannot be held (effects, refs, callbacks, meshes, opaque types) is computed for real, at once and in order.
Must never: stay switched on after `holding` ends, or be used with a JAX whose functions look different (`fits` says so).
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import compat
from ._held import Held, Node, computing, policy, really, refuse, values

_originals: dict[tuple[Any, str], Any] = {}


def fits() -> str:
    """Why this JAX cannot be run with held values; empty when it can."""
    for (owner, name), needed in compat.EAGER_PARAMETERS.items():
        function = getattr(owner, name, None)
        if function is None:
            return f"JAX {compat.JAX_VERSION} has no {name}"
        try:
            have = tuple(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            return f"{name} of JAX {compat.JAX_VERSION} cannot be inspected"
        if not set(needed) <= set(have):
            return f"{name} of JAX {compat.JAX_VERSION} takes {', '.join(have)}"
    return ""


@contextlib.contextmanager
def holding(asked: Callable[[Held, str], None] | None = None) -> Iterator[None]:
    """While this lasts eager operations are held. `asked(array, why)` is called when a value is read for the first time."""
    policy.asked, policy.refused = asked, False
    replacements = {
        compat.EAGER_PRIMITIVE: _process_primitive,
        compat.EAGER_JIT: _jit_call,
        compat.EAGER_DEVICE_PUT: _device_put,
        compat.ARGUMENT_TYPE: _argument_type,
    }
    for place, replacement in replacements.items():
        _originals[place] = getattr(*place)
        setattr(*place, replacement)
    try:
        yield
    finally:
        policy.asked = None
        for place in replacements:
            setattr(*place, _originals[place])


def hold(
    avals: Sequence[Any], run: Callable[..., Any], args: Sequence[Any], primitive: Any, params: dict[str, Any], here: bool
) -> list[Held]:
    """Held arrays of the types `avals`, made by `run(*args)` when one of them is read."""
    if any(type(arg) is Held and arg._gone for arg in args):
        refuse("donated")
    node = Node(run, [_kept(arg) for arg in args], primitive, params)
    here = here and _one_device() and all(arg._here for arg in args if type(arg) is Held)
    return [Held(aval, node, index, here) for index, aval in enumerate(avals)]


def _kept(arg: Any) -> Any:
    """The argument as it is now: a later change of a numpy array in place must not reach a held operation."""
    if type(arg) is Held:
        return arg
    if isinstance(arg, np.ndarray):
        return arg.copy()
    if type(arg).__name__ == "TypedNdArray":
        return type(arg)(np.array(arg.val), arg.weak_type)
    return arg


def _off() -> bool:
    return computing() or compat.checks_every_value()


def _simple(avals: Sequence[Any]) -> bool:
    return all(type(aval) is compat.ShapedArray for aval in avals)


def _one_device() -> bool:
    return "device_count" not in os.environ.get("XLA_FLAGS", "")


@functools.lru_cache(4096)
def _calls_back(jaxpr: Any) -> bool:
    """Whether a host function of the paste runs in it: it may print or count, and must run when a real run would."""
    return any("callback" in eqn.primitive.name or any(map(_calls_back, compat.jaxprs_in_params(eqn.params))) for eqn in jaxpr.eqns)


_ELSEWHERE = frozenset({"sharding_constraint", "reshard", "mesh_cast"})


def _process_primitive(self: Any, primitive: Any, args: Any, params: dict[str, Any], /) -> Any:
    real = _originals[compat.EAGER_PRIMITIVE]
    if _off():
        return real(self, primitive, args, params)
    multiple = primitive.multiple_results
    try:
        avals = [compat.typeof(arg) for arg in args]
        out, effects = (avals[0], ()) if primitive.name == "stage" else primitive.abstract_eval(*avals, **params)
        outs = out if multiple else [out]
        can = not effects and _simple(avals) and _simple(outs) and "callback" not in primitive.name
    except NotImplementedError:
        can = False
    if not can:
        args = values(args)
        with really():
            return real(self, primitive, args, params)
    here = not any(device is not None for device in params.get("devices", ())) and primitive.name not in _ELSEWHERE

    def run(*now: Any) -> Any:
        result = real(self, primitive, now, params)
        return result if multiple else [result]

    held = hold(outs, run, args, primitive, params, here)
    return held if multiple else held[0]


def _jit_call(*args: Any, **params: Any) -> Any:
    real = _originals[compat.EAGER_JIT]
    if _off():
        return real(*args, **params)
    jaxpr = params["jaxpr"]
    if jaxpr.effects or not _simple(jaxpr.out_avals) or not _simple(jaxpr.in_avals) or _calls_back(jaxpr.jaxpr):
        args = tuple(values(args))
        with really():
            return real(*args, **params)
    donated = [
        arg
        for arg, given in zip(args, params["donated_invars"], strict=True)
        if given and type(arg) is Held and any(arg.shape == out.shape and arg.dtype == out.dtype for out in jaxpr.out_avals)
    ]
    # Computed late and out of order: nothing may really be given away.
    params["donated_invars"] = (False,) * len(params["donated_invars"])
    here = all(type(sharding).__name__ == "UnspecifiedValue" for key in ("in_shardings", "out_shardings") for sharding in params[key])
    outs = hold(jaxpr.out_avals, lambda *now: real(*now, **params)[0], args, compat.jit_primitive, params, here)
    for arg in donated:
        arg._gone = True
    return compat.eager_jit_answer(outs)


def _device_put(*arrays: Any, **params: Any) -> Any:
    real = _originals[compat.EAGER_DEVICE_PUT]
    if _off():
        return real(*arrays, **params)
    avals = params.get("dst_avals") or [compat.typeof(array) for array in arrays]
    if None in avals or not _simple(avals):
        arrays = tuple(values(arrays))
        with really():
            return real(*arrays, **params)
    said = {key: tuple(value) for key, value in params.items() if key != "dst_avals"}
    here = not any(device is not None for device in params["devices"])
    return hold(avals, lambda *now: real(*now, **params), arrays, compat.device_put_primitive, said, here)


def _argument_type(arg: Any) -> Any:
    if type(arg) is Held:
        if not arg._here:  # how it lies on its devices is part of the type
            return _originals[compat.ARGUMENT_TYPE](arg._now("sharding"))
        return compat.abstract_type(arg.aval, None, None, True, False)
    return _originals[compat.ARGUMENT_TYPE](arg)
