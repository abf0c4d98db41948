"""Transformations that a person asks for, on the function of a program that was found.

A program's function and its arguments are a Call; each step gives another Call, so steps chain, and what a step asks of its arguments is
known before anything is traced.

Promises: what is traced is what JAX's own transformation of the person's own function gives; a step that does not fit raises StepError that
says why. Must never: change the function, or run it other than by tracing.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import jax

from . import compat
from .arguments._parameters import Call, array_type, differentiable, traced_text
from .arguments._signature_types import MAX_ELEMENTS

Dict = dict[str, Any]
_flatten, _map = jax.tree.flatten, jax.tree.map
_grad, _value_and_grad, _jvp, _vmap, _jit, _checkpoint = jax.grad, jax.value_and_grad, jax.jvp, jax.vmap, jax.jit, jax.checkpoint
_enable_x64, _eval_shape = compat.enable_x64(), jax.eval_shape
_issubdtype, _floating = jax.numpy.issubdtype, jax.numpy.floating
_wraps = functools.update_wrapper
_Signature, _Parameter = inspect.Signature, inspect.Parameter
_Shape = jax.ShapeDtypeStruct
_WIDER = {"float32": "float64", "int32": "int64", "complex64": "complex128"}
BATCH = 8
"""The size of the axis that vmap adds where none is asked for."""


class StepError(Exception):
    """A step that does not fit the function it is applied to."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True)
class Made:
    """A transformed call and what it is called; `x64`: traced with 64-bit types."""

    call: Call
    name: str
    x64: bool = False


def applied(made: Made, step: Dict) -> Made:
    """`made` with one more step (Step-shaped). Raises StepError."""
    with wide(made.x64):  # types are those that tracing sees
        made = replace(made, call=_positional(made.call))
        after = _STEPS[step["name"]](made, step)
    if after.call.fun is not made.call.fun:  # the person's own is left as it is
        _signed(after.call.fun, after.call.names)
    return after


def traced(made: Made) -> tuple[Any, Any]:
    """The ClosedJaxpr of a transformed call, and JAX's Traced. Raises what tracing raises."""
    with wide(made.x64):
        return compat.traced_as_make_jaxpr(made.call.fun, made.call.args, made.call.kwargs)


@contextlib.contextmanager
def wide(x64: bool) -> Iterator[None]:
    """64-bit types, where they are asked for."""
    with _enable_x64(True) if x64 else contextlib.nullcontext():
        yield


def _positional(call: Call) -> Call:
    """The call with all parameters given by position: what argnums and in_axes count."""
    if not call.keywords:
        return call
    fun, keywords, count = call.fun, call.keywords, len(call.args)

    def positional(*values: Any) -> Any:
        return fun(*values[:count], **dict(zip(keywords, values[count:], strict=True)))

    return Call(_named(positional, fun, call.names), call.names, call.values)


class _Name(str):
    """A name that a signature takes though it is none of Python's: `xs[0]`."""

    __slots__ = ()

    def isidentifier(self) -> bool:
        return True


def _named(function: Any, fun: Any, names: tuple[str, ...]) -> Any:
    """`function` called as `fun` is, with parameters of these names: JAX names the arguments of a program after them."""
    with contextlib.suppress(Exception):
        _wraps(function, fun)
    return _signed(function, names)


def _signed(function: Any, names: tuple[str, ...]) -> Any:
    with contextlib.suppress(AttributeError, TypeError, ValueError):  # a jitted function takes none; JAX then asks the one that it wraps
        function.__signature__ = _Signature([_Parameter(_Name(name), _Parameter.POSITIONAL_ONLY) for name in names])
    return function


