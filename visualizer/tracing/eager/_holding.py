"""The places where JAX hands an eager operation to XLA, replaced by ones that hold it instead.

Promises: an operation that cannot be held (effects, refs, callbacks, meshes, opaque types) is computed for real, at once and in order.
Must never: stay switched on after `holding` ends, or be used with a JAX whose functions look different (`fits` says so).
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from visualizer.tracing import compat

from . import _past as past
from ._held import MOST, Held, Node, compute, computing, held_of, kept, policy, really, refuse, values

_originals: dict[tuple[Any, str], Any] = {}


class _Mode:
    """Whether operations are computed as they come, and only remembered; who is told of each jitted function that is called with values."""

    now = False
    ran: Callable[[Any, str], None] | None = None


@lru_cache(1)
def fits() -> str:
    """Why this JAX cannot be run with held values; empty when it can."""
    if not compat.MAY_HOLD:
        return f"values on demand are not written for JAX {compat.JAX_VERSION}"
    if not hasattr(*compat.EAGER_WAIT):
        return f"JAX {compat.JAX_VERSION} has no {compat.EAGER_WAIT[1]}"
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
def holding(asked: Callable[[Held, str], None] | None = None, ran: Callable[[Any, str], None] | None = None) -> Iterator[None]:
    """While this lasts eager operations are held. `asked(array, why)` is called when a value is read for the first time, `ran(jaxpr, name)`
    when a jitted function is called with values.
    """
    policy.asked, policy.refused, _Mode.ran = asked, False, ran
    with _replacing():
        yield


@contextlib.contextmanager
def remembering(ran: Callable[[Any, str], None] | None = None) -> Iterator[None]:
    """While this lasts eager operations are computed as they come, and what made each array is remembered as it would be held."""
    policy.refused, _Mode.now, _Mode.ran = False, True, ran
    try:
        with _replacing():
            yield
    finally:
        _Mode.now = False


@contextlib.contextmanager
def _replacing() -> Iterator[None]:
    replacements = {
        compat.EAGER_PRIMITIVE: _process_primitive,
        compat.EAGER_JIT: _jit_call,
        compat.EAGER_DEVICE_PUT: _device_put,
        compat.ARGUMENT_TYPE: _argument_type,
        compat.EAGER_WAIT: _wait,
    }
    for place, replacement in replacements.items():
        _originals[place] = getattr(*place)
        setattr(*place, replacement)
    try:
        yield
    finally:
        policy.asked = _Mode.ran = None
        for place in replacements:
            setattr(*place, _originals[place])


def hold(
    avals: Sequence[Any], run: Callable[..., Any], args: Sequence[Any], primitive: Any, params: dict[str, Any], here: bool
) -> list[Any]:
    """Held arrays of the types `avals`, made by `run(*args)` when one of them is read, or now and remembered."""
    if _Mode.now:
        return past.made(run, args, primitive, params)
    held = [origin for arg in args if (origin := held_of(arg)) is not None]
    if any(origin._gone for origin in held):
        refuse("donated")
    node = Node(run, [kept(arg) for arg in args], primitive, params)
    if Node.alive > MOST:
        compute(node)
        node.cut_off()
    here = here and all(origin._here for origin in held) and not any(map(compat.is_placed, args))
    return [_array(aval, node, index, here) for index, aval in enumerate(avals)]


def _array(aval: Any, node: Node, index: int, here: bool) -> Any:
    """A held array; one of random keys is JAX's own, its numbers held."""
    if compat.is_key_type(aval.dtype):
        return compat.key_array(aval.dtype, Held(compat.physical_aval(aval), node, index, here))
    return Held(aval, node, index, here)


def _off() -> bool:
    if computing():
        return True
    if compat.running_is_watched() and not _Mode.now:
        refuse("watched")
    return compat.values_are_watched()


