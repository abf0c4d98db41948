"""Which calls of a paste are worth recording, and which arguments are traced.

Promises: nothing here calls anything of the paste's except `__getattr__`-like hooks that looking at an object cannot avoid.
Must never: decide by a name the person chose.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from typing import Any

import jax
import numpy as np

from visualizer.tracing import compat

# own: defined in the paste. async: a coroutine function that is. made: jitted or made by a transform. library: a library's own jitted
# function. object: a library's module. The others are explicit requests for a trace.
EXPLICIT = frozenset({"make_jaxpr", "trace", "lower", "export", "eval_shape"})
_STAGE_METHODS = frozenset({"trace", "lower", "eval_shape"})
_MODEL_LIBRARIES = frozenset({"equinox", "flax", "diffrax", "optax", "numpyro", "blackjax"})
_GENERATES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_PLAIN = (types.BuiltinFunctionType, type, types.MethodWrapperType, types.WrapperDescriptorType)
_MAX_DEPTH = 8
_NOT_JAX = sys.stdlib_module_names | {"numpy", "builtins"}
_modules = sys.modules
_eval_shape = jax.eval_shape
_Partial = jax.tree_util.Partial
_Array = jax.Array
_Shape = jax.ShapeDtypeStruct


def is_array(value: Any) -> bool:
    """Whether JAX takes a value for an array."""
    if isinstance(value, (np.ndarray, np.generic)):
        kind = value.dtype.kind
        return kind not in "OUSMm" and (kind != "V" or str(value.dtype).startswith(("bfloat", "float", "int", "uint")))
    return isinstance(value, (_Array, _Shape))


def is_number(value: Any) -> bool:
    """Whether a value is a Python number."""
    return isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic)


def kind_of(function: Any, filename: str, depth: int = 0) -> str | None:
    """What a call of `function` is to us, or None when it is nothing. `filename` is that of the paste. May raise what the object raises."""
    kind = type(function)
    if depth > _MAX_DEPTH or kind in _PLAIN or isinstance(function, type):
        return None
    if kind is types.FunctionType:
        return _kind_of_function(function, filename)
    if kind is types.MethodType:
        return _kind_of_method(function, filename, depth)
    if isinstance(function, functools.partial) and not isinstance(function, _Partial):
        return kind_of(function.func, filename, depth + 1)
    if kind.__module__ == "__main__" and not issubclass(kind, _Partial):  # nothing is asked of it: its `__getattr__` would hear that
        return "own" if callable(function) else None
    if _is_library_name(function):
        return "library"
    if isinstance(function, (compat.Wrapped, _Partial)):
        return "made"
    if getattr(function, "__wrapped__", None) is not None:
        return "made" if _home(function) not in _NOT_JAX else None
    if kind.__module__.split(".")[0] in _MODEL_LIBRARIES:
        return "object"
    return None


def _kind_of_function(function: Any, filename: str) -> str | None:
    code = function.__code__
    if code.co_filename == filename:
        return "async" if code.co_flags & inspect.CO_COROUTINE else None if code.co_flags & _GENERATES else "own"
    how = compat.request_of(function)
    if how is not None:
        return how
    if function is _eval_shape:
        return "eval_shape"
    if _is_library_name(function):
        return "library"
    return "made" if getattr(function, "__wrapped__", None) is not None and _home(function) not in _NOT_JAX else None


def _kind_of_method(method: Any, filename: str, depth: int) -> str | None:
    owner = method.__self__
    name = method.__name__.removeprefix("jit_")
    if name in _STAGE_METHODS and isinstance(owner, compat.Wrapped):
        return str(name)
    kind = kind_of(method.__func__, filename, depth + 1)
    return kind if kind in ("own", "async") else "own" if type(owner).__module__ == "__main__" else None


def _home(function: Any) -> str:
    """The package a function says it is from."""
    home = getattr(function, "__module__", None)
    return home.partition(".")[0] if isinstance(home, str) else ""


def _is_library_name(function: Any) -> bool:
    """Whether a function is what its own module calls by that name: `jnp.where` is jitted too, but it is the library's."""
    home = getattr(function, "__module__", None)
    if not isinstance(home, str) or home == "__main__" or _home(function) in _NOT_JAX:
        return False
    module = _modules.get(home)
    return getattr(module, getattr(function, "__name__", ""), None) is function