# ---------------------------------------------------------------- differentiation
def _argnums(made: Made, step: Dict, default: tuple[int, ...]) -> tuple[int, ...]:
    """The parameters to differentiate, each of which can be."""
    name, names = step["name"], made.call.names
    argnums = default if step["argnums"] is None else tuple(step["argnums"])
    if not names:
        raise StepError(f"{name} needs a parameter, {made.name} has none.", "Give the function what it reads as a parameter.")
    choice = f"Choose among {_listed(made)}."
    if not argnums:
        raise StepError(f"{name} needs a parameter to differentiate by.", choice)
    for argnum in argnums:
        if not -len(names) <= argnum < len(names):
            raise StepError(f"{name} was asked for parameter {argnum}, {made.name} has {len(names)}, counted from 0.", choice)
        if not differentiable(made.call.values[argnum]):
            text = _text(made.call.values[argnum])
            raise StepError(
                f"{name} differentiates by floating-point numbers, `{names[argnum]}` is {text}.",
                choice if any(map(differentiable, made.call.values)) else "Give the function a floating-point argument, like f32[].",
            )
    positive = tuple(argnum % len(names) for argnum in argnums)
    if len(set(positive)) != len(positive):
        raise StepError(f"{name} was asked for one parameter twice.", choice)
    return positive


def _listed(made: Made) -> str:
    good = [f"{index} (`{name}`)" for index, name in enumerate(made.call.names) if differentiable(made.call.values[index])]
    return ", ".join(good) or "none"


def _gradient(made: Made, step: Dict) -> Made:
    argnums = _argnums(made, step, (0,))
    single: Any = argnums[0] if len(argnums) == 1 else argnums
    function = _grad if step["name"] == "grad" else _value_and_grad
    fun = function(made.call.fun, argnums=single, has_aux=bool(step["has_aux"]))
    return replace(made, call=replace(made.call, fun=fun), name=_called(made, step))


def _forward(made: Made, step: Dict) -> Made:
    values, names = made.call.values, made.call.names
    argnums = _argnums(made, step, tuple(index for index, value in enumerate(values) if differentiable(value)) or (0,))
    tangents = tuple(_map(_tangent, values[argnum]) for argnum in argnums)
    fun, count, has_aux = made.call.fun, len(values), bool(step["has_aux"])

    def jvp(*given: Any) -> Any:
        def chosen(*some: Any) -> Any:
            whole = list(given[:count])
            for argnum, value in zip(argnums, some, strict=True):
                whole[argnum] = value
            return fun(*whole)

        return _jvp(chosen, tuple(given[argnum] for argnum in argnums), given[count:], has_aux=has_aux)

    dots: list[str] = []
    for argnum in argnums:
        dot = f"{names[argnum]}_dot"
        while dot in (*names, *dots):
            dot += "_"
        dots.append(dot)
    call = Call(_named(jvp, fun, (*names, *dots)), (*names, *dots), (*values, *tangents))
    return replace(made, call=call, name=_called(made, step))


def _tangent(leaf: Any) -> Any:
    aval = array_type(leaf)
    return _Shape(aval.shape, aval.dtype)


# ---------------------------------------------------------------- the others
def _batched(made: Made, step: Dict) -> Made:
    values, names, size = made.call.values, made.call.names, BATCH if step["size"] is None else step["size"]
    arrays = [bool(leaves := _flatten(value)[0]) and all(array_type(leaf) is not None for leaf in leaves) for value in values]
    axes: tuple[Any, ...] = tuple(0 if array else None for array in arrays) if step["in_axes"] is None else tuple(step["in_axes"])
    if len(axes) != len(values):
        raise StepError(f"vmap was given {len(axes)} axes, {made.name} has {len(values)} parameters.", "Give one for each, null for none.")
    if size < 1:
        raise StepError(f"The axis that vmap adds cannot have size {size}.", "Give a size of 1 or more.")
    for name, value, axis in zip(names, values, axes, strict=True):
        for leaf in _flatten(value)[0] if axis is not None else ():
            _check_axis(name, leaf, axis, size)
    if not any(axis is not None and array for axis, array in zip(axes, arrays, strict=True)):
        raise StepError("vmap needs an array to map over, and no parameter was chosen.", "Choose an axis for one of the parameters.")
    wider = tuple(
        value if axis is None else _map(functools.partial(_with_axis, axis=axis, size=size), value)
        for value, axis in zip(values, axes, strict=True)
    )
    fun = _vmap(made.call.fun, in_axes=0 if all(axis == 0 for axis in axes) else axes)
    return replace(made, call=replace(made.call, fun=fun, values=wider), name=_called(made, step))