def _at_once(real: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Compute for real, now."""
    if computing():
        return real(*args)
    now = values(args)
    with really():
        return real(*now)


def _simple(avals: Sequence[Any]) -> bool:
    return all(type(aval) is compat.ShapedArray for aval in avals)


# What JAX answers with the very object it was given.
_SAME = frozenset({"name", "stop_gradient"})


def _process_primitive(self: Any, primitive: Any, args: Any, params: dict[str, Any], /) -> Any:
    real = _originals[compat.EAGER_PRIMITIVE]

    def compute(*now: Any) -> Any:
        return real(self, primitive, now, params)

    if _off() or any(map(compat.warns, args)):
        return _at_once(compute, args)
    if primitive is compat.jit_primitive:  # as differentiation makes it
        return list(_jit_call(*args, **params)[0])
    multiple = primitive.multiple_results
    try:
        avals = [compat.typeof(arg) for arg in args]
        out, effects = (avals[0], ()) if primitive.name == "stage" else primitive.abstract_eval(*avals, **params)
        outs = out if multiple else [out]
        can = not effects and _simple(avals) and _simple(outs) and compat.only_runs(primitive, [*avals, *outs], params)
    except NotImplementedError:
        can = False
    if not can:
        return _at_once(compute, args)
    if primitive.name in _SAME:
        return args[0]
    here = not any(device is not None for device in params.get("devices", ()))
    held = hold(outs, compute if multiple else lambda *now: [compute(*now)], args, primitive, params, here)
    return held if multiple else held[0]


def _jit_call(*args: Any, **params: Any) -> Any:
    original = _originals[compat.EAGER_JIT]

    def compute(*now: Any) -> Any:
        return original(*now, **params)

    if _Mode.ran is not None and not computing():
        with contextlib.suppress(Exception):
            _Mode.ran(params["jaxpr"], params["name"])
    given = params["donated_invars"]
    if any(given) and not computing() and not _Mode.now:
        # Computed late and out of order: nothing may really be given away.
        params["donated_invars"] = (False,) * len(given)
    if _off() or any(map(compat.warns, args)):
        _give_away(args, given, params["jaxpr"].out_avals)
        return _at_once(compute, args)
    jaxpr = params["jaxpr"]
    if jaxpr.effects or not _simple(jaxpr.out_avals) or not _simple(jaxpr.in_avals) or not compat.runs_surely(jaxpr.jaxpr):
        _give_away(args, given, jaxpr.out_avals)
        return _at_once(compute, args)
    here = all(type(sharding).__name__ == "UnspecifiedValue" for key in ("in_shardings", "out_shardings") for sharding in params[key])
    outs = hold(jaxpr.out_avals, lambda *now: compute(*now)[0], args, compat.jit_primitive, params, here)
    _give_away(args, given, jaxpr.out_avals)
    return compat.eager_jit_answer(outs)


def _give_away(args: Sequence[Any], given: Sequence[bool], outs: Sequence[Any]) -> None:
    """Remember which arrays are donated. What JAX would warn of or refuse is left to a real run."""
    donated = [arg for arg, gives in zip(args, given, strict=True) if gives]
    if not donated or computing() or _Mode.now:
        return
    room = [(out.shape, out.dtype) for out in outs]
    for arg in donated:
        if type(arg) is not Held or (arg.shape, arg.dtype) not in room or sum(arg is other for other in args) > 1:
            refuse("donated")
        room.remove((arg.shape, arg.dtype))
    for arg in donated:
        arg._gone = True


def _device_put(*arrays: Any, **params: Any) -> Any:
    original = _originals[compat.EAGER_DEVICE_PUT]

    def compute(*now: Any) -> Any:
        return original(*now, **params)

    if _off() or any(map(compat.warns, arrays)):
        return _at_once(compute, arrays)
    avals = params.get("dst_avals") or [compat.typeof(array) for array in arrays]
    if None in avals or not _simple(avals) or not all(map(compat.may_lie_anywhere, params["devices"])):
        given = values(arrays)
        outs = _at_once(compute, given)
        return [array if out is now else out for array, now, out in zip(arrays, given, outs, strict=True)]
    if all(map(compat.stays, arrays, params["devices"], params["copy_semantics"])):
        return list(arrays)  # JAX gives back the same objects
    said = {key: tuple(value) for key, value in params.items() if key != "dst_avals"}
    here = not any(device is not None for device in params["devices"])
    return hold(avals, compute, arrays, compat.device_put_primitive, said, here)


def _wait(arrays: Sequence[Any]) -> None:
    for array in arrays:
        if type(array) is Held:
            array.block_until_ready()
    _originals[compat.EAGER_WAIT]([array for array in arrays if type(array) is not Held])


def _argument_type(arg: Any) -> Any:
    if type(arg) is Held:
        if not arg._here:  # how it lies on its devices is part of the type
            return _originals[compat.ARGUMENT_TYPE](arg._now("sharding"))
        return compat.abstract_type(arg.aval, None, None, True, False)
    if type(arg) is compat.KeyArray and type(arg._base_array) is Held and arg._base_array._here:
        return compat.abstract_type(arg.aval, None, None, True, False)
    return _originals[compat.ARGUMENT_TYPE](arg)
