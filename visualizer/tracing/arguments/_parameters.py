"""The call that a program was traced from, parameter by parameter.

Promises: the parameters in the order in which JAX takes them (positional ones, then those by name, sorted), each with the person's name for
it; which leaves of them are arguments of the program is what its own argument types say.
Must never: call the function; say anything of a program whose argument types do not fit the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jax

from visualizer.tracing import compat

from ._fixed import Fixed, hold_fixed, is_fixed
from ._recordable import is_array, is_number
from ._signature_text import aval_of, signature_text

Dict = dict[str, Any]
_flatten, _unflatten, _structure = jax.tree.flatten, jax.tree.unflatten, jax.tree.structure
_signature = inspect.signature
_Parameter = inspect.Parameter
_POSITIONAL = (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD)
_issubdtype, _inexact = jax.numpy.issubdtype, jax.numpy.inexact


@dataclass(frozen=True)
class Call:
    """A function, the names and values of its parameters; the last ones, `keywords`, are given by name.

    Static leaves are hidden in Fixed.
    """

    fun: Any
    names: tuple[str, ...]
    values: tuple[Any, ...]
    keywords: tuple[str, ...] = ()

    @property
    def args(self) -> tuple[Any, ...]:
        """The positional arguments."""
        return self.values[: len(self.values) - len(self.keywords)]

    @property
    def kwargs(self) -> Dict:
        """The arguments by name."""
        return dict(zip(self.keywords, self.values[len(self.values) - len(self.keywords) :], strict=True))


def call_of(closed: Any, fun: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Call | None:
    """The call that gave a ClosedJaxpr; None where the function is not known, or the jaxpr does not take what the call gives."""
    if fun is None:
        return None
    try:
        keywords = tuple(sorted(kwargs))
        values = (*args, *(kwargs[name] for name in keywords))
        names = (*_positional_names(fun, len(args)), *keywords)
        flat = [_flatten(value) for value in values]
    except Exception:  # a container of the person's
        return None
    for traced in _ways(names, closed):
        held = [[leaf if traced(name, leaf) else Fixed(leaf) for leaf in leaves] for name, (leaves, _) in zip(names, flat, strict=True)]
        free = [leaf for leaves in held for leaf in leaves if not is_fixed(leaf)]
        if _fits(free, closed.in_avals):
            whole = [leaf for leaves, _ in flat for leaf in leaves]
            if len(free) < len(whole):
                fun = hold_fixed(fun, whole, [not is_fixed(leaf) for leaves in held for leaf in leaves], _structure((args, dict(kwargs))))[
                    0
                ]
            return Call(fun, names, tuple(_unflatten(tree, leaves) for leaves, (_, tree) in zip(held, flat, strict=True)), keywords)
    return None


def wire_parameters(call: Call | None) -> list[Dict] | None:
    """The wire's `Program.parameters`."""
    if call is None:
        return None
    return [
        {"name": name, "text": traced_text(value), "differentiable": differentiable(value)}
        for name, value in zip(call.names, call.values, strict=True)
    ]


def traced_text(value: Any) -> str:
    """The text of a parameter of a Call, whose static leaves are hidden: all others are arguments of the program."""
    return signature_text(value, lambda _: True)


def differentiable(value: Any) -> bool:
    """Whether `jax.grad` takes a parameter: every array in it is of real or complex numbers, and there is one."""
    types = [array_type(leaf) for leaf in _flatten(value)[0]]
    return bool(types) and all(aval is not None and _issubdtype(aval.dtype, _inexact) for aval in types)


def array_type(leaf: Any) -> Any:
    """The type of an argument that is an array; None for a ref, a token and what else JAX passes around."""
    aval = aval_of(leaf)
    return aval if type(aval) is compat.ShapedArray else None


def _is_traced(leaf: Any) -> bool:
    return is_array(leaf) or is_number(leaf)


def _has_type(leaf: Any) -> bool:
    try:
        return aval_of(leaf) is not None
    except Exception:
        return False


def _ways(names: tuple[str, ...], closed: Any) -> Iterator[Callable[[str, Any], bool]]:
    """Which leaves may be arguments of the program. Only static_argnums, or a switch, holds numbers static."""
    yield lambda _, leaf: _is_traced(leaf)
    paths = compat.arg_names(closed.jaxpr)
    taken = {name for name in names for path in paths if path == name or path.startswith((f"{name}[", f"{name}."))}
    yield lambda name, leaf: is_array(leaf) or (is_number(leaf) and name in taken)
    yield lambda _, leaf: is_array(leaf)
    yield lambda _, leaf: _is_traced(leaf) or _has_type(leaf)


def _fits(leaves: list[Any], avals: Any) -> bool:
    if len(leaves) != len(avals):
        return False
    try:
        types = [aval_of(leaf) for leaf in leaves]
        return all(one is other or one == other or _alike(one, other) for one, other in zip(types, avals, strict=True))
    except Exception:  # what JAX has no type for, or one without a shape
        return False


def _alike(one: Any, other: Any) -> bool:
    """Whether two types of arrays are the same but for what the program is not about: weakness, shardings."""
    return bool(one.shape == other.shape and one.dtype == other.dtype)


def _positional_names(fun: Any, count: int) -> list[str]:
    """The names of the first `count` positional parameters."""
    names: list[str] = []
    rest = "args"
    try:
        for parameter in _signature(fun).parameters.values():
            if parameter.kind in _POSITIONAL:
                names.append(parameter.name)
            elif parameter.kind is _Parameter.VAR_POSITIONAL:
                rest = parameter.name
    except (TypeError, ValueError):  # some functions written in C do not say what they take
        pass
    return [*names[:count], *(f"{rest}[{index}]" for index in range(count - len(names)))]