def _check_axis(name: str, leaf: Any, axis: int, size: int) -> None:
    aval, text = array_type(leaf), _text(leaf)
    if aval is None:
        raise StepError(f"vmap cannot add an axis to `{name}`, which is {text}.", "Give null for it.")
    rank, lengths = len(aval.shape), [length for length in aval.shape if isinstance(length, int)]
    if not -rank - 1 <= axis <= rank:
        raise StepError(f"vmap cannot add axis {axis} to `{name}`, which is {text}.", f"Choose one from 0 to {rank}, or null.")
    if size * math.prod(max(length, 1) for length in lengths) > MAX_ELEMENTS:
        raise StepError(f"With an axis of that size `{name}` would have more than 2**48 elements.", "Give a smaller one.")


def _with_axis(leaf: Any, *, axis: int, size: int) -> Any:
    aval = array_type(leaf)
    at = axis if axis >= 0 else len(aval.shape) + 1 + axis
    return _Shape((*aval.shape[:at], size, *aval.shape[at:]), aval.dtype)


def _compiled(made: Made, step: Dict) -> Made:
    fun = (_jit if step["name"] == "jit" else _checkpoint)(made.call.fun)
    return replace(made, call=replace(made.call, fun=fun), name=_called(made, step))


def _widened(made: Made, step: Dict) -> Made:
    values = tuple(_map(_wider, value) for value in made.call.values)
    return Made(replace(made.call, values=values), _called(made, step), x64=True)


def _wider(leaf: Any) -> Any:
    aval = array_type(leaf)
    wider = None if aval is None or aval.weak_type else _WIDER.get(str(aval.dtype))
    return leaf if wider is None else _Shape(aval.shape, wider)


_STEPS: dict[str, Callable[[Made, Dict], Made]] = {
    "grad": _gradient,
    "value_and_grad": _gradient,
    "jvp": _forward,
    "vmap": _batched,
    "jit": _compiled,
    "checkpoint": _compiled,
    "x64": _widened,
}


def _called(made: Made, step: Dict) -> str:
    """`vmap(loss, in_axes=(None, 0))`: as the person would write it."""
    said = [made.name]
    for option in ("argnums", "in_axes"):
        value = step[option]
        if value is not None:
            said.append(f"{option}={value[0] if option == 'argnums' and len(value) == 1 else tuple(value)}")
    if step["has_aux"] and step["name"] in ("grad", "value_and_grad", "jvp"):
        said.append("has_aux=True")
    return f"{step['name']}({', '.join(said)})"


def _text(value: Any) -> str:
    return traced_text(value).replace("~", "")  # that a type is weak matters to nothing here


# ---------------------------------------------------------------- what went wrong
def result_of(made: Made) -> Any:
    """The types of what a call returns. Raises what tracing raises."""
    with wide(made.x64):
        return _eval_shape(made.call.fun, *made.call.args, **made.call.kwargs)


def unfit_result(made: Made, step: Dict) -> StepError | None:
    """Why a gradient cannot be taken of what `made` returns; None where its result is not the reason. Raises what tracing it raises."""
    if step["name"] not in ("grad", "value_and_grad"):
        return None
    out, name = result_of(made), step["name"]
    pair = isinstance(out, tuple) and len(out) == 2
    if step["has_aux"]:
        if not pair:
            return StepError(f"has_aux needs a pair (result, aux), {made.name} gives {_text(out)}.", "Leave has_aux out.")
        out = out[0]
    elif pair and _is_scalar(out[0]):
        advice = "Ask for has_aux: the first part is differentiated, the second is handed on."
        return StepError(f"{name} needs a scalar result, {made.name} gives {_text(out)}.", advice)
    if not isinstance(out, _Shape) or out.shape != ():
        advice = "Reduce it (.sum(), .mean()) in the function." if isinstance(out, _Shape) else "Return one number from the function."
        return StepError(f"{name} needs a scalar result, {made.name} gives {_text(out)}.", advice)
    if not _is_scalar(out):
        return StepError(f"{name} needs a real result, {made.name} gives {_text(out)}.", "Convert it with .astype(jnp.float32), or .real.")
    return None


def _is_scalar(out: Any) -> bool:
    return isinstance(out, _Shape) and out.shape == () and bool(_issubdtype(out.dtype, _floating))
